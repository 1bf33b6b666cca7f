/**
 * @import * as Api from "../../types/api.js"
 * @import {Sleep} from "../api/pause.mjs"
 * @import {Batch} from "../api/session.mjs"
 *
 * How a step is to be done.
 * @typedef {object} Manner
 * @property {AbortSignal} signal  Aborted when nobody waits for it any more, or it was skipped: come to an end.
 * @property {boolean} instant     Show only what is left in the end, without any motion.
 * @property {number} pace         By what to multiply how long a motion takes.
 *
 * One thing that is shown.
 * @typedef {object} Step
 * @property {string} name      For reports.
 * @property {number} deadline  After so many milliseconds the next step does not wait for it any more.
 * @property {(manner: Manner) => unknown} run
 *
 * @typedef {object} QueueOptions
 * @property {(event: Api.EventViewJson) => Step[]} steps        How an event is shown, in order.
 * @property {(events: Api.EventViewJson[]) => Step[]} settle    How what several have left is shown at once.
 * @property {(cursor: string) => void} presented                All up to here has been shown.
 * @property {() => number} limit                                With more events than that waiting, they are settled.
 * @property {() => boolean} away                                Whether nobody is looking.
 * @property {() => number} pace                                 1 for as usual, 0 for without motion.
 * @property {(step: string, error: unknown) => void} report     Of a step that failed or came too late.
 * @property {Sleep} [pause]                                     For tests.
 */
import { timer } from "../api/pause.mjs";

/**
 * Shows what happens, one event after the other, each once. A step that hangs is
 * left behind at its deadline, one that fails is reported: neither keeps the table
 * from going on. It knows no Foundry.
 */
export class Queue {
  #options;
  /** @type {Batch[]} */
  #waiting = [];
  #running = false;
  #end = new AbortController();
  #skip = new AbortController();
  /** @type {(() => void)[]} */
  #idle = [];

  /** @param {QueueOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** How many events have not been begun. */
  get backlog() {
    return this.#waiting.reduce((sum, batch) => sum + batch.events.length, 0);
  }

  /** Shows a batch after all that came before. @param {Batch} batch */
  push(batch) {
    if (this.#end.signal.aborted) return;
    this.#waiting.push(batch);
    if (!this.#running) void this.#run();
  }

  /** Brings the batch that is being shown to its end at once. */
  skip() {
    this.#skip.abort();
  }

  /** Shows nothing any more; what was not shown is not reported as shown. */
  stop() {
    this.#waiting = [];
    this.#end.abort();
  }

  /** Resolves when nothing is left to show. @returns {Promise<void>} */
  idle() {
    return this.#running ? new Promise(resolve => this.#idle.push(resolve)) : Promise.resolve();
  }

  async #run() {
    this.#running = true;
    while (this.#waiting.length && !this.#end.signal.aborted) {
      this.#skip = new AbortController();
      const many = this.#options.away() || this.backlog > this.#options.limit();
      const batches = this.#waiting.splice(0, many ? Infinity : 1);
      const events = batches.flatMap(batch => batch.events);
      if (many) await this.#perform(this.#plan(() => this.#options.settle(events)), true);
      else for (const event of events) await this.#perform(this.#plan(() => this.#options.steps(event)), false);
      if (!this.#end.signal.aborted) this.#options.presented(batches[batches.length - 1].cursor);
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** @param {() => Step[]} make */
  #plan(make) {
    try {
      return make();
    } catch (error) {
      this.#options.report("plan", error);
      return [];
    }
  }

  /**
   * @param {Step[]} steps
   * @param {boolean} instant
   */
  async #perform(steps, instant) {
    for (const step of steps) {
      if (this.#end.signal.aborted) return;
      await this.#step(step, instant);
    }
  }

  /**
   * @param {Step} step
   * @param {boolean} instant
   */
  async #step(step, instant) {
    const late = new AbortController();
    const done = new AbortController();
    const pace = this.#options.pace();
    const manner = {
      signal: AbortSignal.any([late.signal, this.#skip.signal, this.#end.signal]),
      instant: instant || pace === 0 || this.#skip.signal.aborted,
      pace,
    };
    const work = Promise.resolve().then(() => step.run(manner)).catch(error => this.#options.report(step.name, error));
    const deadline = (this.#options.pause ?? timer)(step.deadline, AbortSignal.any([done.signal, this.#end.signal])).then(() => {
      if (done.signal.aborted || this.#end.signal.aborted) return;
      this.#options.report(step.name, new Error(`not done after ${step.deadline} ms`));
      late.abort();
    });
    await Promise.race([work, deadline]);
    done.abort();
  }
}
