/**
 * The window that asks why something is taken back, and says what goes with it.
 * @import {Session} from "../api/session.mjs"
 * @import {cards} from "../present/chat.mjs"
 * @import {Kind} from "./undo.mjs"
 */
import { MODULE } from "../constants.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { entriesIn, lockIn, sayIn } from "../inputs/form.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** More cards than that are counted, not named. */
const NAMED = 5;

export class UndoApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #session;
  #kind;
  #card;
  #sending = false;

  /**
   * @param {Session} session
   * @param {string} step
   * @param {Kind} kind
   * @param {NonNullable<ReturnType<typeof cards.at>>} card
   */
  constructor(session, step, kind, card) {
    super({ id: `hantei-undo-${step}`, window: { title: `HANTEI.Undo.Title.${kind}` } });
    this.#session = session;
    this.#kind = kind;
    this.#card = card;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    classes: ["hantei", "hantei-undo"],
    window: { icon: "fa-solid fa-rotate-left" },
    position: { width: 420, height: /** @type {const} */ ("auto") },
    actions: { cancel: UndoApp.#cancel },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/undo.hbs` } };

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const { since } = this.#card;
    return {
      hint: words(`Undo.Hint.${this.#kind}`),
      cards: since.slice(0, since.length > NAMED + 1 ? NAMED : since.length),
      more: since.length > NAMED + 1 ? words("Undo.More", { count: String(since.length - NAMED) }) : "",
      send: words(`Undo.Do.${this.#kind}`),
    };
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    /** @type {HTMLElement | null} */ (this.element.querySelector("[name=reason]"))?.focus();
    this.element.querySelector("form")?.addEventListener("submit", event => {
      event.preventDefault();
      void this.#undo();
    });
  }

  /** @this {UndoApp} */
  static async #cancel() {
    await this.close({ animate: false });
  }

  /** What the server refuses is told in the window, and what was typed stays. */
  async #undo() {
    if (this.#sending) return;
    this.#sending = true;
    sayIn(this.element, "");
    lockIn(this.element, true);
    const reason = new Map(entriesIn(this.element)).get("reason")?.trim() ?? "";
    try {
      await this.#session.send("POST", `/v1/tables/${this.#session.table}:undo`, { eventId: this.#card.events[0].eventId, reason });
      await this.close({ animate: false });
    } catch (error) {
      sayIn(this.element, wordsOfError(error));
    } finally {
      this.#sending = false;
      lockIn(this.element, false);
    }
  }
}
