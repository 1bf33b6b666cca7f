/**
 * @import * as Api from "../../types/api.js"
 *
 * Where the events of a step are found again.
 * @typedef {object} Anchor
 * @property {string} table
 * @property {string} step    Their step id.
 * @property {string} cursor  They come soon after it.
 *
 * @typedef {(verb: string, path: string) => Promise<Api.ListEventsResponseJson>} Call
 */

/** How many events are read at once to find a step; more than a writer reads, see writer.mjs. */
const PAGE = 500;

/**
 * What this client's seat was told, by step: from its own stream, and from the
 * server where that was before its time. What the stream has brought and what was
 * not shown yet is kept back.
 */
export class Story {
  #call;
  #table;
  /** @type {Map<string, Api.EventViewJson[]>} */
  #steps = new Map();
  /** Ids of events that are not to be seen yet. @type {Set<string>} */
  #kept = new Set();
  /** Readings wait for each other: one page mostly has what the next looks for. @type {Promise<unknown>} */
  #reading = Promise.resolve();

  /**
   * @param {Call} call
   * @param {string} table
   */
  constructor(call, table) {
    this.#call = call;
    this.#table = table;
  }

  /** Takes down what the stream has brought; it is kept back until shown. @param {Api.EventViewJson[]} events */
  tell(events) {
    for (const event of events) {
      if (this.#add(event)) this.#kept.add(event.eventId ?? "");
    }
  }

  /** Lets events be seen. @param {Api.EventViewJson[]} events */
  show(events) {
    for (const event of events) this.#kept.delete(event.eventId ?? "");
  }

  /**
   * What may be seen of a step now; undefined if it is not known whether anything
   * was told of it.
   * @param {string} step
   * @returns {Api.EventViewJson[] | undefined}
   */
  of(step) {
    return this.#steps.get(step)?.filter(event => !this.#kept.has(event.eventId ?? ""));
  }

  /**
   * Finds out what was told of a step.
   * @param {Anchor} anchor
   */
  find(anchor) {
    const reading = this.#reading.then(async () => {
      if (this.#steps.has(anchor.step)) return;
      const query = new URLSearchParams({ cursor: anchor.cursor, page_size: String(PAGE) });
      const { events = [] } = await this.#call("GET", `/v1/tables/${this.#table}/events?${query}`);
      for (const event of events) this.#add(event);
      if (!this.#steps.has(anchor.step)) this.#steps.set(anchor.step, []); // nothing was told of it
    });
    this.#reading = reading.catch(() => {});
    return reading;
  }

  /**
   * @param {Api.EventViewJson} event
   * @returns {boolean}  Whether it is new.
   */
  #add(event) {
    const step = event.stepId ?? "";
    const events = this.#steps.get(step) ?? [];
    if (events.some(known => known.eventId === event.eventId)) return false;
    events.push(event);
    this.#steps.set(step, events);
    return true;
  }
}
