/**
 * @import * as Api from "../../types/api.js"
 * @import {Client} from "./client.mjs"
 */
import { HanteiError } from "./client.mjs";
import { Stream } from "./stream.mjs";

/**
 * off: not connected; connecting: on the way; live: the stream is open; away: it
 * broke off and is tried again; refused: trying again does not help.
 * @typedef {"off" | "connecting" | "live" | "away" | "refused"} State
 *
 * What happened in one commit, or in several that were missed.
 * @typedef {object} Batch
 * @property {Api.EventViewJson[]} events
 * @property {string} cursor     Pass it to presented() when all of it has been shown.
 *
 * @typedef {object} Signals
 * @property {{state: State, error: HanteiError | null}} state   The connection changed.
 * @property {Api.TableViewJson} view                            The table as it is now, after every change.
 * @property {Api.PromptViewJson[]} prompts                      The questions of the seat, whenever they may have changed.
 * @property {Batch} events                                      What happened, in order, once.
 *
 * @typedef {object} SessionOptions
 * @property {Client} client
 * @property {string} table
 * @property {string} [cursor]                    Up to where events were presented; empty to begin now.
 * @property {(cursor: string) => void} [keep]    Keeps that for the next start.
 */

/**
 * What one client knows of its table. It reads the view once, keeps it up to date
 * while the stream is open, and hands on what happens. It knows no Foundry.
 */
export class Session {
  #options;
  /** @type {Map<keyof Signals, Set<(value: any) => unknown>>} */
  #listeners = new Map();
  /** @type {Stream | null} */
  #stream = null;
  #stale = false;
  /** @type {Promise<void> | null} */
  #reading = null;

  /** @param {SessionOptions} options */
  constructor(options) {
    this.#options = options;
    /** @type {State} */
    this.state = "off";
    /** @type {Api.TableViewJson | null} */
    this.view = null;
    /** The ruleset, in the language of the client. @type {Api.RulesetJson | null} */
    this.ruleset = null;
    /** @type {Api.PromptViewJson[]} */
    this.prompts = [];
  }

  get client() {
    return this.#options.client;
  }

  get table() {
    return this.#options.table;
  }

  /** The seat that looks. @returns {Api.SeatJson | undefined} */
  get seat() {
    return this.view?.seats?.find(s => s.id === this.view?.seatId);
  }

  get isGM() {
    return this.seat?.role === "SEAT_ROLE_GM";
  }

  /**
   * A character as the seat sees it.
   * @param {string} id
   * @returns {Api.CharacterViewJson | undefined}
   */
  character(id) {
    return this.view?.characters?.find(c => c.id === id);
  }

  /**
   * Listens; returns what ends it.
   * @template {keyof Signals} K
   * @param {K} name
   * @param {(value: Signals[K]) => unknown} listener  The next batch of events waits for its promise.
   */
  on(name, listener) {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(listener));
    return () => all.delete(listener);
  }

  /**
   * @template {keyof Signals} K
   * @param {K} name
   * @param {Signals[K]} value
   */
  async #emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        await listener(value);
      } catch (error) {
        console.error("hantei |", error); // one listener's mistake is not the others'
      }
    }
  }

  /** Connects and reads. Throws a HanteiError if the table cannot be read at all. */
  async start() {
    this.#turn("connecting", null);
    try {
      await this.refresh();
      const { ruleset } = await this.client.call("GET", `/v1/rulesets/${this.view?.ruleset}`);
      this.ruleset = ruleset;
    } catch (error) {
      this.#turn("refused", /** @type {HanteiError} */ (error));
      throw error;
    }
    const stream = new Stream(this.client, this.table, this.#options.cursor || this.view?.cursor || "", {
      onFrame: frame => this.#frame(frame),
      onState: error => this.#turn(error ? "away" : "live", error),
    });
    this.#stream = stream;
    void stream.run().then(error => {
      if (this.#stream === stream && error) this.#turn("refused", error);
    });
  }

  /** Ends the connection. */
  stop() {
    this.#stream?.stop();
    this.#stream = null;
    this.#turn("off", null);
  }

  /** Tries again at once, for when the network is back or the tab is shown. */
  retry() {
    this.#stream?.retry();
  }

  /** Says that all up to a cursor was shown; the next start goes on from there. @param {string} cursor */
  presented(cursor) {
    this.#options.keep?.(cursor);
  }

  /** Reads the table anew. Several who want it at once share one reading. */
  async refresh() {
    this.#stale = true;
    this.#reading ??= this.#read().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #read() {
    while (this.#stale) {
      this.#stale = false;
      const { view } = await this.client.call("GET", `/v1/tables/${this.table}/view`);
      this.view = view;
      this.prompts = view.prompts ?? [];
    }
    if (!this.view) return;
    await this.#emit("view", this.view);
    await this.#emit("prompts", this.prompts);
  }

  /** @param {Api.WatchResponseJson} frame */
  async #frame(frame) {
    if (frame.promptsTold) this.prompts = frame.prompts ?? [];
    if (frame.offersChanged) {
      await this.refresh().catch(error => console.warn("hantei | the view was not read", error));
    } else if (frame.promptsTold) {
      await this.#emit("prompts", this.prompts);
    }
    if (frame.events?.length) await this.#emit("events", { events: frame.events, cursor: frame.cursor ?? "" });
  }

  /**
   * @param {State} state
   * @param {HanteiError | null} error
   */
  #turn(state, error) {
    if (this.state === state && !error) return;
    this.state = state;
    void this.#emit("state", { state, error });
  }

  /**
   * Declares an action. The request id makes it safe to send again.
   * @param {Omit<Api.ActRequestJson, "tableId">} request
   * @returns {Promise<Api.ActResponseJson>}
   */
  act(request) {
    return this.#once("POST", `/v1/tables/${this.table}:act`, request);
  }

  /**
   * Answers prompts of one window.
   * @param {string} prompt
   * @param {Api.SlotAnswerJson[]} answers
   * @param {{givenDice?: string[]}} [more]
   * @returns {Promise<Api.AnswerResponseJson>}
   */
  answer(prompt, answers, more = {}) {
    return this.#once("POST", `/v1/tables/${this.table}/prompts/${prompt}:answer`, { answers, ...more });
  }

  /**
   * Sends a command until there is an answer to it, at most three times.
   * @param {string} verb
   * @param {string} path
   * @param {object} body
   */
  async #once(verb, path, body) {
    const request = { requestId: crypto.randomUUID(), ...body };
    for (let tries = 1; ; tries++) {
      try {
        return await this.client.call(verb, path, request);
      } catch (error) {
        if (!(error instanceof HanteiError && error.transient) || tries === 3) throw error;
        await new Promise(resolve => setTimeout(resolve, Math.max(error.retryAfter, tries) * 500));
      }
    }
  }
}
