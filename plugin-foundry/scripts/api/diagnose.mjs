/**
 * Why there is no connection, and so what to do about it. A browser tells a page
 * only that a call has failed; this finds out more by calling in other ways. It
 * knows no Foundry, and no words: a finding is a key of the lang files.
 *
 * @import {Place} from "./client.mjs"
 *
 * @typedef {object} Finding
 * @property {string} key                   What was found, for example "CORS".
 * @property {boolean} ok                   Whether all is well.
 * @property {Record<string, string>} data  What the words speak of.
 *
 * @typedef {object} Question
 * @property {string} url          The server's address, as it was typed.
 * @property {string} origin       The page's.
 * @property {Place} [place]       Where the server is said to be.
 * @property {boolean} [plain]     Whether plain http to far away is taken.
 * @property {boolean} [gm]
 * @property {string} [token]      With a table: whether it is good there.
 * @property {string} [table]
 * @property {typeof fetch} [fetch]
 * @property {boolean} [online]    What the browser says of the network.
 * @property {(name: string) => Promise<string>} [permission]
 *   The state of a permission; throws if the browser does not know it.
 * @property {EventTarget} [violations]  What hears of violations of the page's content policy.
 * @property {number} [patience]   How long to wait for each answer, in milliseconds.
 */
import { isLocal, isLoopback, parseAddress, placeOf, refuseAddress, withoutSlash } from "./address.mjs";
import { Client, HanteiError } from "./client.mjs";

/** The version of the API that the module speaks. */
const API = "v1";

/** How long to wait for an answer, in milliseconds. */
const PATIENCE = 8000;

/**
 * Finds out what is wrong.
 * @param {Question} question
 * @returns {Promise<Finding>}
 */
export async function diagnose(question) {
  const refused = refuseAddress(question.url, question);
  if (refused) return refused;
  const probe = new Probe(question);
  return await probe.network() ?? await probe.version() ?? await probe.admission() ?? await probe.seat() ?? probe.finding("OK");
}

/** Each question answers with a finding, or null if there is nothing wrong. */
class Probe {
  #question;
  /** @type {URL} */
  #url;
  #place;
  /** @type {Record<string, string>} */
  #data;

  /** @param {Question} question */
  constructor(question) {
    const { url } = parseAddress(question.url);
    if (!url) throw new Error("the address was not refused");
    this.#question = question;
    this.#url = url;
    this.#place = placeOf(url.hostname, question.place);
    this.#data = { url: withoutSlash(url), host: url.hostname, origin: question.origin };
  }

  /**
   * @param {string} key
   * @param {Record<string, string>} [more]
   * @returns {Finding}
   */
  finding(key, more = {}) {
    return { key, ok: key === "OK", data: { ...this.#data, ...more } };
  }

  /** Is there a way there at all? */
  async network() {
    if (this.#question.online === false && !isLoopback(this.#url.hostname)) return this.finding("OFFLINE");
    return await this.#permission() === "denied" ? this.finding("LOCAL_NETWORK_DENIED") : null;
  }

  /** Is it Hantei that answers, and one that we understand? */
  async version() {
    const began = Date.now();
    const { response, error } = await this.#try("/version");
    if (!response) return error === "timeout" ? this.#hanging() : this.#silence();
    const body = await json(response);
    if (body?.program === "hantei" && Array.isArray(body.apis)) {
      this.#data.version = String(body.version);
      this.#data.ms = String(Date.now() - began);
      if (body.apis.includes(API)) return null;
      return this.finding(newest(body.apis) > Number(API.slice(1)) ? "MODULE_OLD" : "SERVER_OLD");
    }
    if (body?.domain === "hantei") return this.finding(body.reason === "PATH_UNKNOWN" ? "SERVER_OLD" : "SERVER_FAILS", { status: String(response.status) });
    return this.finding(response.status >= 502 ? "PROXY_ALONE" : "NOT_HANTEI", { status: String(response.status) });
  }

  /** May the page call? Every page may read the version, but no other answer. */
  async admission() {
    const { response } = await this.#try(`/${API}/rulesets`, { headers: { "Content-Type": "application/json" } });
    if (!response) return this.finding("CORS");
    return response.ok ? null : this.finding("SERVER_FAILS", { status: String(response.status) });
  }

  /** Is the token good, and does the stream come through? */
  async seat() {
    const { token, table, fetch: send, patience = PATIENCE } = this.#question;
    if (!token || !table) return null;
    const client = new Client({ url: withoutSlash(this.#url), token, place: this.#place, fetch: send, patience });
    try {
      const found = await client.call("GET", `/${API}/tables/${table}`);
      this.#data.table = found.table?.name ?? "";
      return await this.#stream(client, table) ? null : this.finding("STREAM_HELD_UP");
    } catch (error) {
      return findingOf(error, this.#data);
    }
  }

  /**
   * Whether a stream's first line comes at once, as it does unless a proxy collects
   * what it should pass on.
   * @param {Client} client
   * @param {string} table
   */
  async #stream(client, table) {
    const stop = AbortSignal.timeout(this.#question.patience ?? PATIENCE);
    try {
      const reader = (await client.open(`/${API}/watch?${new URLSearchParams({ table_id: table })}`, stop)).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return Boolean(value);
    } catch (error) {
      if (error instanceof HanteiError) throw error;
      return false;
    }
  }

  /** Nothing could be read. Why? */
  async #silence() {
    const blocked = this.#blocked;
    if (blocked) return this.finding("CSP", { directive: blocked });
    const plain = this.#url.protocol === "http:";
    if ((await this.#try("/version", { redirect: "manual" })).response?.type === "opaqueredirect") return this.finding("REDIRECT");
    if ((await this.#try("/version", { mode: "no-cors" })).response) {
      if (plain && await this.#answers("https:")) return this.finding("NEEDS_HTTPS");
      return this.finding("UNREADABLE");
    }
    const permission = await this.#permission(); // it may just have been asked for, and refused
    if (permission === "denied") return this.finding("LOCAL_NETWORK_DENIED");
    if (permission === "prompt") return this.finding("LOCAL_NETWORK_ASKS");
    if (plain) return this.finding(this.#question.origin.startsWith("https:") && !isLoopback(this.#url.hostname) ? "MIXED_CONTENT" : "NO_ANSWER");
    if (this.#place === "internet" && isLocal(this.#url.hostname)) return this.finding("LOCAL_NETWORK_PLACE");
    if (await this.#answers("http:")) return this.finding("TLS");
    return this.finding("NO_ANSWER_TLS");
  }

  /** Nothing came for a long time: maybe the browser still asks whether it may call. */
  async #hanging() {
    return this.finding(await this.#permission() === "prompt" ? "LOCAL_NETWORK_ASKS" : "TIMEOUT");
  }

  /**
   * Whether something answers at the same host and port if it is spoken to in
   * another way. A server that wants TLS answers to plain http that it does.
   * @param {"http:" | "https:"} protocol
   */
  async #answers(protocol) {
    if (protocol === "http:" && this.#question.origin.startsWith("https:") && !isLoopback(this.#url.hostname)) return false;
    const other = new URL(this.#url);
    const port = other.port || (other.protocol === "https:" ? "443" : "80");
    other.protocol = protocol;
    other.port = port;
    return Boolean((await this.#try("/version", { mode: "no-cors" }, withoutSlash(other))).response);
  }

  /**
   * The permission to call what is near, as far as it is needed: "granted", "denied",
   * "prompt", or "" if the browser asks for none.
   */
  async #permission() {
    const { permission, origin } = this.#question;
    // It is asked of pages from farther away alone.
    const page = placeOf(new URL(origin).hostname);
    if (!permission || this.#place === "internet" || page === "loopback" || page === this.#place) return "";
    for (const name of [this.#place === "loopback" ? "loopback-network" : "local-network", "local-network-access"]) {
      const state = await permission(name).catch(() => "");
      if (state) return state;
    }
    return "";
  }

  /** The directive of the page's policy that has stopped a call, or "". */
  #blocked = "";

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   * @param {string} [base]
   * @returns {Promise<{response: Response | null, error: "" | "failed" | "timeout"}>}
   */
  async #try(path, init = {}, base = withoutSlash(this.#url)) {
    const { fetch: send = fetch, patience = PATIENCE, violations } = this.#question;
    /** @param {Event} event */
    const heard = event => {
      const { blockedURI = "", effectiveDirective = "" } = /** @type {SecurityPolicyViolationEvent} */ (event);
      if (blockedURI.startsWith(new URL(base).origin)) this.#blocked = effectiveDirective;
    };
    violations?.addEventListener("securitypolicyviolation", heard);
    try {
      return { response: await send(base + path, request(init, this.#place, patience)), error: "" };
    } catch (error) {
      if (violations) await new Promise(resolve => setTimeout(resolve, 50)); // it is told a little later
      return { response: null, error: /** @type {Error} */ (error).name === "TimeoutError" ? "timeout" : "failed" };
    } finally {
      violations?.removeEventListener("securitypolicyviolation", heard);
    }
  }
}

/**
 * @param {RequestInit} init
 * @param {Place} place
 * @param {number} patience
 */
function request(init, place, patience) {
  /** @type {RequestInit & {targetAddressSpace?: string}} */
  const all = { cache: "no-store", credentials: "omit", redirect: init.mode === "no-cors" ? "follow" : "error", signal: AbortSignal.timeout(patience), ...init };
  if (place !== "internet") all.targetAddressSpace = place;
  return all;
}

/** The findings that a refusal of the server is by itself. @type {Record<string, string>} */
const REFUSALS = {
  TOKEN_UNKNOWN: "TOKEN_UNKNOWN", TOKEN_MISSING: "TOKEN_UNKNOWN", SEAT_REVOKED: "TOKEN_UNKNOWN",
  NOT_FOUND: "TABLE_GONE", TABLE_DELETED: "TABLE_GONE", TOO_MANY_REQUESTS: "TOO_MANY_REQUESTS", PATH_UNKNOWN: "SERVER_OLD",
};

/**
 * What an error says by itself. For one that says nothing ("UNREACHABLE") ask diagnose.
 * @param {unknown} error
 * @param {Record<string, string>} [data]
 * @returns {Finding}
 */
export function findingOf(error, data = {}) {
  if (!(error instanceof HanteiError)) return { key: "UNREACHABLE", ok: false, data: { ...data, message: String(error) } };
  const key = REFUSALS[error.reason] ?? (["UNREACHABLE", "NOT_HANTEI"].includes(error.reason) ? error.reason : "REFUSED");
  return { key, ok: false, data: { ...data, message: error.message, status: String(error.status), reason: error.reason } };
}

/** @param {Response} response */
async function json(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** The number of the newest of some versions, "v1" for example. @param {unknown[]} apis */
function newest(apis) {
  return Math.max(...apis.map(api => Number(String(api).slice(1)) || 0));
}
