import { CLASSES, Document, WorldCollection } from "./document.mjs";

/** A place. */
export class Scene extends Document {
  static documentName = "Scene";

  get isView() {
    return canvas.scene === this;
  }

  get dimensions() {
    const { width, height, grid } = this._source;
    return {
      width, height, size: grid.size, distance: grid.distance, distancePixels: grid.size / grid.distance, sceneX: 0, sceneY: 0, sceneWidth: width, sceneHeight: height,
      rect: { x: 0, y: 0, width, height }, sceneRect: { x: 0, y: 0, width, height }, rows: Math.ceil(height / grid.size), columns: Math.ceil(width / grid.size),
    };
  }

  getDimensions() {
    return this.dimensions;
  }

  prepareData() {
    this.grid = canvasGrid(this._source.grid);
  }

  get thumbnail() {
    return null;
  }

  async activate() {
    for (const scene of game.scenes) if (scene.active && scene !== this) await scene.update({ active: false });
    return this.update({ active: true });
  }

  async view() {
    await canvas.draw(this);
    return this;
  }

  _onUpdate(change) {
    if (change.active) void this.view();
  }

  createDimensions() {
    return this.dimensions;
  }
}

/** Set by the canvas, which knows grids. */
let canvasGrid = data => data;
export function useGrid(make) {
  canvasGrid = make;
}

export class Scenes extends WorldCollection {
  constructor() {
    super("Scene");
  }

  get active() {
    return this.find(s => s.active) ?? null;
  }

  get current() {
    return canvas.scene;
  }

  get viewed() {
    return canvas.scene;
  }
}

CLASSES.Scene = Scene;

for (const documentName of ["Wall", "Drawing", "Tile", "Region", "AmbientLight", "AmbientSound", "Note"]) {
  CLASSES[documentName] = class extends Document {
    static documentName = documentName;

    get object() {
      return null;
    }
  };
  Object.defineProperty(CLASSES[documentName], "name", { value: `${documentName}Document` });
}
