/**
 * @import * as Api from "../../types/api.js"
 * @import {Lexicon} from "./card.mjs"
 * @import {Manner, Step} from "./queue.mjs"
 */
import { timer } from "../api/pause.mjs";
import { MODULE } from "../constants.mjs";
import { openUndo } from "../corrections/corrections.mjs";
import { explored } from "../dungeon/explored.mjs";
import { BarsApp } from "./bars-app.mjs";
import { isForCards, lexiconOf } from "./card.mjs";
import { cards } from "./chat.mjs";
import { hasDice, throwDice } from "./dice.mjs";
import { floatsOf, rise } from "./floats.mjs";
import { Mirror } from "./mirror.mjs";
import { Queue } from "./queue.mjs";
import { registerStatuses } from "./statuses.mjs";
import { report } from "./tokens.mjs";
import { Writer } from "./writer.mjs";

/** How long a card is left to be read before the next thing happens, in milliseconds. */
const READING = 350;

/** What is being shown, while there is a connection. @type {Queue | null} */
let shown = null;

/** What happened is shown, in order, once. @type {import("../hantei.mjs").Part} */
export const present = {
  init() {
    registerSettings();
    cards.init(step => openUndo(step));
    game.keybindings.register(MODULE, "skip", {
      name: "HANTEI.Present.Skip", hint: "HANTEI.Present.SkipHint", editable: [{ key: "KeyN", modifiers: ["SHIFT"] }],
      onDown: () => { shown?.skip(); return shown !== null; },
    });
  },

  ready() {
    void cards.ready();
  },

  start(session) {
    registerStatuses(session.ruleset);
    const lexicon = lexiconOf(session.ruleset, id => session.nameOf(id));
    const summary = new Summary();
    const writer = new Writer(session, () => { void queue.idle().then(() => mirror.settle(AT_ONCE)); });
    const mirror = new Mirror(session, writer);
    const queue = new Queue({
      steps: event => stepsOf(lexicon, mirror, event),
      settle: events => [{
        name: "settle", deadline: 20_000, run: manner => {
          cards.show(events);
          explored.show(events);
          summary.add(events);
          return mirror.settle(manner);
        },
      }],
      presented: cursor => session.presented(cursor),
      limit: () => game.settings.get(MODULE, "backlog"),
      away: () => window.document.hidden,
      pace: () => (window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : game.settings.get(MODULE, "speed")),
      report: (step, error) => console.warn(`hantei | ${step}`, error),
    });
    shown = queue;

    /** @type {(() => unknown)[]} */
    const ends = [
      cards.start(session, lexicon),
      session.on("events", batch => {
        cards.tell(batch.events);
        if (writer.active) void writer.write();
        queue.push(batch);
        return queue.idle(); // what came of it is not told before it is shown
      }),
      session.on("view", () => writer.check()),
      session.on("state", ({ state }) => { if (state === "live" && writer.active) void writer.write(); }),
      hook("userConnected", () => writer.check()),
      hook("updateUser", () => writer.check()),
      hook("updateScene", (_scene, changed) => { if (foundry.utils.getProperty(changed, `flags.${MODULE}`)) void queue.idle().then(() => mirror.settle(AT_ONCE)); }),
      hook("moveToken", (token, movement, _operation, user) => { if (user.isSelf) void report(session, token, movement); }),
      () => writer.stop(),
      () => queue.stop(),
      () => { if (shown === queue) shown = null; },
      () => summary.stop(),
    ];
    writer.check();
    return () => { for (const end of ends) end(); };
  },
};

/** Without motion, and whatever may come. @type {Manner} */
const AT_ONCE = { instant: true, pace: 0, signal: new AbortController().signal };

/**
 * How an event is shown: the dice fall, the card says what they mean, then the
 * table follows.
 * @param {Lexicon} lexicon
 * @param {Mirror} mirror
 * @param {Api.EventViewJson} event
 * @returns {Step[]}
 */
function stepsOf(lexicon, mirror, event) {
  const floats = floatsOf(event, lexicon);
  const written = mirror.steps(event);
  return [
    ...(hasDice(event) ? [{ name: "dice", deadline: 12_000, run: (/** @type {Manner} */ manner) => throwDice(event, manner) }] : []),
    { name: "card", deadline: 2_000, run: manner => reveal(event, manner) },
    ...written.filter(step => step.name === "position"),
    { name: "dungeon", deadline: 2_000, run: () => explored.show([event]) },
    ...(floats.length ? [{ name: "text", deadline: 6_000, run: (/** @type {Manner} */ manner) => rise(floats, manner) }] : []),
    ...written.filter(step => step.name !== "position"),
  ];
}

/**
 * @param {Api.EventViewJson} event
 * @param {Manner} manner
 */
async function reveal(event, { instant, pace, signal }) {
  cards.show([event]);
  if (!instant && isForCards(event)) await timer(READING * pace, signal);
}

/** Says to somebody who comes back how much there is to read. */
class Summary {
  #missed = 0;
  #look = () => this.#tell();

  constructor() {
    window.document.addEventListener("visibilitychange", this.#look);
  }

  /** @param {Api.EventViewJson[]} events */
  add(events) {
    this.#missed += events.filter(isForCards).length;
    this.#tell();
  }

  #tell() {
    if (!this.#missed || window.document.hidden) return;
    ui.notifications?.info(game.i18n.format("HANTEI.Present.Missed", { count: String(this.#missed) }));
    this.#missed = 0;
  }

  stop() {
    window.document.removeEventListener("visibilitychange", this.#look);
  }
}

/**
 * Listens to a hook; returns what ends it.
 * @template {Hooks.HookName} K
 * @param {K} name
 * @param {Hooks.Function<K>} listener
 */
function hook(name, listener) {
  const id = Hooks.on(name, listener);
  return () => Hooks.off(name, id);
}

function registerSettings() {
  game.settings.register(MODULE, "speed", {
    name: "HANTEI.Present.Speed", hint: "HANTEI.Present.SpeedHint", scope: "client", config: true, type: Number, default: 1,
    choices: /** @type {any} */ ({ 0: "HANTEI.Present.SpeedNone", 0.5: "HANTEI.Present.SpeedFast", 1: "HANTEI.Present.SpeedNormal", 2: "HANTEI.Present.SpeedSlow" }),
  });
  game.settings.register(MODULE, "backlog", {
    name: "HANTEI.Present.Backlog", hint: "HANTEI.Present.BacklogHint", scope: "client", config: true, type: Number, default: 30,
    range: { min: 1, max: 200, step: 1 },
  });
  // Up to where the world's documents have been written, by whichever client.
  game.settings.register(MODULE, "written", { scope: "world", config: false, type: Object, default: { table: "", cursor: "" } });
  game.settings.register(MODULE, "bars", { scope: "world", config: false, type: Object, default: {} });
  game.settings.registerMenu(MODULE, "bars", {
    name: "HANTEI.Present.Bars", label: "HANTEI.Present.BarsOpen", hint: "HANTEI.Present.BarsHint", icon: "fa-solid fa-heart-pulse",
    type: /** @type {any} */ (BarsApp), restricted: true,
  });
}
