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
  /** What undoes and redoes an event, by its id; both lists in the order in which they were heard of. @type {Map<string, {undoes: Api.EventViewJson[], redoes: Api.EventViewJson[]}>} */
  #mentions = new Map();
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
   * By what an event was taken back, so that it is no fact any more; undefined if it
   * stands. An event is undone and redone by turns: so it does not matter in which order
   * pages of the log were read.
   * @param {string} id
   * @returns {Api.EventViewJson | undefined}
   */
  undoneBy(id) {
    const seen = (/** @type {Api.EventViewJson} */ event) => !this.#kept.has(event.eventId ?? "");
    const undoes = this.#mentions.get(id)?.undoes.filter(seen) ?? [];
    const redoes = this.#mentions.get(id)?.redoes.filter(seen) ?? [];
    if (undoes.length <= redoes.length) return undefined;
    // An undo that was taken back itself has been followed by another one, mostly.
    return undoes.findLast(event => !this.undoneBy(event.eventId ?? "")) ?? undoes.at(-1);
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
    for (const list of /** @type {const} */ (["undoes", "redoes"])) for (const id of event[list] ?? []) this.#mention(id)[list].push(event);
    return true;
  }

  /** @param {string} id */
  #mention(id) {
    const mention = this.#mentions.get(id) ?? { undoes: [], redoes: [] };
    this.#mentions.set(id, mention);
    return mention;
  }
}

/** Whether an event says of others that they are no facts, or are facts again. @param {Api.EventViewJson} event */
export function isUndo({ undoes, redoes }) {
  return Boolean(undoes?.length || redoes?.length);
}
