import { ApplicationV2 } from "../apps/application.mjs";
import { parse } from "../apps/markup.mjs";

/** The buttons around a token, of a right click. */
export class TokenHUD extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "token-hud", tag: "form", classes: ["placeable-hud"], window: { frame: false, positioned: false } };
  object = null;

  get document() {
    return this.object?.document;
  }

  get actor() {
    return this.document?.actor;
  }

  get layer() {
    return canvas.tokens;
  }

  get _parent() {
    return document.getElementById("hud");
  }

  async bind(token) {
    this.object = token;
    return this.render({ force: true });
  }

  async clear() {
    this.object = null;
    return this.close();
  }

  async _prepareContext() {
    return { ...this.document.toObject(), id: this.document.id, isGM: game.user.isGM, combatClass: "" };
  }

  async _renderHTML() {
    return parse('<div><div class="col left"></div><div class="col middle"></div><div class="col right"></div></div>');
  }

  _replaceHTML(result, content) {
    content.replaceChildren(...result.children);
  }
}
