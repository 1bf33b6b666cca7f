/**
 * @import * as Api from "../../types/api.js"
 * @import {Client} from "./client.mjs"
 */
import { HanteiError } from "./client.mjs";

/** After so many milliseconds without a line, three heartbeats, a stream is dead. */
export const SILENCE = 45_000;

/** The shortest and the longest pause before another try, in milliseconds. */
const PAUSE = { least: 500, most: 30_000 };

/**
 * @typedef {object} StreamOptions
 * @property {(frame: Api.WatchResponseJson) => Promise<void> | void} onFrame
 *   Gets each frame but heartbeats, in order; the next one waits until it is done.
 * @property {(error: HanteiError | null) => void} [onState]
 *   null when the stream is open, an error when it is not; it goes on trying.
 * @property {number} [silence]
 * @property {(ms: number, signal: AbortSignal) => Promise<void>} [pause]  For tests.
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
  #end = new AbortController();
  #hurry = () => {};

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
    /** Where to go on. */
    this.cursor = cursor;
  }

  /** Reads until it is stopped. Returns why it ended by itself, or null. */
  async run() {
    for (let pause = PAUSE.least; !this.#end.signal.aborted;) {
      const error = await this.#read(() => { pause = PAUSE.least; });
      if (this.#end.signal.aborted) return null;
      if (hopeless(error)) return error;
      this.#options.onState?.(error);
      // Tabs that lost the same server shall not all come back at once.
      await this.#wait(Math.max(error.retryAfter * 1000, pause * (0.5 + Math.random() / 2)));
      pause = Math.min(pause * 2, PAUSE.most);
    }
    return null;
  }

  /** Tries again at once, if it is waiting to. */
  retry() {
    this.#hurry();
  }

  /** Ends the stream for good. */
  stop() {
    this.#end.abort();
    this.#hurry();
  }

  /**
   * Reads one connection to its end, and returns what ended it.
   * @param {() => void} alive
   * @returns {Promise<HanteiError>}
   */
  async #read(alive) {
    const silence = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, silence.signal]);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let watchdog;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), this.#options.silence ?? SILENCE);
    };
    try {
      heard();
      const query = new URLSearchParams({ table_id: this.#table, cursor: this.cursor });
      const reader = (await this.#client.open(`/v1/watch?${query}`, signal)).getReader();
      this.#options.onState?.(null);
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        heard();
        alive();
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const end = line && await this.#line(JSON.parse(line));
          if (end) return end;
        }
      }
      return new HanteiError("UNREACHABLE", "the stream broke off");
    } catch (error) {
      return error instanceof HanteiError ? error : new HanteiError("UNREACHABLE", String(error), { cause: error });
    } finally {
      clearTimeout(watchdog);
    }
  }

  /**
   * @param {{result?: Api.WatchResponseJson, error?: {reason?: string, status: string, message: string}}} line
   * @returns {Promise<HanteiError | null>}
   */
  async #line({ result, error }) {
    if (error) return new HanteiError(error.reason || error.status, error.message);
    if (!result) return null;
    if (result.events?.length || result.promptsTold || result.offersChanged) await this.#options.onFrame(result);
    this.cursor = result.cursor ?? this.cursor;
    return result.endReason ? new HanteiError(result.endReason, result.endReason) : null;
  }

  /** @param {number} ms */
  async #wait(ms) {
    const hurry = new AbortController();
    this.#hurry = () => hurry.abort();
    await (this.#options.pause ?? sleep)(ms, hurry.signal);
    this.#hurry = () => {};
  }
}

/** @param {HanteiError} error */
function hopeless(error) {
  return ["TOKEN_UNKNOWN", "TABLE_DELETED", "BAD_CURSOR", "NOT_FOUND"].includes(error.reason);
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function sleep(ms, signal) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); });
  });
}
