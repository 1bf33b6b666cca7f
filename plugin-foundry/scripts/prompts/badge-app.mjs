/**
 * A badge at the edge of the screen: how many questions wait for the user, and
 * whether the table waits for somebody else.
 * @import * as Api from "../../types/api.js"
 */
import { MODULE } from "../constants.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class BadgeApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #open;
  #count = 0;
  #others = 0;

  /** @param {() => void} open  What a click does. */
  constructor(open) {
    super();
    this.#open = open;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    id: "hantei-badge",
    classes: ["hantei", "hantei-badge"],
    window: { frame: false, positioned: false },
    actions: { open: BadgeApp.#onOpen },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/badge.hbs` } };

  /**
   * Says how many questions there are; without any, and with nobody else waited
   * for, the badge is gone.
   * @param {number} count
   * @param {Api.WaitingViewJson[]} waitingOn
   */
  tell(count, waitingOn) {
    const others = count ? 0 : waitingOn.filter(waiting => waiting.blocking).length;
    if (count === this.#count && others === this.#others && Boolean(this.element) === Boolean(count + others)) return;
    this.#count = count;
    this.#others = others;
    if (count + others) void this.render({ force: true });
    else void this.close({ animate: false });
  }

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const text = this.#count
      ? game.i18n.format(this.#count === 1 ? "HANTEI.Prompt.Badge.One" : "HANTEI.Prompt.Badge.Many", { count: String(this.#count) })
      : game.i18n.localize("HANTEI.Prompt.Badge.Others");
    return { text, mine: this.#count > 0 };
  }

  /** @this {BadgeApp} */
  static #onOpen() {
    this.#open();
  }
}
