/**
 * The window in which somebody declares what a character does.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 */
import { MODULE } from "../constants.mjs";
import { wordsOfError } from "../i18n.mjs";
import { entriesIn, FIELDS_TEMPLATE, filledIn, lockIn, sayIn, surroundings } from "../inputs/form.mjs";
import { pick } from "../inputs/pick.mjs";
import { showOdds } from "../odds/odds-app.mjs";
import { actionContext, actorName, actorsOf } from "./action-context.mjs";
import { inputsOf, requestOf } from "./forms.mjs";
import { shortcutOf } from "./offers.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class ActionApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #session;
  /** Who acts; empty for the table. */
  #actor;
  #search = "";
  /** The actors that the head shows. */
  #actors = "";
  /** The offer that is being filled in. */
  #open = "";
  /** What its form said before it was drawn anew, by the input's name. @type {Record<string, string[]> | undefined} */
  #values;
  /** Groups that were opened or closed by hand. @type {Map<string, boolean>} */
  #unfolded = new Map();
  #error = "";
  #sending = false;

  /**
   * @param {Session} session
   * @param {string} actor
   */
  constructor(session, actor) {
    super();
    this.#session = session;
    this.#actor = actor;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    id: "hantei-actions",
    classes: ["hantei", "hantei-actions"],
    window: { icon: "fa-solid fa-gavel", resizable: true },
    position: { width: 420, height: 620 },
    actions: { take: ActionApp.#take, send: ActionApp.#send, cancel: ActionApp.#cancel, pick: ActionApp.#pick, odds: ActionApp.#odds },
  };

  /** @override */
  static PARTS = {
    head: { template: `modules/${MODULE}/templates/actions-head.hbs` },
    list: { template: `modules/${MODULE}/templates/actions.hbs`, templates: [FIELDS_TEMPLATE], scrollable: [""] },
    foot: { template: `modules/${MODULE}/templates/actions-foot.hbs` },
  };

  /** @override */
  get title() {
    return game.i18n.format("HANTEI.Action.Title", { who: actorName(this.#session, this.#actor) });
  }

  /**
   * Shows another character's offers, or those that are searched for.
   * @param {string} actor
   * @param {string} [search]
   */
  async show(actor, search = "") {
    this.#actor = actor;
    this.#search = search;
    this.#open = this.#error = "";
    this.#values = undefined;
    await this.render({ force: true, window: { title: this.title } });
    /** @type {HTMLElement | null} */ (this.element?.querySelector("[name=search]"))?.focus();
  }

  /** Shows another character's offers, and leaves what is searched for. @param {string} actor */
  async #turnTo(actor) {
    this.#actor = actor;
    this.#open = this.#error = "";
    this.#values = undefined;
    await this.render({ parts: ["list", "foot"], window: { title: this.title } });
  }

  /** What is offered has changed. */
  update() {
    this.#values = this.#said();
    // Whoever searches just now is not disturbed without need.
    const news = JSON.stringify(actorsOf(this.#session, this.#actor)) !== this.#actors;
    void this.render({ parts: news ? ["head", "list"] : ["list"], window: { title: this.title } });
  }

  /** What the open form says, by the input's name. */
  #said() {
    const form = this.element?.querySelector(".hantei-form");
    /** @type {Record<string, string[]>} */
    const said = {};
    for (const [name, value] of form ? entriesIn(form) : []) (said[name.slice(this.#open.length + 1)] ??= []).push(value);
    return form ? said : undefined;
  }

  /** Opens the form of an offer, for a shortcut whose offer leaves something to fill in. @param {Api.OfferViewJson} offer */
  async fillIn(offer) {
    await this.show(offer.actor ?? "");
    this.#open = offer.id ?? "";
    await this.render({ parts: ["list"] });
    this.#focusForm();
  }

  get #offers() {
    return (this.#session.view?.offers ?? []).filter(offer => (offer.actor ?? "") === this.#actor);
  }

  /**
   * @param {any} options
   * @override
   * @returns {Promise<any>}
   */
  async _prepareContext(options) {
    const looking = {
      session: this.#session, actor: this.#actor, search: this.#search, open: this.#open,
      values: this.#values, unfolded: this.#unfolded,
    };
    const context = actionContext(looking);
    if (options.parts.includes("head")) this.#actors = JSON.stringify(context.actors);
    return { ...context, error: this.#error };
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onRender(context, options) {
    await super._onRender(context, options);
    lockIn(this.element, this.#sending);
    if (options.parts?.includes("list")) this.#listenToList();
    if (options.parts?.includes("head")) this.#listenToHead();
  }

  #listenToHead() {
    const search = /** @type {HTMLInputElement | null} */ (this.element.querySelector("[name=search]"));
    search?.addEventListener("input", () => {
      this.#search = search.value;
      this.#values = this.#said();
      void this.render({ parts: ["list"] });
    });
    search?.addEventListener("keydown", event => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      /** @type {HTMLElement | null} */ (this.element.querySelector(".hantei-offer button:not(:disabled)"))?.focus();
    });
    const actor = /** @type {HTMLSelectElement | null} */ (this.element.querySelector("[name=actor]"));
    actor?.addEventListener("change", () => void this.#turnTo(actor.value));
  }

  #listenToList() {
    for (const line of this.element.querySelectorAll(".hantei-offer[draggable]")) {
      line.addEventListener("dragstart", event => this.#drag(/** @type {DragEvent} */ (event)));
    }
    for (const summary of this.element.querySelectorAll(".hantei-group > summary")) {
      const group = /** @type {HTMLDetailsElement} */ (summary.parentElement);
      summary.addEventListener("click", () => this.#unfolded.set(group.dataset.group ?? "", !group.open));
    }
    this.element.querySelector(".hantei-form")?.addEventListener("keydown", event => {
      const { key, target } = /** @type {KeyboardEvent} */ (event);
      if (key !== "Enter" || /** @type {Element} */ (target).tagName !== "INPUT") return;
      event.preventDefault();
      void this.#declare();
    });
  }

  /** An offer on the hotbar becomes a macro. @param {DragEvent} event */
  #drag(event) {
    const id = /** @type {HTMLElement} */ (event.currentTarget).dataset.offer;
    const offer = this.#offers.find(o => o.id === id);
    if (!offer || !event.dataTransfer) return;
    event.dataTransfer.setData("text/plain", JSON.stringify({ type: "HanteiOffer", shortcut: shortcutOf(offer) }));
  }

  #focusForm() {
    const form = this.element?.querySelector(".hantei-form");
    /** @type {HTMLElement | null | undefined} */ (form?.querySelector("input, select, textarea, button"))?.focus();
    form?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} id */
  #focusOffer(id) {
    const button = this.element?.querySelector(`button[data-offer="${id}"]:not(:disabled)`) ?? this.element?.querySelector("[name=search]");
    /** @type {HTMLElement | null | undefined} */ (button)?.focus();
  }

  /** @param {string} error */
  #say(error) {
    this.#error = error;
    sayIn(this.element, error);
  }

  /** @this {ActionApp} @param {Event} event @param {HTMLElement} target */
  static async #take(event, target) {
    const offer = this.#offers.find(o => o.id === target.dataset.offer);
    if (!offer) return;
    this.#say("");
    this.#values = undefined;
    if (this.#open === offer.id) this.#open = "";
    else if (inputsOf(offer, surroundings(this.#session)).length) this.#open = offer.id ?? "";
    else return void (await this.#act(offer, []));
    await this.render({ parts: ["list"] });
    this.#focusForm();
  }

  /** @this {ActionApp} */
  static async #send() {
    await this.#declare();
  }

  /** @this {ActionApp} */
  static async #cancel() {
    const id = this.#open;
    this.#open = "";
    await this.render({ parts: ["list"] });
    this.#focusOffer(id);
  }

  /** @this {ActionApp} @param {Event} event @param {HTMLElement} target */
  static #pick(event, target) {
    pick(this.element, target);
  }

  /** Asks what would come of an offer, as it is filled in. @this {ActionApp} @param {Event} event @param {HTMLElement} target */
  static async #odds(event, target) {
    const offer = this.#offers.find(o => o.id === target.dataset.offer);
    const values = offer && this.#filled(offer);
    if (!offer || !values || this.#sending) return;
    this.#say("");
    this.#sending = true;
    lockIn(this.element, true);
    try {
      await showOdds(this.#session, offer.text ?? "", requestOf(offer, values, surroundings(this.#session)));
    } catch (error) {
      this.#say(wordsOfError(error));
    } finally {
      this.#sending = false;
      lockIn(this.element, false);
    }
  }

  async #declare() {
    const offer = this.#offers.find(o => o.id === this.#open);
    const values = offer && this.#filled(offer);
    if (offer && values) await this.#act(offer, values);
  }

  /** What the form of an offer says; null, and it is told, if something is missing. @param {Api.OfferViewJson} offer */
  #filled(offer) {
    const { values, error } = filledIn(this.element, inputsOf(offer, surroundings(this.#session)), `${offer.id}.`);
    if (error) this.#say(error);
    return error ? null : values;
  }

  /**
   * @param {Api.OfferViewJson} offer
   * @param {Api.ValueJson[]} values
   */
  async #act(offer, values) {
    if (this.#sending) return;
    this.#sending = true;
    lockIn(this.element, true);
    const entries = new Map(entriesIn(this.element));
    const audience = /** @type {any} */ (entries.get("audience"));
    const given = (entries.get("given") ?? "").normalize("NFKC").split(/[\s、]+/).filter(Boolean);
    try {
      await this.#session.act({
        ...requestOf(offer, values, surroundings(this.#session)),
        // Not everything can be kept from others.
        ...(offer.secret && audience && { audience }),
        ...(given.length && { givenDice: given }),
      });
      this.#open = "";
      this.#say("");
    } catch (error) {
      this.#say(wordsOfError(error));
    } finally {
      this.#sending = false;
      // After a refusal all stays as it was filled in: who may know of the roll, above all.
      if (this.#error) lockIn(this.element, false);
      else await this.render({ parts: ["list", "foot"] });
      this.#focusOffer(offer.id ?? "");
    }
  }
}
