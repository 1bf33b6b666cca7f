/**
 * A badge at the edge of the screen: how many questions and sheets wait for the
 * user, and whether the table waits for somebody else.
 * @import * as Api from "../../types/api.js"
 */
import { MODULE } from "../constants.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class BadgeApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #open;
  #count = 0;
  #sheets = 0;
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
   * Says how many questions there are, and sheets to approve; without any, and with
   * nobody else waited for, the badge is gone.
   * @param {number} count
   * @param {number} sheets
   * @param {Api.WaitingViewJson[]} waitingOn
   */
  tell(count, sheets, waitingOn) {
    const others = count + sheets ? 0 : waitingOn.filter(waiting => waiting.blocking).length;
    const some = count + sheets + others > 0;
    if (count === this.#count && sheets === this.#sheets && others === this.#others && Boolean(this.element) === some) return;
    this.#count = count;
    this.#sheets = sheets;
    this.#others = others;
    if (some) void this.render({ force: true });
    else void this.close({ animate: false });
  }

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const say = (/** @type {number} */ count, /** @type {string} */ one, /** @type {string} */ many) =>
      (count ? [game.i18n.format(count === 1 ? one : many, { count: String(count) })] : []);
    const mine = [
      ...say(this.#count, "HANTEI.Prompt.Badge.One", "HANTEI.Prompt.Badge.Many"),
      ...say(this.#sheets, "HANTEI.Prompt.Badge.Sheet", "HANTEI.Prompt.Badge.Sheets"),
    ];
    return { text: mine.join(" · ") || game.i18n.localize("HANTEI.Prompt.Badge.Others"), mine: mine.length > 0 };
  }

  /** @this {BadgeApp} */
  static #onOpen() {
    this.#open();
  }
}
