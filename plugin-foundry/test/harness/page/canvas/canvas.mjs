/** The canvas: one scene, drawn by PIXI. It draws when something has changed, not by time. */
import { Hooks } from "../hooks.mjs";
import { TokenHUD } from "../ui/token-hud.mjs";
import { SquareGrid } from "./grid.mjs";
import { InterfaceGroup } from "./interface.mjs";
import { TokenLayer } from "./token-layer.mjs";

export class Canvas {
  ready = false;
  loading = false;
  scene = null;
  app = null;
  stage = null;
  grid = null;
  interface = null;
  primary = null;
  tokens = null;
  controls = null;
  fog = { commit() {}, refresh() {} };
  visibility = { tokenVision: false, testVisibility: () => true };
  walls = { placeables: [] };
  regions = { placeables: [] };
  drawings = { placeables: [] };
  tiles = { placeables: [] };
  hud = { token: new TokenHUD(), element: null };
  mousePosition = { x: 0, y: 0 };
  perception = { update() {}, initialize() {} };
  effects = new PIXI.Container();
  notes = { placeables: [] };
  animations = [];

  get id() {
    return this.scene?.id;
  }

  get dimensions() {
    return this.scene?.dimensions ?? null;
  }

  get activeLayer() {
    return this.tokens;
  }

  get initialized() {
    return !!this.app;
  }

  /** Makes PIXI's application, once. Its ticker does not run by itself. @param {{width: number, height: number}} [size] */
  initialize(size = { width: 1200, height: 800 }) {
    PIXI.settings.ROUND_PIXELS = true;
    this.app = new PIXI.Application({ ...size, autoStart: false, sharedTicker: false, preserveDrawingBuffer: true, antialias: false, background: 0x222222 });
    this.app.ticker.stop();
    // What a module adds to the ticker runs with each frame; the frame itself is drawn once.
    this.app.ticker.remove(this.app.render, this.app);
    this.app.view.id = "board";
    document.getElementById("board-box").append(this.app.view);
    this.stage = this.app.stage;
    this.stage.eventMode = "static";
    this.stage.hitArea = { contains: () => true };
    Hooks.callAll("canvasInit", this);
  }

  async draw(scene = this.scene) {
    if (this.ready) this._tearDown();
    this.scene = scene ?? null;
    if (!scene) return this;
    this.loading = true;
    this.grid = scene.grid;
    this.stage.removeChildren();
    const { width, height } = scene.dimensions;
    this.primary = this.stage.addChild(new PIXI.Container());
    this.primary.background = this.primary.addChild(new PIXI.Graphics().beginFill(scene.backgroundColor ?? 0x999999).drawRect(0, 0, width, height));
    const lines = this.primary.addChild(new PIXI.Graphics().lineStyle(2, 0x000000, 0.3));
    for (let x = 0; x <= width; x += scene.grid.size) lines.moveTo(x, 0).lineTo(x, height);
    for (let y = 0; y <= height; y += scene.grid.size) lines.moveTo(0, y).lineTo(width, y);
    this.interface = new InterfaceGroup();
    this.tokens = new TokenLayer();
    this.stage.addChild(this.interface.grid, this.tokens, this.interface);
    this.controls = this.stage.addChild(new PIXI.Container());
    this.stage.scale.set(Math.min(this.app.screen.width / width, this.app.screen.height / height));
    await this.tokens._draw(scene);
    this.loading = false;
    this.ready = true;
    game.user.viewedScene = scene.id;
    this._frame();
    Hooks.callAll("canvasReady", this);
    return this;
  }

  _tearDown() {
    Hooks.callAll("canvasTearDown", this);
    this.ready = false;
    for (const token of this.scene?.tokens ?? []) token._object = null;
  }

  _dirty = false;

  /** Draws in a while, once for all that changed. */
  _frame() {
    if (this._dirty || !this.ready) return;
    this._dirty = true;
    queueMicrotask(() => {
      this._dirty = false;
      this.app?.ticker.update(performance.now());
      this.app?.render();
    });
  }

  async animatePan({ x, y, scale } = {}) {
    this.pan({ x, y, scale });
    return true;
  }

  pan({ x = this.stage.pivot.x, y = this.stage.pivot.y, scale } = {}) {
    this.stage.pivot.set(x, y);
    this.stage.position.set(600, 400);
    if (scale) this.stage.scale.set(scale);
    this._frame();
    Hooks.callAll("canvasPan", this, { x, y, scale: this.stage.scale.x });
  }

  async ping(origin) {
    this.animations.push({ ping: origin });
    return true;
  }

  /** Where a place of the scene is on the screen. */
  clientCoordinatesFromCanvas({ x, y }) {
    const at = this.stage.toGlobal(new PIXI.Point(x, y));
    const { left, top } = this.app.view.getBoundingClientRect();
    return { x: at.x + left, y: at.y + top };
  }

  canvasCoordinatesFromClient({ x, y }) {
    const { left, top } = this.app.view.getBoundingClientRect();
    const at = this.stage.toLocal(new PIXI.Point(x - left, y - top));
    return { x: at.x, y: at.y };
  }
}

export { SquareGrid };
