/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Anchor} from "./story.mjs"
 */
import { aborted } from "../api/pause.mjs";
import { MODULE } from "../constants.mjs";
import { isForCards } from "./card.mjs";
import { documentId } from "./ids.mjs";
import { knownChanges } from "./known.mjs";

/** How many events are read at once; clients find a step within as many, see story.mjs. */
const PAGE = 100;

/** How many events are remembered with what everybody may know of them. */
const REMEMBERED = 500;

/**
 * Writes what happens into the world, on one client: that of a GM who sits at the
 * table as one. It reads from a cursor of its own, which is the world's, so that
 * whoever writes next goes on where the last one stopped.
 *
 * A card in the chat is an anchor: it names the step of which it tells, and nothing
 * else. Each client fills it with what its own seat was told.
 */
export class Writer {
  #session;
  #begin;
  /** @type {Map<string, Api.ChangeJson[]>} */
  #known = new Map();
  /** @type {Promise<void>} */
  #writing = Promise.resolve();
  #due = false;
  #end = new AbortController();
  /** Whether this is the one tab of its browser that may write. */
  #held = false;
  #wasActive = false;

  /**
   * @param {Session} session
   * @param {() => unknown} begin  Called when this client becomes the one that writes.
   */
  constructor(session, begin) {
    this.#session = session;
    this.#begin = begin;
    // Of a GM's several tabs one writes. Pages that came by plain http have no locks:
    // there the ids keep what is written from being there twice.
    if (!navigator.locks) this.#held = true;
    else void navigator.locks.request(`${MODULE}.writer.${game.world.id}`, { signal: this.#end.signal }, () => {
      this.#held = true;
      this.check();
      return aborted(this.#end.signal);
    }).catch(() => {}); // aborted while waiting
  }

  /** Whether this client writes now. */
  get active() {
    return this.#held && !this.#end.signal.aborted && electedWriter(this.#session)?.isSelf === true;
  }

  /** Looks whether it has become this client's turn to write, or is so no more. */
  check() {
    const { active } = this;
    if (active && !this.#wasActive) {
      void this.write();
      this.#begin();
    }
    this.#wasActive = active;
  }

  /** Writes what has happened since the last time. @returns {Promise<void>} */
  write() {
    if (!this.#due) {
      this.#due = true;
      this.#writing = this.#writing.then(() => this.#write()).catch(error => console.warn("hantei | the log was not written", error));
    }
    return this.#writing;
  }

  stop() {
    this.#end.abort();
  }

  /**
   * What everybody may know of an event's changes; nothing if this client does not write.
   * @param {Api.EventViewJson} event
   * @returns {Promise<Api.ChangeJson[]>}
   */
  async known(event) {
    await this.#writing;
    return this.active ? this.#known.get(event.eventId ?? "") ?? [] : [];
  }

  async #write() {
    this.#due = false;
    const { table, view } = this.#session;
    for (let more = true; more && this.active;) {
      const written = game.settings.get(MODULE, "written");
      if (written.table !== table) {
        // What was before is no news.
        await game.settings.set(MODULE, "written", { table, cursor: view?.cursor ?? "" });
        continue;
      }
      const page = await this.#list(written.cursor, PAGE).catch(async error => {
        // The server does not know it any more: the table was restored, for example.
        if (error?.reason === "BAD_CURSOR") await game.settings.set(MODULE, "written", { table, cursor: view?.cursor ?? "" });
        throw error;
      });
      const events = page.events ?? [];
      more = Boolean(page.more);
      if (!events.length) return;
      await this.#ask(events, written.cursor);
      if (!this.active) return;
      await writeAnchors(this.#session, events, written.cursor);
      await game.settings.set(MODULE, "written", { table, cursor: page.cursor ?? "" });
    }
  }

  /**
   * Asks what each player and observer was told of events.
   * @param {Api.EventViewJson[]} events
   * @param {string} cursor
   */
  async #ask(events, cursor) {
    if (!events.some(event => event.changes?.some(isShown))) return;
    const seats = otherSeats(this.#session);
    const told = await Promise.all(seats.map(seat => this.#list(cursor, 5 * PAGE, seat)));
    const known = knownChanges(seats.length ? told.map(page => page.events ?? []) : [withoutResources(events)]);
    for (const [id, changes] of known) this.#known.set(id, changes);
    for (const id of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(id);
    }
  }

  /**
   * @param {string} cursor
   * @param {number} size
   * @param {string} [seat]
   * @returns {Promise<Api.ListEventsResponseJson>}
   */
  #list(cursor, size, seat) {
    const query = new URLSearchParams({ cursor, page_size: String(size), ...(seat && { as_seat: seat }) });
    return this.#session.client.call("GET", `/v1/tables/${this.#session.table}/events?${query}`);
  }
}

/**
 * The user whose client writes: Foundry's active GM, if at the table as a GM now,
 * else the first who is. A GM who has a seat and no connection could write nothing.
 * @param {Session} session
 * @returns {User | undefined}
 */
function electedWriter(session) {
  const seats = new Set((session.view?.seats ?? []).filter(seat => seat.role === "SEAT_ROLE_GM").map(seat => seat.id));
  const able = game.users.filter(user => user.active && user.isGM && user.getFlag(MODULE, "live") === true && seats.has(user.getFlag(MODULE, "seat")));
  const { activeGM } = game.users;
  return able.find(user => user.id === activeGM?.id) ?? able.sort((a, b) => a.id.localeCompare(b.id))[0];
}

/**
 * The seats that are told less than a GM's.
 * @param {Session} session
 * @returns {string[]}
 */
export function otherSeats({ view }) {
  return (view?.seats ?? []).filter(seat => seat.role !== "SEAT_ROLE_GM").map(seat => seat.id ?? "");
}

/**
 * What a GM may be shown who tries things out alone. How much anybody has left is
 * not written before it is known who may know it.
 * @param {Api.EventViewJson[]} events
 */
function withoutResources(events) {
  return events.map(event => ({ ...event, changes: event.changes?.filter(change => !change.resource) }));
}

/** Whether documents show such a change. @param {Api.ChangeJson} change */
function isShown(change) {
  return Boolean(change.resource || change.status || change.position || change.encounter);
}

/**
 * @param {Session} session
 * @param {Api.EventViewJson[]} events
 * @param {string} cursor
 */
async function writeAnchors({ table }, events, cursor) {
  /** @type {(ChatMessage.CreateData & {_id: string})[]} */
  const data = [];
  for (const [step, told] of Map.groupBy(events.filter(isForCards), event => event.stepId ?? "")) {
    const id = documentId("card", table, step);
    if (game.messages.has(id)) continue;
    /** @type {Anchor} */
    const card = { table, step, cursor };
    data.push({
      _id: id, content: `<p>${game.i18n.localize("HANTEI.Chat.Anchor")}</p>`, speaker: { alias: "Hantei" }, whisper: audience(told), flags: { [MODULE]: { card } },
    });
  }
  if (data.length) await ChatMessage.createDocuments(data, { keepId: true }).catch(error => {
    // Another writer was quicker: then the cards are there.
    if (!data.every(({ _id }) => game.messages.has(_id))) throw error;
  });
}

/**
 * To whom a card goes: to all, or to the users of those seats that were told
 * anything of it. It would tell others that there is something.
 * @param {Api.EventViewJson[]} told
 * @returns {string[]}
 */
function audience(told) {
  if (told.some(event => !event.toldTo?.length)) return [];
  const seats = new Set(told.flatMap(event => event.toldTo ?? []));
  const users = game.users.filter(user => seats.has(user.getFlag(MODULE, "seat") ?? "")).map(user => user.id);
  return [...new Set([...users, game.user.id])]; // never nobody, which would be everybody
}
