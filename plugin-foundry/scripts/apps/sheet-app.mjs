/**
 * A character's sheet, to look at and, for who may, to change.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 */
import { HanteiError } from "../api/client.mjs";
import { acting } from "../actions/actions.mjs";
import { shortcutOf } from "../actions/offers.mjs";
import { MODULE } from "../constants.mjs";
import { openOverride } from "../corrections/corrections.mjs";
import { wordsOfError } from "../i18n.mjs";
import { entriesIn } from "../inputs/form.mjs";
import { changesOf, gearOf, sheetOf } from "./sheet.mjs";
import { sheetWords } from "./sheet-words.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** The icons of the contract's closed set of words. @type {Record<string, string>} */
const ICONS = {
  down: "fa-person-falling", skull: "fa-skull", shield: "fa-shield-halved", lock: "fa-lock",
  sleep: "fa-moon", weapon: "fa-hand-fist", star: "fa-star", mind: "fa-brain",
};

/** Room for more of a profile, while it is changed. */
const BLANK = Array.from({ length: 3 }, () => ({ label: "", text: "" }));

export class SheetApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #session;
  #id;
  /** The sheet that is being changed, as it was read; null while it is looked at. @type {Api.CharacterViewJson | null} */
  #base = null;
  /** What the form says, across being drawn anew. @type {[string, string][] | null} */
  #draft = null;
  #error = "";
  #sending = false;

  /**
   * @param {Session} session
   * @param {string} id
   */
  constructor(session, id) {
    super({ id: `hantei-sheet-${id}` });
    this.#session = session;
    this.#id = id;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    classes: ["hantei", "hantei-sheet"],
    window: { icon: "fa-solid fa-id-card", resizable: true },
    position: { width: 560, height: 680 },
    actions: { roll: SheetApp.#roll, act: SheetApp.#act, edit: SheetApp.#edit, cancel: SheetApp.#cancel, review: SheetApp.#review, correct: SheetApp.#correct },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/sheet.hbs`, scrollable: [".hantei-sheet-scroll"] } };

  /** @override */
  get title() {
    return this.#session.nameOf(this.#id);
  }

  /** The table has changed. What is being typed stays. */
  update() {
    if (this.#base) return;
    if (this.#session.character(this.#id)) void this.render({ window: { title: this.title } });
    else void this.close({ animate: false });
  }

  /** A hint only: the server decides. */
  get #mayEdit() {
    const character = this.#session.character(this.#id);
    return this.#session.isGM || (character?.yours === true && character.kind === "CHARACTER_KIND_PC");
  }

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const { ruleset, view } = this.#session;
    const character = this.#base ?? this.#session.character(this.#id) ?? {};
    const sheet = sheetOf(character, ruleset, sheetWords());
    const offers = (view?.offers ?? []).filter(offer => offer.actor === this.#id);
    const rolls = new Map(offers.filter(offer => offer.stat && offer.possible && !offer.form).map(offer => [offer.stat ?? "", offer.id]));
    const carried = gearOf(character, ruleset);
    return {
      ...sheet,
      name: character.name,
      editing: this.#base !== null,
      mayEdit: this.#mayEdit,
      mayAct: offers.length > 0,
      mayCorrect: this.#session.isGM,
      // Until the GM has seen a sheet it may not be played.
      review: ["REVIEW_DRAFT", "REVIEW_SUBMITTED", "REVIEW_REJECTED"].includes(character.review ?? "")
        ? game.i18n.localize(`HANTEI.Sheet.Review.${character.review}`) : "",
      mayReview: this.#session.isGM && character.review === "REVIEW_SUBMITTED",
      statuses: sheet.statuses.map(status => ({ ...status, icon: ICONS[status.icon] ?? "fa-circle-dot" })),
      groups: sheet.groups.map(group => ({
        ...group,
        stats: group.stats.map(stat => ({ ...stat, offer: rolls.get(stat.key), changed: stat.base !== undefined && stat.base !== stat.value })),
      })),
      profile: this.#base ? [...sheet.profile, ...BLANK] : sheet.profile,
      gear: (ruleset?.gear ?? []).map(({ id = "", name }) => ({ id, name, carried: carried.includes(id) })),
      error: this.#error,
    };
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onRender(context, options) {
    await super._onRender(context, options);
    if (this.#base) this.#fill();
    this.element.querySelector("form")?.addEventListener("submit", event => {
      event.preventDefault();
      void this.#send();
    });
  }

  /** Puts the draft into the form. */
  #fill() {
    if (!this.#draft) return;
    const gear = new Set(this.#draft.filter(([name]) => name === "gear").map(([, id]) => id));
    const values = new Map(this.#draft);
    const typed = (/** @type {string} */ of) => (this.#draft ?? []).filter(([name]) => name === of).map(([, value]) => value);
    /** @type {Record<string, string[]>} */
    const lines = { label: typed("label"), text: typed("text") };
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (this.element.querySelectorAll(":is(input, textarea)[name]"))) {
      if (field.type === "checkbox") field.checked = gear.has(field.value);
      else if (lines[field.name]) field.value = lines[field.name].shift() ?? "";
      else if (values.has(field.name)) field.value = values.get(field.name) ?? "";
    }
  }

  /** @this {SheetApp} @param {Event} event @param {HTMLElement} target */
  static async #roll(event, target) {
    const offer = this.#session.view?.offers?.find(o => o.id === target.dataset.offer);
    if (offer) await acting.act(shortcutOf(offer));
  }

  /** @this {SheetApp} */
  static #act() {
    acting.open(this.#id);
  }

  /** @this {SheetApp} */
  static #correct() {
    openOverride(this.#id);
  }

  /** @this {SheetApp} */
  static async #edit() {
    await this.#read("");
    /** @type {HTMLElement | null} */ (this.element?.querySelector("[name=name]"))?.focus();
  }

  /** @this {SheetApp} */
  static async #cancel() {
    this.#base = this.#draft = null;
    this.#error = "";
    await this.render();
  }

  /** The GM approves or declines what stands there. @this {SheetApp} @param {Event} event @param {HTMLElement} target */
  static async #review(event, target) {
    const { etag } = this.#session.character(this.#id) ?? {};
    if (this.#sending) return;
    this.#sending = true;
    this.#error = "";
    try {
      await this.#session.send("PATCH", this.#path, { review: target.dataset.review, updateMask: "review", etag });
    } catch (error) {
      this.#error = wordsOfError(error);
    }
    await this.#session.refresh().catch(() => {}); // the stream tells it too
    this.#sending = false;
    await this.render();
  }

  /** Reads the sheet to change it from there. @param {string} error  What to say. */
  async #read(error) {
    this.#error = error;
    try {
      const { character } = await this.#session.client.call("GET", this.#path);
      this.#base = character;
    } catch (failure) {
      this.#error = wordsOfError(failure);
    }
    await this.render();
  }

  get #path() {
    return `/v1/tables/${this.#session.table}/characters/${this.#id}`;
  }

  async #send() {
    if (!this.#base || this.#sending) return;
    const base = this.#base;
    const entries = entriesIn(this.element);
    const changes = changesOf(base, this.#session.ruleset, entries);
    this.#sending = true;
    try {
      if (changes) {
        await this.#session.send("PATCH", this.#path, { ...changes, etag: base.etag });
        await this.#session.refresh().catch(() => {}); // the stream tells it too
      }
      this.#base = this.#draft = null;
      this.#error = "";
      await this.render({ window: { title: this.title } });
    } catch (error) {
      await this.#refused(error, base, entries);
    } finally {
      this.#sending = false;
    }
  }

  /**
   * Somebody else has changed the sheet: it is read anew, and what was typed stands
   * over what is there now, to be looked at once more.
   * @param {unknown} error
   * @param {Api.CharacterViewJson} base
   * @param {[string, string][]} entries
   */
  async #refused(error, base, entries) {
    if (!(error instanceof HanteiError) || error.reason !== "ETAG_MISMATCH") {
      this.#draft = entries;
      this.#error = wordsOfError(error);
      await this.render();
      return;
    }
    this.#draft = changedEntries(base, this.#session.ruleset, entries);
    await this.#read(game.i18n.localize("HANTEI.Sheet.Changed"));
  }
}

/**
 * Of a form only what differs from the sheet that it was made from: the rest shall
 * show what the sheet says now.
 * @param {Api.CharacterViewJson} base
 * @param {Api.RulesetJson | null} ruleset
 * @param {[string, string][]} entries
 */
function changedEntries(base, ruleset, entries) {
  return entries.filter(([name, value]) => {
    if (["gear", "gears", "label", "text"].includes(name)) return true; // they are one, together
    return changesOf(base, ruleset, [[name, value]]) !== null;
  });
}
