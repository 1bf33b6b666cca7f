/**
 * @import {Finding} from "../api/diagnose.mjs"
 * @import {Server} from "../settings.mjs"
 */
import { findingOf } from "../api/diagnose.mjs";
import { connection } from "../connection.mjs";
import { wordsOfError, wordsOfFinding, words } from "../i18n.mjs";
import { getCredential, getServer, PLACES } from "../settings.mjs";
import { openSheet } from "./sheets.mjs";

const { ApplicationV2, HandlebarsApplicationMixin, DialogV2 } = foundry.applications.api;

/** What stands for a status: an icon, besides its words. */
export const STATUS_ICONS = {
  unset: "fa-solid fa-plug", unpaired: "fa-solid fa-plug", off: "fa-solid fa-plug-circle-xmark", connecting: "fa-solid fa-circle-notch",
  live: "fa-solid fa-plug-circle-check", away: "fa-solid fa-plug-circle-exclamation", refused: "fa-solid fa-plug-circle-xmark",
};

/** What a sheet may still be, before it can be played. */
const REVIEWS = new Set(["REVIEW_DRAFT", "REVIEW_SUBMITTED", "REVIEW_REJECTED"]);

/**
 * The window to connect by: the GM names the server, everybody takes a seat with a
 * code, and it says how it stands, what is wrong, and what to do.
 */
export class ConnectionApp extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "hantei-connection",
    tag: "form",
    classes: ["hantei", "hantei-connection"],
    window: { title: "HANTEI.Connection.title", icon: "fa-solid fa-plug", contentClasses: ["standard-form"] },
    position: { width: 480 },
    form: { handler: ConnectionApp.#connect, closeOnSubmit: false },
    actions: { test: ConnectionApp.#test, leave: ConnectionApp.#leave, sheet: ConnectionApp.#sheet, draft: ConnectionApp.#draft },
  };

  static PARTS = {
    status: { template: "modules/hantei/templates/connection-status.hbs" },
    form: { template: "modules/hantei/templates/connection-form.hbs" },
    footer: { template: "modules/hantei/templates/connection-footer.hbs" },
  };

  /** The one window. @type {ConnectionApp | null} */
  static #open = null;

  /** Shows the window, and if something is wrong finds out what. */
  static async show() {
    const app = ConnectionApp.#open ?? new ConnectionApp();
    await app.render({ force: true });
    app.bringToFront();
  }

  /** @type {Finding | null} */
  #finding = null;
  /** What it is doing: "connecting", "testing", or "". */
  #busy = "";
  /** What was typed and not yet sent. @type {Server | null} */
  #typed = null;
  #unlisten = () => {};

  /** @override */
  async _onFirstRender(/** @type {any} */ context, /** @type {any} */ options) {
    await super._onFirstRender(context, options);
    if (ConnectionApp.#open) ConnectionApp.#open.#unlisten(); // the settings menu makes another one, which takes its place
    ConnectionApp.#open = this;
    this.#unlisten = connection.onStatus(status => this.#statusChanged(status));
    if (["away", "refused"].includes(connection.status)) void this.#look();
  }

  /** @override */
  _onClose(/** @type {any} */ options) {
    super._onClose(options);
    this.#unlisten();
    if (ConnectionApp.#open === this) ConnectionApp.#open = null;
  }

  /** @param {string} status */
  #statusChanged(status) {
    if (["connecting", "live"].includes(status)) this.#finding = null;
    void this.render({ parts: ["status", "footer"] });
    if (["away", "refused"].includes(status) && !this.#busy) void this.#look();
  }

  /** Finds out why there is no connection. */
  async #look() {
    const { session } = connection;
    if (session?.state === "refused" && session.error) {
      this.#finding = findingOf(session.error);
      await this.render({ parts: ["status"] });
    } else {
      await this.#during("testing", () => connection.diagnose());
    }
  }

  /**
   * Does something that takes a while, and shows what it has found.
   * @param {"connecting" | "testing"} what
   * @param {() => Promise<Finding | null>} work
   */
  async #during(what, work) {
    if (this.#busy) return;
    this.#busy = what;
    this.#finding = null;
    await this.render({ parts: ["status", "footer"] });
    try {
      this.#finding = await work();
    } catch (error) {
      this.#finding = findingOf(error);
    }
    this.#busy = "";
    const parts = this.#finding?.key === "PLAIN_HTTP" ? ["status", "form", "footer"] : ["status", "footer"];
    await this.render({ parts });
  }

  /** @override */
  async _prepareContext(/** @type {any} */ options) {
    const server = this.#typed ?? getServer();
    const { status, session } = connection;
    const seat = session?.seat;
    return {
      ...await super._prepareContext(options),
      isGM: game.user.isGM,
      server,
      places: PLACES.map(value => ({ value, label: words(`Connection.Place.${value}`), selected: value === server.place })),
      askPlain: server.plain || this.#finding?.key === "PLAIN_HTTP",
      codeHint: words(game.user.isGM ? "Connection.codeHintGM" : "Connection.codeHint"),
      status,
      icon: STATUS_ICONS[status],
      statusLabel: words(`Connection.Status.${status}`),
      statusHint: words(`Connection.StatusHint.${status}`),
      seated: seat && {
        table: connection.tableName,
        seat: seat.name,
        role: words(`Connection.Role.${seat.role}`),
        characters: (seat.characters ?? []).map(id => {
          const { name, review = "" } = session?.character(id) ?? {};
          return { id, name: name || id, review: REVIEWS.has(review) && words(`Connection.Review.${review}`) };
        }),
        mayDraft: seat.role === "SEAT_ROLE_PLAYER" && session?.ruleset?.drafts,
        // A player who has got the GM's code sees what the players must not.
        isOddGM: seat.role === "SEAT_ROLE_GM" && !game.user.isGM,
      },
      finding: this.#finding && wordsOfFinding(this.#finding),
      busy: this.#busy && words(`Connection.${this.#busy}`),
      canTest: Boolean(server.url) || game.user.isGM,
      canLeave: Boolean(getCredential()),
    };
  }

  /** What the form says. @returns {{server: Server, code: string}} */
  #read() {
    const data = new foundry.applications.ux.FormDataExtended(/** @type {HTMLFormElement} */ (this.form)).object;
    const kept = getServer();
    const server = !game.user.isGM ? kept : {
      url: String(data.url ?? "").trim(),
      place: /** @type {Server["place"]} */ (data.place ?? kept.place),
      plain: Boolean(data.plain ?? kept.plain),
    };
    this.#typed = game.user.isGM ? server : null;
    return { server, code: String(data.code ?? "").trim() };
  }

  /** @this {ConnectionApp} */
  static async #connect() {
    const { server, code } = this.#read();
    await this.#during("connecting", () => connection.pair(server, code));
    if (this.#finding) return;
    this.#typed = null;
    await this.render({ parts: ["status", "form", "footer"] }); // the code is used up
  }

  /** @this {ConnectionApp} */
  static async #test() {
    const { server } = this.#read();
    await this.#during("testing", () => connection.diagnose(server));
  }

  /** @this {ConnectionApp} */
  static async #leave() {
    const sure = await DialogV2.confirm({
      window: { title: "HANTEI.Connection.leave" },
      content: foundry.utils.escapeHTML(words("Connection.leaveSure")),
    });
    if (!sure) return;
    this.#finding = null;
    await connection.leave();
  }

  /** @this {ConnectionApp} @param {Event} event @param {HTMLElement} target */
  static #sheet(event, target) {
    openSheet(target.dataset.character ?? "");
  }

  /** Begins a character that is made by the actions of the ruleset. @this {ConnectionApp} */
  static async #draft() {
    const { session } = connection;
    const label = foundry.utils.escapeHTML(words("Connection.draftName"));
    const answer = await DialogV2.input({
      window: { title: "HANTEI.Connection.draft" },
      content: `<label>${label} <input type="text" name="name" maxlength="80" required autofocus></label>`,
      ok: { label: "HANTEI.Connection.draftOk" },
    });
    const name = String(answer?.name ?? "").trim();
    if (!session || !name) return;
    try {
      const { characters } = await session.send("POST", `/v1/tables/${session.table}/characters`, { name, draft: {} });
      await session.refresh();
      openSheet(characters[0].id);
    } catch (error) {
      ui.notifications?.error(wordsOfError(error));
    }
    await this.render({ parts: ["status"] });
  }
}
