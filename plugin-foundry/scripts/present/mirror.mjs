/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Known} from "./known.mjs"
 * @import {Manner, Step} from "./queue.mjs"
 * @import {Writer} from "./writer.mjs"
 */
import { setBar } from "./bars.mjs";
import { setCombat } from "./combat.mjs";
import { knownState } from "./known.mjs";
import { setStatus } from "./statuses.mjs";
import { walk } from "./tokens.mjs";
import { otherSeats } from "./writer.mjs";

/**
 * Keeps Foundry's documents as the server says, on the client that writes: tokens,
 * bars, statuses, the tracker. It writes what every seat may know and nothing else.
 */
export class Mirror {
  #session;
  #writer;

  /**
   * @param {Session} session
   * @param {Writer} writer
   */
  constructor(session, writer) {
    this.#session = session;
    this.#writer = writer;
  }

  /**
   * What is written of an event, step by step.
   * @param {Api.EventViewJson} event
   * @returns {Step[]}
   */
  steps(event) {
    if (!this.#writer.active) return [];
    const changes = event.changes ?? [];
    /** @type {Step[]} */
    const steps = [];
    /** @type {(name: keyof Api.ChangeJson, deadline: number, write: (change: Api.ChangeJson, manner: Manner) => unknown) => void} */
    const add = (name, deadline, write) => {
      if (changes.some(change => change[name])) steps.push({ name, deadline, run: manner => this.#write(event, name, manner, write) });
    };
    add("position", 15_000, ({ position }, manner) => position?.after?.square
      && walk(position.character ?? "", position.after.square, pathOf(event, position.character), manner));
    add("resource", 5_000, ({ resource }) => resource?.after?.value !== undefined
      && setBar(resource.character ?? "", resource.after.key ?? "", resource.after.value));
    add("status", 5_000, ({ status }) => setStatus(this.#session.ruleset, status?.character ?? "", status?.after?.key ?? "", !status?.removed));
    add("encounter", 8_000, ({ encounter }) => setCombat(this.#session, encounter?.removed ? null : encounter?.after));
    return steps;
  }

  /**
   * @param {Api.EventViewJson} event
   * @param {keyof Api.ChangeJson} name
   * @param {Manner} manner
   * @param {(change: Api.ChangeJson, manner: Manner) => unknown} write
   */
  async #write(event, name, manner, write) {
    const known = await this.#writer.known(event);
    // Several who walk in one event walk together.
    if (name === "position") await Promise.all(known.filter(change => change[name]).map(change => write(change, manner)));
    else for (const change of known) if (change[name]) await write(change, manner);
  }

  /** Puts everything as it is now: after a pause, or when another client wrote before. @param {Manner} manner */
  async settle(manner) {
    if (!this.#writer.active) return;
    const { ruleset } = this.#session;
    const seats = otherSeats(this.#session);
    const views = await Promise.all((seats.length ? seats : [""]).map(seat => this.#session.viewAs(seat)));
    // A GM alone: see writer.mjs.
    if (!seats.length) views[0].characters = views[0].characters?.map(c => ({ ...c, resources: [] }));
    const known = knownState(views);
    if (!this.#writer.active) return;
    for (const [character, { position, statuses, resources }] of known.characters) {
      if (position) await walk(character, position, [], { ...manner, instant: true });
      for (const [key, value] of resources) await setBar(character, key, value);
      for (const { key = "" } of ruleset?.statuses ?? []) await setStatus(ruleset, character, key, statuses.has(key));
    }
    await setCombat(this.#session, known.encounter);
  }
}

/**
 * The path by which an event says that a token walks.
 * @param {Api.EventViewJson} event
 * @param {string} [character]
 * @returns {Api.SquareJson[]}
 */
function pathOf({ cues = [] }, character) {
  return cues.find(cue => cue.walk?.character === character)?.walk?.path ?? [];
}
