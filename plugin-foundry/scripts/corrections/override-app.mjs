/**
 * The window in which the GM corrects a sheet, at any time: also while the table
 * waits for somebody.
 * @import {Session} from "../api/session.mjs"
 * @import {Kind} from "./override.mjs"
 */
import { MODULE } from "../constants.mjs";
import { sheetWords } from "../apps/sheet-words.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { entriesIn, FIELDS_TEMPLATE, filledIn, lockIn, sayIn } from "../inputs/form.mjs";
import { fieldsOf } from "../inputs/fields.mjs";
import { pick } from "../inputs/pick.mjs";
import { operationOf, overrideForm } from "./override.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class OverrideApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #session;
  #character;
  /** @type {{kind: Kind, key: string}} */
  #chosen = { kind: "resource", key: "" };
  #reason = "";
  #sending = false;

  /**
   * @param {Session} session
   * @param {string} character
   */
  constructor(session, character) {
    super();
    this.#session = session;
    this.#character = character;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    id: "hantei-override",
    classes: ["hantei", "hantei-override"],
    window: { title: "HANTEI.Override.Title", icon: "fa-solid fa-user-pen" },
    position: { width: 420, height: /** @type {const} */ ("auto") },
    actions: { cancel: OverrideApp.#cancel, pick: OverrideApp.#pick },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/override.hbs`, templates: [FIELDS_TEMPLATE] } };

  /** The sheet as it is now; without anything if it is gone. */
  get #sheet() {
    return this.#session.character(this.#character) ?? {};
  }

  get #form() {
    const labels = {
      which: words("Override.Which"), value: words("Override.Value"), max: words("Override.Max"),
      ends: words("Override.Ends"), square: words("Override.Square"), has: words("Override.Has"),
    };
    return overrideForm(this.#sheet, this.#session.ruleset, this.#chosen, { ...sheetWords(), ...labels });
  }

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const { kinds, kind, key, inputs, values } = this.#form;
    this.#chosen = { kind, key };
    return {
      characters: (this.#session.view?.characters ?? []).map(({ id, name }) => ({ value: id, text: name || id, selected: id === this.#character })),
      kinds: kinds.map(value => ({ value, text: words(`Override.Kind.${value}`), selected: value === kind })),
      fields: fieldsOf(inputs, { values }, "now."),
      reason: this.#reason,
    };
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onRender(context, options) {
    await super._onRender(context, options);
    lockIn(this.element, this.#sending);
    for (const name of ["character", "kind", "now.key"]) {
      this.element.querySelector(`[name="${name}"]`)?.addEventListener("change", event => this.#turnTo(name, /** @type {HTMLSelectElement} */ (event.target).value));
    }
    this.element.querySelector("form")?.addEventListener("submit", event => {
      event.preventDefault();
      void this.#override();
    });
  }

  /**
   * Shows the form for what was chosen, and stays at that field.
   * @param {string} name
   * @param {string} value
   */
  async #turnTo(name, value) {
    this.#reason = new Map(entriesIn(this.element)).get("reason") ?? "";
    if (name === "character") this.#character = value;
    else if (name === "kind") this.#chosen = { kind: /** @type {Kind} */ (value), key: "" };
    else this.#chosen = { ...this.#chosen, key: value };
    await this.render();
    /** @type {HTMLElement | null} */ (this.element.querySelector(`[name="${name}"]`))?.focus();
  }

  /** @this {OverrideApp} */
  static async #cancel() {
    await this.close({ animate: false });
  }

  /** @this {OverrideApp} @param {Event} event @param {HTMLElement} target */
  static #pick(event, target) {
    pick(this.element, target);
  }

  /** What is missing or refused is told in the window, and what was typed stays. */
  async #override() {
    if (this.#sending) return;
    const { kind, inputs } = this.#form;
    const { values, error } = filledIn(this.element, inputs, "now.");
    const operation = operationOf(this.#sheet, kind, values);
    if (error || !operation) return sayIn(this.element, error || words(`Override.Wrong.${kind === "position" ? "square" : "number"}`));
    this.#sending = true;
    sayIn(this.element, "");
    lockIn(this.element, true);
    const reason = new Map(entriesIn(this.element)).get("reason")?.trim() ?? "";
    try {
      await this.#session.send("POST", `/v1/tables/${this.#session.table}:override`, { character: this.#character, operation, reason });
      await this.close({ animate: false });
    } catch (failure) {
      sayIn(this.element, wordsOfError(failure));
    } finally {
      this.#sending = false;
      lockIn(this.element, false);
    }
  }
}
