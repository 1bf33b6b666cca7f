/**
 * @import * as Api from "../../types/api.js"
 */
import { connection } from "../connection.mjs";
import { MODULE } from "../constants.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { carriers, link, linkOn } from "./carriers.mjs";
import { matchByName } from "./match.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/**
 * For the GM: who stands for whom, in the whole world and on the scene, and who
 * plays whom. What is chosen counts only when it is saved.
 */
export class LinkApp extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "hantei-links",
    tag: "form",
    classes: ["hantei", "hantei-links"],
    window: { title: "HANTEI.Link.all", icon: "fa-solid fa-link", contentClasses: ["standard-form"], resizable: true },
    position: { width: 560, height: 640 },
    form: { handler: LinkApp.#save, closeOnSubmit: false },
    actions: { match: LinkApp.#match, code: LinkApp.#code, copy: LinkApp.#copy },
  };

  static PARTS = {
    links: { template: "modules/hantei/templates/links.hbs", scrollable: [".hantei-link-table"] },
    seats: { template: "modules/hantei/templates/link-seats.hbs" },
    footer: { template: "modules/hantei/templates/link-footer.hbs" },
  };

  /** What was chosen and not saved: from a document's uuid to a character. @type {Map<string, string>} */
  #chosen = new Map();
  /** Those that were chosen by their names, to look over. @type {Set<string>} */
  #guessed = new Set();
  #said = "";
  #problem = "";
  /** Codes that were made, by seat; each is shown until the window is closed. @type {Map<string, string>} */
  #codes = new Map();
  #endStatus = () => {};
  #endView = () => {};

  /** @override */
  async _onFirstRender(/** @type {any} */ context, /** @type {any} */ options) {
    await super._onFirstRender(context, options);
    this.#endStatus = connection.onStatus(() => {
      this.#follow();
      void this.render();
    });
    this.#follow();
  }

  /** Listens to the session that there is now: after a while it may be another. */
  #follow() {
    this.#endView();
    this.#endView = connection.session?.on("view", () => void this.render()) ?? (() => {});
  }

  /** @override */
  _attachPartListeners(/** @type {string} */ part, /** @type {HTMLElement} */ element, /** @type {any} */ options) {
    super._attachPartListeners(part, element, options);
    for (const select of element.querySelectorAll("select")) {
      select.addEventListener("change", () => {
        this.#chosen.set(select.name, select.value);
        this.#guessed.delete(select.name);
        void this.render({ parts: ["links"] });
      });
    }
  }

  /** @override */
  _onClose(/** @type {any} */ options) {
    super._onClose(options);
    this.#endStatus();
    this.#endView();
  }

  /** @override */
  async _prepareContext(/** @type {any} */ options) {
    const { session } = connection;
    const characters = session?.view?.characters ?? [];
    const documents = carriers();
    const rows = documents.map(document => {
      const chosen = this.#chosen.get(document.uuid) ?? linkOn(document);
      const isToken = document instanceof TokenDocument;
      return {
        uuid: document.uuid,
        name: document.name,
        kind: words(isToken ? "Link.token" : "Link.actor"),
        icon: isToken ? "fa-solid fa-circle-user" : "fa-solid fa-user",
        label: words("Link.rowLabel", { name: document.name }),
        changed: this.#chosen.has(document.uuid) && chosen !== linkOn(document),
        guessed: this.#guessed.has(document.uuid),
        gone: Boolean(chosen && session?.view && !session.character(chosen)),
        unmatched: !chosen,
        chosen,
        options: characters.map(c => ({ id: c.id, name: c.name, selected: c.id === chosen })),
      };
    });
    const linked = new Set(rows.map(r => r.chosen));
    return {
      ...await super._prepareContext(options),
      connected: Boolean(session?.view),
      problem: this.#problem,
      said: this.#said,
      rows,
      alone: characters.filter(c => !linked.has(c.id ?? "")).map(c => c.name),
      seats: (session?.view?.seats ?? []).map(seat => this.#seat(seat)),
      canInvite: Boolean(session?.isGM),
      changes: rows.filter(r => r.changed).length,
    };
  }

  /** @param {Api.SeatJson} seat */
  #seat(seat) {
    const { session } = connection;
    const users = game.users.filter(user => user.getFlag(MODULE, "seat") === seat.id);
    return {
      id: seat.id,
      name: seat.name,
      role: words(`Connection.Role.${seat.role}`),
      characters: (seat.characters ?? []).map(id => session?.nameOf(id) ?? id).join(words("Connection.comma")),
      users: users.map(user => user.name).join(words("Connection.comma")),
      code: this.#codes.get(seat.id ?? ""),
      codeLabel: words("Link.codeFor", { name: seat.name ?? "" }),
    };
  }

  /** Chooses by name for all that stand for nobody yet; the GM looks it over and saves it. @this {LinkApp} */
  static async #match() {
    const documents = carriers();
    const now = (/** @type {TokenDocument | Actor} */ d) => this.#chosen.get(d.uuid) ?? linkOn(d);
    const taken = new Set(documents.map(now));
    const found = matchByName(
      documents.filter(d => !now(d)).map(d => ({ id: d.uuid, name: d.name })),
      (connection.session?.view?.characters ?? []).filter(c => !taken.has(c.id ?? "")).map(c => ({ id: c.id ?? "", name: c.name ?? "" })),
    );
    for (const [uuid, character] of found.pairs) {
      this.#chosen.set(uuid, character);
      this.#guessed.add(uuid);
    }
    this.#said = words("Link.matched", { pairs: String(found.pairs.size), documents: String(found.documents.length) });
    await this.render();
  }

  /** @this {LinkApp} */
  static async #save() {
    let saved = 0;
    for (const document of carriers()) {
      const chosen = this.#chosen.get(document.uuid);
      if (chosen === undefined || chosen === linkOn(document)) continue;
      await link(document, chosen || null);
      saved++;
    }
    this.#chosen.clear();
    this.#guessed.clear();
    this.#said = words("Link.saved", { count: String(saved) });
    await this.render();
  }

  /** @this {LinkApp} */
  static async #code(/** @type {Event} */ _event, /** @type {HTMLElement} */ target) {
    const { session } = connection;
    const { seat = "" } = target.dataset;
    if (!session) return;
    this.#problem = "";
    try {
      const { pairingCode } = await session.client.call("POST", `/v1/tables/${session.table}/seats/${seat}/pairingCodes`, {});
      this.#codes.set(seat, pairingCode.code);
    } catch (error) {
      this.#problem = wordsOfError(error);
    }
    await this.render({ parts: ["links", "seats"] });
  }

  /** @this {LinkApp} */
  static async #copy(/** @type {Event} */ _event, /** @type {HTMLElement} */ target) {
    const code = this.#codes.get(target.dataset.seat ?? "");
    if (!code) return;
    await game.clipboard.copyPlainText(code);
    ui.notifications?.info(words("Link.copied"));
  }
}
