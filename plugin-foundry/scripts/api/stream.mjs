/**
 * @import * as Api from "../../types/api.js"
 * @import {Client} from "./client.mjs"
 * @import {Sleep} from "./pause.mjs"
 */
import { asHanteiError, HanteiError } from "./client.mjs";
import { Pauses } from "./pause.mjs";

/** After so many milliseconds without a line, three heartbeats, a stream is dead. */
const SILENCE = 45_000;

/**
 * @typedef {object} StreamOptions
 * @property {(frame: Api.WatchResponseJson) => Promise<void> | void} onFrame
 *   Gets each frame but heartbeats, in order; the next one waits until it is done.
 * @property {(error: HanteiError | null) => void} [onState]
 *   null when the stream is open, an error when it is not; it goes on trying.
 * @property {number} [silence]
 * @property {Sleep} [pause]  For tests.
 */

/**
 * Watches a table from a cursor, and goes on from the last frame whenever the
 * connection breaks: no gap, no repetition. It never gives up but where trying
 * again cannot help: on a token that nobody holds, and on a table that is gone.
 */
export class Stream {
  #client;
  #table;
  #options;
  #silence;
  #pauses;
  #end = new AbortController();
  /** Breaks the connection that there is. */
  #cut = () => {};
  /** When the last line came; 0 while a frame is being handled. */
  #heard = 0;

  /**
   * @param {Client} client
   * @param {string} table
   * @param {string} cursor
   * @param {StreamOptions} options
   */
  constructor(client, table, cursor, options) {
    this.#client = client;
    this.#table = table;
    this.#options = options;
    this.#silence = options.silence ?? SILENCE;
    this.#pauses = new Pauses(options.pause);
    /** Where to go on. */
    this.cursor = cursor;
  }

  /** Reads until it is stopped. Returns why it ended by itself, or null. */
  async run() {
    while (!this.#end.signal.aborted) {
      const error = await this.#read();
      if (this.#end.signal.aborted) return null;
      if (hopeless(error)) return error;
      this.#options.onState?.(error);
      await this.#pauses.wait(error.retryAfter);
    }
    return null;
  }

  /**
   * Tries again at once if it is waiting to, and if it is not, but has heard nothing
   * for more than a heartbeat: what was open before a computer slept often is dead.
   */
  retry() {
    this.#pauses.hurry();
    if (this.#heard && Date.now() - this.#heard > this.#silence / 2) this.#cut();
  }

  /** Ends the stream for good. */
  stop() {
    this.#end.abort();
    this.#pauses.end();
  }

  /**
   * Reads one connection to its end, and returns what ended it.
   * @returns {Promise<HanteiError>}
   */
  async #read() {
    const connection = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, connection.signal]);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let watchdog;
    this.#cut = () => connection.abort();
    const listen = () => {
      this.#heard = Date.now();
      clearTimeout(watchdog);
      watchdog = setTimeout(this.#cut, this.#silence);
    };
    // A frame may take longer to show than a stream may be silent.
    const busy = () => {
      this.#heard = 0;
      clearTimeout(watchdog);
    };
    try {
      listen();
      const query = new URLSearchParams({ table_id: this.#table, cursor: this.cursor });
      const reader = (await this.#client.open(`/v1/watch?${query}`, signal)).getReader();
      this.#options.onState?.(null);
      let rest = "";
      for (;;) {
        listen();
        const { value, done } = await reader.read();
        if (done) break;
        busy();
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const end = line && await this.#line(line);
          if (end) return end;
          if (signal.aborted) break;
        }
      }
      return new HanteiError("UNREACHABLE", "the stream broke off");
    } catch (error) {
      return asHanteiError(error);
    } finally {
      busy();
      connection.abort(); // what is left of it shall not stay open
    }
  }

  /**
   * @param {string} text
   * @returns {Promise<HanteiError | null>}
   */
  async #line(text) {
    /** @type {{result?: Api.WatchResponseJson, error?: {reason?: string, status: string, message: string}}} */
    let line;
    try {
      line = JSON.parse(text);
    } catch (cause) {
      return new HanteiError("NOT_HANTEI", "the stream is not JSON", { cause });
    }
    const { result, error } = line;
    if (error) return new HanteiError(error.reason || error.status, error.message);
    if (!result) return null;
    this.#pauses.reset();
    if (result.events?.length || result.promptsTold || result.offersChanged) await this.#options.onFrame(result);
    this.cursor = result.cursor || this.cursor;
    return result.endReason ? new HanteiError(result.endReason, result.endReason) : null;
  }
}

/** Why a stream ends for good. */
const ENDS = ["TOKEN_UNKNOWN", "TABLE_DELETED", "SEAT_REVOKED", "BAD_CURSOR", "NOT_FOUND"];

/**
 * Whether a seat need not come back with the same token and cursor.
 * @param {HanteiError} error
 */
export function hopeless(error) {
  return error.refused || ENDS.includes(error.reason);
}
