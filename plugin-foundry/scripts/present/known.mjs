/**
 * What every seat may know: what is written into Foundry's documents, which every
 * client may read, must be in what each of the players was told. It knows no
 * Foundry.
 *
 * @import * as Api from "../../types/api.js"
 */

/**
 * The changes of each event that everybody was told, by event id.
 * @param {Api.EventViewJson[][]} told  What each player's and observer's seat was told.
 * @returns {Map<string, Api.ChangeJson[]>}
 */
export function knownChanges(told) {
  /** @type {Map<string, Api.ChangeJson[]>} */
  const out = new Map();
  const [first = [], ...others] = told.map(byId);
  for (const [id, event] of first) {
    const theirs = others.map(other => other.get(id)?.changes ?? []);
    out.set(id, (event.changes ?? []).flatMap(change => knownChange(change, theirs)));
  }
  return out;
}

/**
 * What is known of a change. Of an encounter that is what all know of it, since
 * each is told of those alone whom the seat knows.
 * @param {Api.ChangeJson} change
 * @param {Api.ChangeJson[][]} theirs
 * @returns {Api.ChangeJson[]}
 */
function knownChange(change, theirs) {
  if (!change.encounter?.after) {
    const row = JSON.stringify(change);
    return theirs.every(rows => rows.some(other => JSON.stringify(other) === row)) ? [change] : [];
  }
  const after = encounterOf([change, ...theirs.map(rows => rows.find(other => other.encounter?.after))].map(row => row?.encounter?.after));
  return after ? [{ encounter: { ...change.encounter, after } }] : [];
}

/** @param {Api.EventViewJson[]} events */
function byId(events) {
  return new Map(events.map(event => [event.eventId ?? "", event]));
}

/**
 * @typedef {object} Known
 * @property {Map<string, KnownCharacter>} characters
 * @property {Api.EncounterJson | null} encounter
 *
 * @typedef {object} KnownCharacter
 * @property {Api.SquareJson | null} position  null if not everybody knows one.
 * @property {Set<string>} statuses
 * @property {Map<string, number>} resources
 */

/**
 * What of the table as it is everybody may know.
 * @param {Api.TableViewJson[]} views  As each player's and observer's seat sees it.
 * @returns {Known}
 */
export function knownState(views) {
  const [first, ...others] = views;
  /** @type {Known} */
  const known = { characters: new Map(), encounter: encounterOf(views.map(view => view.encounter)) };
  for (const own of first?.characters ?? []) {
    const same = others.map(view => view.characters?.find(c => c.id === own.id));
    if (same.includes(undefined)) continue;
    const all = [own, .../** @type {Api.CharacterViewJson[]} */ (same)];
    known.characters.set(own.id ?? "", {
      position: shared(all, c => c.position) ?? null,
      statuses: new Set((own.statuses ?? []).map(s => s.key ?? "").filter(key => all.every(c => c.statuses?.some(s => s.key === key)))),
      resources: new Map((own.resources ?? []).flatMap(({ key = "" }) => {
        const value = shared(all, c => c.resources?.find(r => r.key === key)?.value);
        return value === undefined ? [] : [[key, value]];
      })),
    });
  }
  return known;
}

/**
 * What all know of an encounter.
 * @param {(Api.EncounterJson | undefined)[]} all
 * @returns {Api.EncounterJson | null}
 */
function encounterOf([first, ...others]) {
  if (!first || others.includes(undefined)) return null;
  /** @param {"order" | "roster" | "turn"} list */
  const everywhere = list => first[list]?.filter(id => others.every(other => other?.[list]?.includes(id)));
  return { ...first, order: everywhere("order"), roster: everywhere("roster"), turn: everywhere("turn") };
}

/**
 * A value that is the same in all; undefined if it is not.
 * @template T, V
 * @param {T[]} all
 * @param {(one: T) => V | undefined} value
 * @returns {V | undefined}
 */
function shared([first, ...others], value) {
  const own = value(first);
  return others.every(one => JSON.stringify(value(one)) === JSON.stringify(own)) ? own : undefined;
}
