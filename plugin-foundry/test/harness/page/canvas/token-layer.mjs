/** canvas.tokens, and what a mouse does there: select, target, open the HUD, drag. */
import { Hooks } from "../hooks.mjs";
import { Token } from "./token.mjs";

export class TokenLayer extends PIXI.Container {
  placeables = [];
  hover = null;
  #drag = null;

  get controlled() {
    return this.placeables.filter(t => t.controlled);
  }

  get controlledObjects() {
    return new Map(this.controlled.map(t => [t.id, t]));
  }

  get documentCollection() {
    return canvas.scene?.tokens ?? null;
  }

  get objects() {
    return this;
  }

  get ownedTokens() {
    return this.placeables.filter(t => t.isOwner);
  }

  get hud() {
    return canvas.hud.token;
  }

  get(id) {
    return this.placeables.find(t => t.id === id);
  }

  async _draw(scene) {
    for (const document of scene.tokens) await this._add(document);
    this.#listen(canvas.app.view);
  }

  async _add(document) {
    const token = new Token(document);
    document._object = token;
    this.placeables.push(token);
    this.addChild(token);
    await token.draw();
    return token;
  }

  _drop(token) {
    this.placeables = this.placeables.filter(t => t !== token);
    this.removeChild(token);
    canvas._frame();
  }

  releaseAll() {
    const all = this.controlled;
    for (const token of all) token.release();
    return all.length;
  }

  activate() {
    return this;
  }

  setTargets(ids, { mode = "replace" } = {}) {
    const wanted = ids instanceof Array ? ids : [...ids];
    if (mode === "replace") for (const token of [...game.user.targets]) if (!wanted.includes(token.id)) token.setTarget(false, { releaseOthers: false });
    for (const id of wanted) this.get(id)?.setTarget(true, { releaseOthers: false });
  }

  #at(event) {
    const { x, y } = canvas.canvasCoordinatesFromClient({ x: event.clientX, y: event.clientY });
    canvas.mousePosition = { x, y };
    return { x, y, token: this.placeables.findLast(t => t.isVisible && t.bounds.contains(x, y)) };
  }

  #listen(view) {
    view.onpointerdown = event => {
      const { x, y, token } = this.#at(event);
      if (event.button !== 0) return;
      if (!token) this.releaseAll();
      else if (token.control({ releaseOthers: !event.shiftKey })) this.#drag = { token, x: x - token.document._source.x, y: y - token.document._source.y };
    };
    view.onpointermove = event => {
      const { token } = this.#at(event);
      if (token === this.hover || (!token && !this.hover)) return;
      for (const [t, on] of [[this.hover, false], [token, true]]) {
        if (!t) continue;
        t.hover = on;
        t.refresh();
        Hooks.callAll("hoverToken", t, on);
      }
      this.hover = token ?? null;
    };
    view.onpointerup = event => {
      const drag = this.#drag;
      this.#drag = null;
      if (!drag) return;
      const { x, y } = this.#at(event);
      const to = canvas.grid.getSnappedPoint({ x: x - drag.x, y: y - drag.y });
      const { document } = drag.token;
      if (to.x === document._source.x && to.y === document._source.y) return;
      void document.move({ ...to, snapped: true, explicit: true }, { method: "dragging", showRuler: true }).catch(error => Hooks.onError("Token#drag", error));
    };
    view.ondblclick = event => {
      const { token } = this.#at(event);
      if (token?.actor) void token.actor.sheet.render({ force: true });
    };
    view.oncontextmenu = event => {
      event.preventDefault();
      const { token } = this.#at(event);
      if (!token?.isOwner) return void (canvas.hud.token.rendered && canvas.hud.token.clear());
      token.control();
      void canvas.hud.token.bind(token);
    };
  }
}
