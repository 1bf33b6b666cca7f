/** A token on the canvas: what it looks like, how it walks, who selects and targets it. */
import { animate } from "../clock.mjs";
import { Hooks } from "../hooks.mjs";

const SPACES_A_SECOND = 6;

export class Token extends PIXI.Container {
  static RENDER_FLAGS = {};

  constructor(document) {
    super();
    this.document = document;
    this.eventMode = "static";
    this.controlled = false;
    this.hover = false;
    this.targeted = new Set();
    this.movementAnimationPromise = null;
    this.animationContexts = new Map();
    this.destroyedToken = false;
    this.renderFlags = { set: () => this.refresh(), handle: () => {} };
  }

  get id() {
    return this.document.id;
  }

  get objectId() {
    return this.document.uuid;
  }

  get actor() {
    return this.document.actor;
  }

  get scene() {
    return this.document.parent;
  }

  get layer() {
    return canvas.tokens;
  }

  get isOwner() {
    return this.document.isOwner;
  }

  get isVisible() {
    return game.user.isGM || !this.document.hidden;
  }

  get isTargeted() {
    return this.targeted.has(game.user);
  }

  get inCombat() {
    return this.document.inCombat;
  }

  get combatant() {
    return this.document.combatant;
  }

  get w() {
    return this.document.getSize().width;
  }

  get h() {
    return this.document.getSize().height;
  }

  get bounds() {
    return new PIXI.Rectangle(this.document.x, this.document.y, this.w, this.h);
  }

  get center() {
    const { x, y } = this.document.getCenterPoint();
    return new PIXI.Point(x, y);
  }

  getCenterPoint(position) {
    return this.document.getCenterPoint(position);
  }

  getSize() {
    return this.document.getSize();
  }

  get hasActiveHUD() {
    return canvas.hud.token.object === this && canvas.hud.token.rendered;
  }

  /** Makes its pictures. */
  async draw() {
    this.removeChildren();
    this.border = this.addChild(new PIXI.Graphics());
    this.mesh = new PIXI.Sprite(await texture(this.document.texture.src));
    this.addChild(this.mesh);
    this.bars = this.addChild(new PIXI.Container());
    this.bars.bar1 = this.bars.addChild(new PIXI.Graphics());
    this.bars.bar2 = this.bars.addChild(new PIXI.Graphics());
    this.effects = this.addChild(new PIXI.Container());
    this.nameplate = this.addChild(new PIXI.Text(this.document.name, { fontSize: 20, fill: 0xffffff, stroke: 0x000000, strokeThickness: 4 }));
    this.tooltip = this.addChild(new PIXI.Text("", { fontSize: 16 }));
    this.targetPips = this.addChild(new PIXI.Graphics());
    this.refresh();
    Hooks.callAll("drawToken", this);
    return this;
  }

  /** Shows what the document says now. */
  refresh() {
    if (!this.mesh || this.destroyedToken) return this;
    const { document } = this;
    const { width, height } = document.getSize();
    this.position.set(document.x, document.y);
    this.visible = this.renderable = this.isVisible;
    this.alpha = document.hidden ? 0.5 : 1;
    Object.assign(this.mesh, { width, height, tint: document.texture.tint ?? 0xffffff });
    this.border.clear();
    if (this.controlled) this.border.lineStyle(4, 0xff9829).drawRect(0, 0, width, height);
    this.nameplate.text = document.name;
    this.nameplate.anchor.set(0.5, 0);
    this.nameplate.position.set(width / 2, height + 2);
    this.nameplate.visible = this._canViewMode(document.displayName);
    this.#drawBars(width, height);
    this.#drawEffects();
    this.targetPips.clear();
    if (this.targeted.size) this.targetPips.lineStyle(3, 0x2a7fff).drawCircle(width / 2, height / 2, width / 2 + 4);
    Hooks.callAll("refreshToken", this, {});
    canvas._frame();
    return this;
  }

  _canViewMode(mode) {
    const { NONE, CONTROL, OWNER_HOVER, HOVER, OWNER } = CONST.TOKEN_DISPLAY_MODES;
    switch (mode) {
      case NONE: return false;
      case CONTROL: return this.controlled;
      case OWNER_HOVER: return this.isOwner && this.hover;
      case HOVER: return this.hover;
      case OWNER: return this.isOwner;
      default: return true;
    }
  }

  #drawBars(width, height) {
    this.bars.visible = this._canViewMode(this.document.displayBars);
    for (const [name, top, color] of [["bar1", height - 10, 0x55cc55], ["bar2", 0, 0x5577dd]]) {
      const bar = this.bars[name].clear();
      const attribute = this.document.getBarAttribute(name);
      bar.visible = attribute?.type === "bar";
      if (bar.visible) bar.beginFill(0x000000, 0.6).drawRect(0, top, width, 10).beginFill(color).drawRect(1, top + 1, (width - 2) * Math.clamp(attribute.value / attribute.max, 0, 1), 8);
    }
  }

  /** Signs of statuses, small in the corner, or large over all for an overlay. */
  #drawEffects() {
    this.effects.removeChildren();
    for (const [n, effect] of (this.actor?.temporaryEffects ?? []).entries()) {
      const sign = this.effects.addChild(new PIXI.Sprite(PIXI.Texture.WHITE));
      const overlay = effect.getFlag("core", "overlay");
      const size = overlay ? this.w : 20;
      Object.assign(sign, { name: [...effect.statuses][0] ?? effect.name, width: size, height: size, alpha: overlay ? 0.5 : 1, tint: overlay ? 0xcc2222 : 0xeedd22 });
      if (!overlay) sign.position.set((n % 4) * 22, Math.floor(n / 4) * 22);
    }
  }

  _onApplyStatusEffect(statusId, active) {
    Hooks.callAll("applyTokenStatusEffect", this, statusId, active);
  }

  _onUpdate(change, options) {
    const { movement } = options;
    if (movement && options.animate !== false && movement.passed.waypoints.at(-1).action !== "displace") {
      const promise = this.#walk(movement).finally(() => {
        if (this.movementAnimationPromise === promise) this.movementAnimationPromise = null;
      });
      this.movementAnimationPromise = promise;
    } else {
      this.refresh();
    }
  }

  /** Walks after what it walks already. While it does, the document's place is where it is seen. */
  async #walk({ origin, passed }) {
    const before = this.movementAnimationPromise;
    const { document } = this;
    if (!before) Object.assign(document, { x: origin.x, y: origin.y });
    this.#abort ??= new AbortController();
    const { signal } = this.#abort;
    await before;
    let from = origin;
    for (const to of passed.waypoints) {
      const start = from;
      const spaces = Math.hypot(to.x - start.x, to.y - start.y) / document.parent.grid.size;
      await animate((spaces / SPACES_A_SECOND) * 1000, progress => {
        if (this.destroyedToken) return;
        document.x = start.x + (to.x - start.x) * progress;
        document.y = start.y + (to.y - start.y) * progress;
        this.refresh();
      }, signal);
      from = to;
    }
    if (!this.movementAnimationPromise || from === passed.waypoints.at(-1)) Object.assign(document, { x: from.x, y: from.y });
    this.refresh();
  }

  #abort = null;

  stopAnimation() {
    this.#abort?.abort();
    this.#abort = null;
    Object.assign(this.document, { x: this.document._source.x, y: this.document._source.y });
    this.refresh();
  }

  async animate(to, { duration = 1000 } = {}) {
    const from = Object.fromEntries(Object.keys(to).map(key => [key, this.document[key]]));
    await animate(duration, progress => {
      for (const key of Object.keys(to)) this.document[key] = from[key] + (to[key] - from[key]) * progress;
      this.refresh();
    });
  }

  control({ releaseOthers = true } = {}) {
    if (!this.isOwner || this.controlled) return this.controlled;
    if (releaseOthers) canvas.tokens.releaseAll();
    this.controlled = true;
    this.refresh();
    Hooks.callAll("controlToken", this, true);
    return true;
  }

  release() {
    if (!this.controlled) return true;
    this.controlled = false;
    this.refresh();
    Hooks.callAll("controlToken", this, false);
    return true;
  }

  setTarget(targeted = true, { user = game.user, releaseOthers = true } = {}) {
    if (releaseOthers) for (const other of [...user.targets]) if (other !== this) other.setTarget(false, { user, releaseOthers: false });
    if (targeted) {
      this.targeted.add(user);
      user.targets.add(this);
    } else {
      this.targeted.delete(user);
      user.targets.delete(this);
    }
    this.refresh();
    Hooks.callAll("targetToken", user, this, targeted);
  }

  _remove() {
    this.destroyedToken = true;
    for (const user of this.targeted) user.targets.delete(this);
    canvas.tokens._drop(this);
    this.document._object = null;
    Hooks.callAll("destroyToken", this);
  }
}

const textures = new Map();

async function texture(src) {
  const url = src.startsWith("/") ? src : `/${src}`;
  if (!textures.has(url)) {
    textures.set(url, new Promise(resolve => {
      const image = new Image();
      image.onload = () => resolve(PIXI.Texture.from(image));
      image.onerror = () => resolve(PIXI.Texture.WHITE);
      image.src = url;
    }));
  }
  return textures.get(url);
}
