/**
 * The window in which a seat answers all that one question asks of its characters.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Chosen, PromptWindow} from "./windows.mjs"
 *
 * @typedef {object} Question
 * @property {Session} session
 * @property {PromptWindow} window
 * @property {Api.SeatJson} [insteadOf]  The seat whose question it is, where the GM answers for an absent player.
 */
import { HanteiError } from "../api/client.mjs";
import { MODULE } from "../constants.mjs";
import { complain, wordsOfError } from "../i18n.mjs";
import { around, entriesIn, fieldIn, FIELDS_TEMPLATE, filledIn, lockIn, sayIn, writes } from "../inputs/form.mjs";
import { pick } from "../inputs/pick.mjs";
import { showOdds } from "../odds/odds-app.mjs";
import { givenDice } from "./given-dice.mjs";
import { alwaysChoose, setPolicies, withPolicy } from "./policies.mjs";
import { questionContext } from "./prompt-context.mjs";
import { answersOf, remaining, thrownOf } from "./windows.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** Seconds left at which a screen reader is told. */
const ANNOUNCED = [60, 30, 10, 5];

export class PromptApp extends HandlebarsApplicationMixin(ApplicationV2) {
  /** @type {Question} */
  #question;
  /** What was chosen so far, where several characters are asked. @type {Map<string, Chosen>} */
  #chosen = new Map();
  #sending = false;
  #error = "";
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /** @param {Question} question */
  constructor(question) {
    super({ id: `hantei-prompt-${question.window.id}` });
    this.#question = question;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    classes: ["hantei", "hantei-prompt"],
    window: { icon: "fa-solid fa-circle-question" },
    position: { width: 420, height: /** @type {const} */ ("auto") },
    actions: { choose: PromptApp.#choose, send: PromptApp.#send, throw: PromptApp.#throw, odds: PromptApp.#odds, pick: PromptApp.#pick },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/prompt.hbs`, templates: [FIELDS_TEMPLATE] } };

  /** @override */
  get title() {
    return game.i18n.format("HANTEI.Prompt.Title", { who: this.#names() });
  }

  get question() {
    return this.#question;
  }

  /** Shows the question as it is now, if anything of it has changed. @param {PromptWindow} window */
  update(window) {
    if (JSON.stringify(window) === JSON.stringify(this.#question.window)) return;
    this.#question = { ...this.#question, window };
    void this.render({ window: { title: this.title } });
  }

  #names() {
    const { session, window } = this.#question;
    const names = window.prompts.map(({ character }) => (character ? session.nameOf(character) : ""));
    return names.filter(Boolean).join(game.i18n.localize("HANTEI.Prompt.And")) || game.i18n.localize("HANTEI.Prompt.GM");
  }

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    return { ...questionContext(this.#question, around(this.#question.session), this.#chosen), error: this.#error };
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.element.addEventListener("keydown", event => this.#key(event));
    this.#clock = setInterval(() => this.#tick(), 1000);
    // Whoever is writing goes on writing: a question must not be answered by the way.
    if (!writes(this.element.ownerDocument.activeElement)) this.focus();
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onRender(context, options) {
    await super._onRender(context, options);
    this.#tick();
    lockIn(this.element, this.#sending);
  }

  /** @param {any} options @override */
  _onClose(options) {
    super._onClose(options);
    clearInterval(this.#clock);
  }

  /** Goes to the question; not to a button, which a stray key would press. */
  focus() {
    this.bringToFront();
    /** @type {HTMLElement | null} */ (this.element.querySelector("legend"))?.focus();
  }

  #tick() {
    const { expires } = this.#question.window;
    const timer = this.element.querySelector("[data-timer]");
    if (!timer || expires === null) return;
    const now = Date.now();
    timer.textContent = remaining(expires, now);
    const seconds = Math.ceil((expires - now) / 1000);
    const announce = this.element.querySelector("[data-announce]");
    if (announce && ANNOUNCED.includes(seconds)) announce.textContent = game.i18n.format("HANTEI.Prompt.Seconds", { seconds: String(seconds) });
    timer.parentElement?.classList.toggle("hantei-urgent", seconds <= 10);
  }

  /** A number takes the choice of that number. @param {KeyboardEvent} event */
  #key(event) {
    if (writes(event.target) || event.ctrlKey || event.altKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
    const slot = /** @type {Element} */ (event.target).closest("[data-prompt]") ?? this.element.querySelector("[data-prompt]");
    const button = /** @type {HTMLButtonElement | null | undefined} */ (slot?.querySelector(`button[aria-keyshortcuts="${event.key}"]`));
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
  }

  /** @param {string} error */
  #say(error) {
    this.#error = error;
    sayIn(this.element, error);
  }

  /** @param {string} id */
  #prompt(id) {
    return this.#question.window.prompts.find(prompt => prompt.id === id);
  }

  /**
   * The choice with what its fields say; null, and it is told, if one is missing.
   * @param {Api.PromptViewJson} prompt
   * @param {string} id
   * @returns {Chosen | null}
   */
  #filled(prompt, id) {
    const inputs = prompt.choices?.find(choice => choice.id === id)?.inputs ?? [];
    const { values, error } = filledIn(this.element, inputs, `${prompt.id}.${id}.`);
    if (error) this.#say(error);
    return error ? null : { choice: id, values };
  }

  /** @this {PromptApp} @param {Event} event @param {HTMLElement} target */
  static async #choose(event, target) {
    const prompt = this.#prompt(target.dataset.prompt ?? "");
    const id = target.dataset.choice ?? "";
    if (!prompt) return;
    this.#say("");
    if (this.#question.window.prompts.length > 1) {
      const off = this.#chosen.get(prompt.id ?? "")?.choice === id;
      if (off) this.#chosen.delete(prompt.id ?? "");
      else this.#chosen.set(prompt.id ?? "", { choice: id });
      for (const button of this.element.querySelectorAll(`button[data-action="choose"][data-prompt="${prompt.id}"]`)) {
        button.setAttribute("aria-pressed", String(!off && button === target));
      }
      return;
    }
    const chosen = this.#filled(prompt, id);
    if (chosen) await this.#answer(new Map([[prompt.id ?? "", chosen]]));
  }

  /** @this {PromptApp} */
  static async #send() {
    const all = new Map();
    for (const [id, { choice }] of this.#chosen) {
      const prompt = this.#prompt(id);
      const chosen = prompt && this.#filled(prompt, choice);
      if (prompt && !chosen) return;
      if (chosen) all.set(id, chosen);
    }
    if (all.size) await this.#answer(all);
    else this.#say(game.i18n.localize("HANTEI.Prompt.ChooseFirst"));
  }

  /** @this {PromptApp} @param {Event} event @param {HTMLElement} target */
  static async #throw(event, target) {
    const prompt = this.#prompt(target.dataset.prompt ?? "");
    const field = prompt && /** @type {HTMLInputElement | null} */ (fieldIn(this.element, `${prompt.id}.dice`));
    if (!prompt || !field) return;
    const given = givenDice(prompt.dice ?? "", field.value);
    if (given) {
      await this.#transmit(thrownOf(prompt, given));
      return;
    }
    this.#say(game.i18n.format("HANTEI.Prompt.BadThrow", { dice: prompt.dice ?? "" }));
    field.focus();
  }

  /** Asks what would come of each answer. @this {PromptApp} @param {Event} event @param {HTMLElement} target */
  static async #odds(event, target) {
    const prompt = this.#prompt(target.dataset.prompt ?? "");
    if (!prompt || this.#sending) return;
    this.#say("");
    try {
      await showOdds(this.#question.session, prompt.text?.text ?? "", { promptId: prompt.id });
    } catch (error) {
      this.#say(wordsOfError(error));
    }
  }

  /** @this {PromptApp} @param {Event} event @param {HTMLElement} target */
  static #pick(event, target) {
    pick(this.element, target);
  }

  /** @param {Map<string, Chosen>} chosen */
  async #answer(chosen) {
    const answer = answersOf(this.#question.window.prompts, chosen);
    const policies = this.#policies(chosen);
    if (answer && (await this.#transmit(answer)) && policies.length) await this.#always(policies);
  }

  /**
   * What shall hold from now on, of what was chosen.
   * @param {Map<string, Chosen>} chosen
   */
  #policies(chosen) {
    const entries = new Map(entriesIn(this.element));
    return this.#question.window.prompts.flatMap(prompt => {
      const choice = chosen.get(prompt.id ?? "")?.choice;
      const until = /** @type {Api.PolicyEndJson} */ (entries.get(`${prompt.id}.until`));
      return choice && entries.has(`${prompt.id}.always`) ? [alwaysChoose(prompt, choice, until)] : [];
    });
  }

  /** @param {Api.PolicyJson[]} policies */
  async #always(policies) {
    const { session } = this.#question;
    const { id = "", policies: before = [] } = session.seat ?? {};
    try {
      await setPolicies(session, id, policies.reduce(withPolicy, before));
    } catch (error) {
      complain(error);
    }
  }

  /**
   * Sends once, however often a button is pressed. What the server refuses is
   * told in the window.
   * @param {{prompt: string, answers: Api.SlotAnswerJson[], more?: {givenDice: string[]}}} answer
   */
  async #transmit({ prompt, answers, more }) {
    if (this.#sending) return false;
    this.#sending = true;
    this.#say("");
    lockIn(this.element, true); // no other answer can be given
    try {
      await this.#question.session.answer(prompt, answers, more);
      // The others of the window are still asked.
      if (Math.max(answers.length, 1) < this.#question.window.prompts.length) this.#chosen.clear();
      else await this.close({ animate: false });
      return true;
    } catch (error) {
      const message = wordsOfError(error);
      this.#say(message);
      // The window of what is settled closes, and its words with it.
      if (error instanceof HanteiError && error.reason === "PROMPT_CLOSED") ui.notifications?.warn(message);
      // What is open now is not what is shown.
      if (error instanceof HanteiError && !error.transient) void this.#question.session.refresh().catch(() => {});
      return false;
    } finally {
      this.#sending = false;
      lockIn(this.element, false);
    }
  }
}
