/**
 * @import * as Api from "../../types/api.js"
 * @import {Client, HanteiError} from "./client.mjs"
 * @import {Sleep} from "./pause.mjs"
 */
import { asHanteiError, newRequestId } from "./client.mjs";
import { Pauses, persist } from "./pause.mjs";
import { Signals } from "./signals.mjs";
import { hopeless, Stream } from "./stream.mjs";

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
 * @typedef {object} Told
 * @property {{state: State, error: HanteiError | null}} state   The connection changed.
 * @property {Api.TableViewJson} view                            The table as it is now, after every change.
 * @property {Api.PromptViewJson[]} prompts                      The questions of the seat, whenever they may have changed.
 * @property {Batch} events                                      What happened, in order, once.
 *
 * @typedef {object} SessionOptions
 * @property {Client} client
 * @property {string} table
 * @property {string} [cursor]                    Up to where events were presented; empty to begin now.
 * @property {(cursor: string) => void} [keep]    Keeps that for the next start; "" says that it is worth nothing.
 * @property {() => void} [begin]                 The table has been read for the first time; nothing was told of it yet.
 * @property {Sleep} [pause]                      For tests.
 */

/**
 * What one client knows of its table. It reads the view once, keeps it up to date
 * while the stream is open, and hands on what happens. It knows no Foundry.
 */
export class Session {
  #options;
  /** @type {Signals<Told>} */
  #signals = new Signals();
  /** @type {Stream | null} */
  #stream = null;
  #pauses;
  #stopped = false;
  #stale = false;
  /** @type {Promise<void> | null} */
  #reading = null;

  /** @param {SessionOptions} options */
  constructor(options) {
    this.#options = options;
    this.#pauses = new Pauses(options.pause);
    /** @type {State} */
    this.state = "off";
    /** Why it is away or refused. @type {HanteiError | null} */
    this.error = null;
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

  /** A character as the seat sees it, if it does. @param {string} id */
  character(id) {
    return this.view?.characters?.find(c => c.id === id);
  }

  /** What a character is called; its id where the seat knows no name. @param {string} id */
  nameOf(id) {
    return this.character(id)?.name || id;
  }

  /**
   * Reads the table as a seat sees it. Others' views are the GM's to read.
   * @param {string} [seat]  The seat's own, unless said.
   * @returns {Promise<Api.TableViewJson>}
   */
  async viewAs(seat) {
    const { view } = await this.client.call("GET", `/v1/tables/${this.table}/view${seat ? `?as_seat=${seat}` : ""}`);
    return view;
  }

  /**
   * Listens; returns what ends it.
   * @template {keyof Told} K
   * @param {K} name
   * @param {(value: Told[K]) => unknown} listener
   *   What comes after a batch of events waits for its promise; of what was missed, the last batch alone.
   */
  on(name, listener) {
    return this.#signals.on(name, listener);
  }

  /**
   * Connects, and goes on trying while there is no answer. Done when the table was
   * read, or when it was stopped; throws a HanteiError if the server refuses. A
   * session is started once.
   */
  async start() {
    this.#turn("connecting", null);
    while (!this.#stopped) {
      try {
        await this.#load();
        const { ruleset } = await this.client.call("GET", `/v1/rulesets/${this.view?.ruleset}`);
        this.ruleset = ruleset;
        break;
      } catch (error) {
        const reason = asHanteiError(error);
        if (this.#stopped) return;
        if (hopeless(reason)) {
          this.#turn("refused", reason);
          throw reason;
        }
        this.#turn("away", reason);
        await this.#pauses.wait(reason.retryAfter);
      }
    }
    if (this.#stopped) return;
    this.#options.begin?.();
    await this.#tell();
    void this.#follow(this.#options.cursor || this.view?.cursor || "");
  }

  /**
   * Watches until it is stopped or refused. A cursor that the server does not take,
   * since the table was imported anew for example, is forgotten: the view has what
   * it would have led to.
   * @param {string} cursor
   */
  async #follow(cursor) {
    let fresh = cursor === this.view?.cursor;
    while (!this.#stopped) {
      const stream = this.#stream = new Stream(this.client, this.table, cursor, {
        onFrame: frame => this.#frame(frame),
        onState: error => this.#turn(error ? "away" : "live", error),
        pause: this.#options.pause,
      });
      let error = await stream.run();
      if (!error) return;
      if (error.reason === "BAD_CURSOR" && !fresh) {
        this.#options.keep?.("");
        const failed = await persist(() => this.#load(), this.#options.pause).then(() => null, asHanteiError);
        if (!failed) {
          await this.#tell();
          cursor = this.view?.cursor ?? "";
          fresh = true;
          continue;
        }
        error = failed;
      }
      if (!this.#stopped) this.#turn("refused", error);
      return;
    }
  }

  /** Ends the connection. */
  stop() {
    this.#stopped = true;
    this.#stream?.stop();
    this.#pauses.end();
    this.#turn("off", null);
  }

  /** Tries again at once, for when the network is back or the tab is shown. */
  retry() {
    this.#pauses.hurry();
    this.#stream?.retry();
  }

  /** Says that all up to a cursor was shown; the next start goes on from there. @param {string} cursor */
  presented(cursor) {
    if (cursor) this.#options.keep?.(cursor);
  }

  /** Reads the table anew. */
  async refresh() {
    await this.#load();
    await this.#tell();
  }

  /** Reads the table. Several who want it at once share one reading. */
  #load() {
    this.#stale = true;
    this.#reading ??= this.#read().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #read() {
    while (this.#stale) {
      this.#stale = false;
      try {
        this.view = await this.viewAs();
        this.prompts = this.view.prompts ?? [];
      } catch (error) {
        this.#stale = true;
        throw error;
      }
    }
  }

  async #tell() {
    if (!this.view) return;
    await this.#signals.emit("view", this.view);
    await this.#signals.emit("prompts", this.prompts);
  }

  /**
   * What happened is shown before what came of it: a bar that falls, or a question
   * that opens, would tell how the dice fell that still roll. Of frames that catch
   * up only the newest tells what is asked, and only then the view is read.
   * @param {Api.WatchResponseJson} frame
   */
  async #frame(frame) {
    this.#stale ||= Boolean(frame.offersChanged);
    const loading = frame.promptsTold && this.#stale && persist(() => this.#load(), this.#options.pause).then(() => true, error => {
      console.warn("hantei | the view was not read", error);
      return false;
    });
    if (frame.events?.length) {
      const shown = this.#signals.emit("events", { events: frame.events, cursor: frame.cursor ?? "" });
      if (!frame.promptsTold) return; // missed: whoever shows it must see how much it is
      await shown;
    }
    if (await loading) return this.#tell();
    if (!frame.promptsTold) return;
    this.prompts = frame.prompts ?? [];
    if (this.view) this.view.waitingOn = frame.waitingOn ?? [];
    await this.#signals.emit("prompts", this.prompts);
  }

  /**
   * @param {State} state
   * @param {HanteiError | null} error
   */
  #turn(state, error) {
    if (this.#stopped && state !== "off" || this.state === state && this.error?.reason === error?.reason) return;
    this.state = state;
    this.error = error;
    void this.#signals.emit("state", { state, error });
  }

  /**
   * Declares an action. The request id makes it safe to send again.
   * @param {Omit<Api.ActRequestJson, "tableId">} request
   * @returns {Promise<Api.ActResponseJson>}
   */
  act(request) {
    return this.send("POST", `/v1/tables/${this.table}:act`, request);
  }

  /**
   * Answers prompts of one window.
   * @param {string} prompt
   * @param {Api.SlotAnswerJson[]} answers
   * @param {{givenDice?: string[]}} [more]
   * @returns {Promise<Api.AnswerResponseJson>}
   */
  answer(prompt, answers, more = {}) {
    return this.send("POST", `/v1/tables/${this.table}/prompts/${prompt}:answer`, { answers, ...more });
  }

  /**
   * Sends a command under one request id until there is an answer to it. It is lost
   * only when the server stays away for longer than anybody wants to wait.
   * @template [T=any]
   * @param {string} verb
   * @param {string} path
   * @param {object} body
   * @returns {Promise<T>}
   */
  send(verb, path, body) {
    const request = { requestId: newRequestId(), ...body };
    return persist(() => this.client.call(verb, path, request), this.#options.pause);
  }
}
