/** canvas.interface: what is drawn over the scene: words that rise, and coloured squares. */
import { animate } from "../clock.mjs";

class HighlightLayer extends PIXI.Graphics {
  constructor(name) {
    super();
    this.name = name;
    this.positions = new Set();
  }

  highlight(x, y) {
    this.positions.add(`${x},${y}`);
  }
}

class GridLayer extends PIXI.Container {
  highlightLayers = {};

  addHighlightLayer(name) {
    const known = this.highlightLayers[name];
    if (known && !known.destroyed) return known;
    return (this.highlightLayers[name] = this.addChild(new HighlightLayer(name)));
  }

  getHighlightLayer(name) {
    return this.highlightLayers[name];
  }

  clearHighlightLayer(name) {
    this.highlightLayers[name]?.clear();
    this.highlightLayers[name]?.positions.clear();
  }

  destroyHighlightLayer(name) {
    this.highlightLayers[name]?.destroy();
    delete this.highlightLayers[name];
  }

  highlightPosition(name, { x, y, color = 0x33bbff, border = null, alpha = 0.25 } = {}) {
    const layer = this.highlightLayers[name];
    if (!layer) return;
    const size = canvas.grid.size;
    layer.highlight(x, y);
    if (border !== null) layer.lineStyle(2, border, Math.min(alpha * 1.5, 1));
    layer.beginFill(color, alpha).drawRect(x, y, size, size).endFill();
    canvas._frame();
  }
}

export class InterfaceGroup extends PIXI.Container {
  /** All words that were shown here, for the driver. */
  _said = [];

  constructor() {
    super();
    this.grid = this.addChild(new GridLayer());
    this._words = this.addChild(new PIXI.Container());
  }

  /** Lets words rise from a place; nothing if the user has turned that off. */
  async createScrollingText(origin, content, { duration = 2000, distance, direction = 2, anchor: _ = 0, jitter: _j = 0, ...style } = {}) {
    if (!game.settings.get("core", "scrollingStatusText")) return null;
    if (typeof origin?.x !== "number" || typeof origin?.y !== "number") throw new Error("createScrollingText needs a place");
    this._said.push({ x: origin.x, y: origin.y, text: String(content) });
    const text = this._words.addChild(new PIXI.Text(content, { fontSize: 32, fill: 0xffffff, stroke: 0x000000, strokeThickness: 5, ...style }));
    text.anchor.set(0.5);
    const way = (distance ?? 100) * (direction === 1 ? 1 : -1);
    await animate(duration, progress => {
      text.position.set(origin.x, origin.y + way * progress);
      text.alpha = 1 - progress / 2;
      canvas._frame();
    });
    text.destroy();
    return text;
  }
}
