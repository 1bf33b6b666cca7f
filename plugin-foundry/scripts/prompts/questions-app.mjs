/**
 * All that is asked: what waits for the user, what may be answered at leisure, the
 * sheets that wait for the GM, and whom the table waits for.
 * @import * as Api from "../../types/api.js"
 * @import {PromptWindow} from "./windows.mjs"
 */
import { openSheet } from "../apps/sheets.mjs";
import { MODULE } from "../constants.mjs";
import { questionWords } from "./policy-words.mjs";
import { othersOf } from "./windows.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class QuestionsApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #asking;

  /** @param {typeof import("./prompts.mjs").asking} asking */
  constructor(asking) {
    super();
    this.#asking = asking;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    id: "hantei-questions",
    classes: ["hantei", "hantei-questions"],
    window: { title: "HANTEI.Prompt.Questions", icon: "fa-solid fa-list-check" },
    position: { width: 400, height: /** @type {const} */ ("auto") },
    actions: { ask: QuestionsApp.#ask, instead: QuestionsApp.#instead, sheet: QuestionsApp.#sheet, policies: QuestionsApp.#policies },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/questions.hbs` } };

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const { session, windows } = this.#asking;
    const line = (/** @type {PromptWindow} */ window) => ({
      id: window.id,
      text: window.prompts.map(prompt => prompt.text?.text).filter(Boolean).join(" "),
    });
    const others = othersOf(session?.view?.waitingOn ?? [], session?.view?.seatId ?? "").map(waiting => {
      const seats = waiting.seats?.map(id => ({ id, name: session?.view?.seats?.find(seat => seat.id === id)?.name || id })) ?? [];
      return {
        character: waiting.character && session?.nameOf(waiting.character),
        question: session ? questionWords(session, waiting.name) : "",
        seats: seats.map(seat => seat.name).join(", "),
        seat: session?.isGM ? seats[0]?.id : undefined,
      };
    });
    return {
      urgent: windows.filter(window => !window.standing).map(line),
      standing: windows.filter(window => window.standing).map(line),
      sheets: this.#asking.sheets,
      others,
    };
  }

  /** @this {QuestionsApp} @param {Event} event @param {HTMLElement} target */
  static #ask(event, target) {
    const { session, windows } = this.#asking;
    const window = windows.find(w => w.id === target.dataset.window);
    if (session && window) this.#asking.ask({ session, window });
  }

  /** @this {QuestionsApp} @param {Event} event @param {HTMLElement} target */
  static async #instead(event, target) {
    await this.#asking.askInsteadOf(target.dataset.seat ?? "");
  }

  /** @this {QuestionsApp} @param {Event} event @param {HTMLElement} target */
  static #sheet(event, target) {
    openSheet(target.dataset.character ?? "");
  }

  /** @this {QuestionsApp} */
  static #policies() {
    this.#asking.openPolicies();
  }
}
