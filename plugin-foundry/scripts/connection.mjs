/**
 * @import {Part} from "./hantei.mjs"
 * @import {Finding} from "./api/diagnose.mjs"
 * @import {State} from "./api/session.mjs"
 * @import {Server} from "./settings.mjs"
 *
 * unset: no server was named; unpaired: nobody sits here yet; or as the session says.
 * @typedef {"unset" | "unpaired" | State} Status
 */
import { placeOf, parseAddress, refuseAddress, withoutSlash } from "./api/address.mjs";
import { Client, HanteiError } from "./api/client.mjs";
import { diagnose, findingOf } from "./api/diagnose.mjs";
import { Session } from "./api/session.mjs";
import { Signals } from "./api/signals.mjs";
import { MODULE } from "./constants.mjs";
import { actorsOf, characterOf, tokensOf } from "./link/registry.mjs";
import { getCredential, getCursor, getServer, getWorldTable, registerSettings, setCredential, setCursor, setServer, setWorldTable } from "./settings.mjs";

/** The client's connection to its table. Without it, Foundry is as it always is. */
class Connection {
  /** @type {Part[]} */
  #parts = [];
  /** What ends the parts that have begun. @type {(() => void)[]} */
  #ends = [];
  /** @type {Signals<{status: Status}>} */
  #signals = new Signals();
  /** The connection that there is, or null. @type {Session | null} */
  session = null;
  /** The server that it connects to. @type {Server | null} */
  #server = null;
  /** The name of the table, when it is known. */
  tableName = "";

  /** @param {Part[]} parts  That begin and end with it. */
  init(parts) {
    this.#parts = parts;
    registerSettings(() => this.#serverChanged());
    const connection = this;
    const module = /** @type {any} */ (game.modules.get(MODULE));
    module.api = {
      /** The connection that there is, or null. */
      get session() { return connection.session; },
      get status() { return connection.status; },
      /** @param {(status: Status) => unknown} listener */
      onStatus: listener => connection.onStatus(listener),
      characterOf, tokensOf, actorsOf,
    };
    // The page's own document and window, not an application's.
    window.addEventListener("online", () => this.session?.retry());
    window.document.addEventListener("visibilitychange", () => {
      if (!window.document.hidden) this.session?.retry();
    });
  }

  /** @returns {Status} */
  get status() {
    if (this.session) return this.session.state;
    return getServer().url ? "unpaired" : "unset";
  }

  /** Listens to how it stands; returns what ends it. @param {(status: Status) => unknown} listener */
  onStatus(listener) {
    return this.#signals.on("status", listener);
  }

  #tell() {
    void this.#signals.emit("status", this.status);
  }

  /** The GM has set a server: another one, or on this page, which connects by itself. */
  #serverChanged() {
    if (!same(this.#server, getServer())) void this.connect();
  }

  /** Connects as the settings say, anew if there is a connection. */
  async connect() {
    this.#stop();
    const server = getServer();
    this.#server = server;
    const credential = getCredential();
    const refused = server.url && refuseAddress(server.url, situation(server));
    if (!server.url || !credential || refused) return this.#tell();
    const { token, table } = credential;
    const session = new Session({
      client: client(server, token),
      table,
      cursor: getCursor(table),
      keep: cursor => void setCursor(table, cursor),
      begin: () => this.#begin(session),
    });
    this.session = session;
    session.on("state", () => this.#tell());
    await session.start().catch(() => {}); // the state says it
  }

  /** @param {Session} session */
  #begin(session) {
    if (this.session !== session) return;
    for (const part of this.#parts) {
      try {
        const end = part.start?.(session);
        if (end) this.#ends.push(end);
      } catch (error) {
        console.error("hantei |", error); // one part's mistake is not the others'
      }
    }
    void this.#introduce(session);
  }

  /** Tells the world who sits here, and asks the table's name. @param {Session} session */
  async #introduce(session) {
    const { table } = await session.client.call("GET", `/v1/tables/${session.table}`).catch(() => ({ table: null }));
    this.tableName = table?.name ?? "";
    if (this.session !== session) return;
    this.#tell();
    if (game.user.getFlag(MODULE, "seat") !== session.view?.seatId) await game.user.setFlag(MODULE, "seat", session.view?.seatId);
    if (session.isGM) await setWorldTable(session.table);
  }

  #stop() {
    for (const end of this.#ends.splice(0)) end();
    const { session } = this;
    this.session = null;
    this.tableName = "";
    session?.stop();
  }

  /** Tries again at once, anew if the server has refused. */
  retry() {
    if (this.session?.state === "refused") void this.connect();
    else this.session?.retry();
  }

  /** Leaves the table: this browser forgets its token. */
  async leave() {
    this.#stop();
    await setCredential(null);
    await game.user.unsetFlag(MODULE, "seat");
    this.#tell();
  }

  /**
   * Sets the server, for the GM, and takes a seat with a pairing code. Without a code
   * it connects with the seat that was taken before.
   * @param {Server} server
   * @param {string} code
   * @returns {Promise<Finding | null>}  What is wrong; null if it has connected.
   */
  async pair(server, code) {
    const refused = refuseAddress(server.url, situation(server));
    if (refused) return refused;
    const { url } = parseAddress(server.url);
    const named = { ...server, url: url ? withoutSlash(url) : "" };
    if (!code) {
      if (!getCredential()) return { key: "CODE_MISSING", ok: false, data: {} };
      await this.#name(named);
      void this.connect();
      return null;
    }
    let paired;
    try {
      const name = `Foundry: ${game.world.title}, ${game.user.name}`.slice(0, 80);
      paired = await client(named).call("POST", "/v1/pair", { code, name });
    } catch (error) {
      if (error instanceof HanteiError && error.reason === "NOT_FOUND") return { key: "CODE_WRONG", ok: false, data: {} };
      return error instanceof HanteiError && error.refused ? findingOf(error) : this.diagnose(server);
    }
    await this.#name(named);
    await setCredential({ token: paired.token, table: paired.tableId });
    void this.connect();
    return null;
  }

  /** Names the server to the world, if this is the GM; it is not connected to yet. @param {Server} server */
  async #name(server) {
    this.#server = server;
    if (game.user.isGM) await setServer(server);
  }

  /** Finds out how a server can be reached from here. @param {Server} [server] */
  async diagnose(server = getServer()) {
    const credential = getCredential();
    const found = await diagnose({
      ...server, ...situation(server), ...credential,
      online: navigator.onLine,
      permission: async name => (await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state,
      violations: window.document,
    });
    const world = getWorldTable();
    const elsewhere = found.ok && credential && world && credential.table !== world;
    return elsewhere ? { key: "TABLE_DIFFERS", ok: false, data: found.data } : found;
  }
}

/**
 * @param {Server | null} a
 * @param {Server} b
 */
function same(a, b) {
  return a?.url === b.url && a.place === b.place && a.plain === b.plain;
}

/** @param {Server} server */
function situation({ place, plain }) {
  return { origin: window.location.origin, place, plain, gm: game.user.isGM };
}

/**
 * @param {Server} server
 * @param {string} [token]
 */
function client({ url, place }, token) {
  const { hostname } = new URL(url);
  return new Client({ url, token, place: placeOf(hostname, place), language: game.i18n.lang });
}

export const connection = new Connection();
