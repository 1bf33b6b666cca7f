/**
 * Which cards can be taken back, as far as a client can know: the server decides.
 * Free of Foundry.
 * @import * as Api from "../../types/api.js"
 * @import {UndoneBy} from "../present/card.mjs"
 *
 * undo: what it tells of is taken back; redo: it tells of an undo, which is.
 * @typedef {"undo" | "redo"} Kind
 *
 * @typedef {object} Looker
 * @property {boolean} gm
 * @property {(character: string) => boolean} yours  Whether the seat controls a character.
 */
import { isForCards } from "../present/card.mjs";
import { isUndo } from "../present/story.mjs";

/**
 * What somebody may try with a card; null for nothing. A player has the own last
 * action alone to take back.
 * @param {Api.EventViewJson[]} events  Of the card.
 * @param {UndoneBy} undoneBy
 * @param {boolean} last                Whether no card after it stands, but of undos.
 * @param {Looker} looker
 * @returns {Kind | null}
 */
export function undoOf(events, undoneBy, last, { gm, yours }) {
  if (!stands(events, undoneBy)) return null;
  const undos = events.filter(isUndo);
  if (undos.length && !undos.some(event => holds(event, undoneBy))) return null;
  const kind = undos.length ? "redo" : "undo";
  if (gm) return kind;
  const actor = events.find(isForCards)?.actor;
  return kind === "undo" && last && actor && yours(actor) ? kind : null;
}

/**
 * Whether anything is as an undo has left it. The undo's own event is never struck: that
 * it was taken back shows by what it speaks of alone.
 * @param {Api.EventViewJson} undo
 * @param {UndoneBy} undoneBy
 */
function holds({ undoes = [], redoes = [] }, undoneBy) {
  return undoes.some(id => undoneBy(id)) || redoes.some(id => !undoneBy(id));
}

/**
 * Whether a card tells of anything that was not taken back.
 * @param {Api.EventViewJson[]} events
 * @param {UndoneBy} undoneBy
 */
export function stands(events, undoneBy) {
  return events.some(event => isForCards(event) && !undoneBy(event.eventId ?? ""));
}

/**
 * Whether the server is sure to refuse a player's undo: dice have fallen, or somebody
 * was asked. Who wants to know why may still try.
 * @param {Api.EventViewJson[]} events
 */
export function isFenced(events) {
  return events.some(event => event.dice?.length || event.name === "prompt_opened");
}

/**
 * Which card is the last: that behind which no other stands. Of cards of which it is
 * not known yet what they tell, nothing can be said.
 * @template T
 * @param {T[]} cards  In the order in which they were written.
 * @param {(card: T) => Api.EventViewJson[] | undefined} eventsOf  Empty if nothing was told, undefined if that is not known.
 * @param {UndoneBy} undoneBy
 * @param {boolean} gm  To whom undos count: they can be taken back in turn.
 * @returns {T | undefined}
 */
export function lastOf(cards, eventsOf, undoneBy, gm) {
  for (const card of cards.toReversed()) {
    const events = eventsOf(card);
    if (!events) return undefined;
    if (stands(events, undoneBy) && (gm || !events.some(isUndo))) return card;
  }
  return undefined;
}
