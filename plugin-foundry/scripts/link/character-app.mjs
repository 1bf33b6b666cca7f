import { connection } from "../connection.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { carrierOf, link, linkOn } from "./carriers.mjs";
import { matchByName } from "./match.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** For the GM: for whom one token or actor stands, or who shall be made from it. */
export class CharacterLinkApp extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "hantei-link-{id}",
    classes: ["hantei", "hantei-link"],
    window: { title: "HANTEI.Link.one", icon: "fa-solid fa-link", contentClasses: ["standard-form"] },
    position: { width: 420 },
    actions: { link: CharacterLinkApp.#link, unlink: CharacterLinkApp.#unlink, create: CharacterLinkApp.#create },
  };

  static PARTS = { form: { template: "modules/hantei/templates/link-one.hbs" } };

  #document;
  #problem = "";
  #busy = false;

  /** @param {TokenDocument | Actor} document */
  constructor(document) {
    super({ uniqueId: carrierOf(document).uuid.replaceAll(".", "-") });
    this.#document = document;
  }

  /** @override */
  async _prepareContext(/** @type {any} */ options) {
    const { session } = connection;
    const current = linkOn(this.#document);
    const characters = session?.view?.characters ?? [];
    const samples = session?.ruleset?.samples ?? [];
    const { name } = this.#document;
    const guess = matchByName([{ id: "it", name }], characters.map(c => ({ id: c.id ?? "", name: c.name ?? "" }))).pairs.get("it");
    const actorName = (this.#document instanceof TokenDocument && this.#document.actor?.name) || name; // what it is, where the name hides it
    const sample = [name, actorName].map(n => matchByName([{ id: "it", name: n }], samples.map(s => ({ id: s.id ?? "", name: s.name ?? "" }))).pairs.get("it")).find(Boolean);
    return {
      ...await super._prepareContext(options),
      name,
      current: current && (session?.nameOf(current) ?? current),
      gone: current && session?.view && !session.character(current),
      connected: Boolean(session?.view),
      characters: characters.map(c => ({ id: c.id, name: c.name, selected: c.id === (current || guess) })),
      samples: samples.map(s => ({ id: s.id, name: s.name, selected: s.id === sample })),
      canCreate: session?.isGM && samples.length > 0,
      problem: this.#problem,
      busy: this.#busy,
      rootId: this.id,
    };
  }

  /** @param {string} name */
  #value(name) {
    const field = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (this.element.querySelector(`[name="${name}"]`));
    return field?.value ?? "";
  }

  /** @this {CharacterLinkApp} */
  static async #link() {
    const character = this.#value("character");
    if (!character) return;
    await link(this.#document, character);
    await this.close();
  }

  /** @this {CharacterLinkApp} */
  static async #unlink() {
    await link(this.#document, null);
    await this.close();
  }

  /** @this {CharacterLinkApp} */
  static async #create() {
    const { session } = connection;
    if (!session || this.#busy) return;
    const [sample, name] = [this.#value("sample"), this.#value("name").trim()];
    this.#busy = true;
    await this.render();
    try {
      const { characters } = await session.send("POST", `/v1/tables/${session.table}/characters`, { sample, name });
      await link(this.#document, characters[0].id);
      ui.notifications?.info(words("Link.created", { name: characters[0].name }));
      return void await this.close();
    } catch (error) {
      this.#problem = wordsOfError(error);
    }
    this.#busy = false;
    await this.render();
  }
}
