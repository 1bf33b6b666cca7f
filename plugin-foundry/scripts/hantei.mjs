/**
 * The entry: which parts there are, and when they begin. Each part is a folder or
 * file that knows one thing.
 *
 * @typedef {object} Part
 * @property {() => void} [init]   Before the world is there: settings, hooks, keybindings.
 * @property {() => void} [ready]  When the world is there.
 * @property {(session: import("./api/session.mjs").Session) => (() => void) | void} [start]
 *   When there is a connection to a table; returns what ends it.
 */
import { actions } from "./actions/actions.mjs";
import { corrections } from "./corrections/corrections.mjs";
import { connection } from "./connection.mjs";
import { explored } from "./dungeon/explored.mjs";
import { links } from "./link/links.mjs";
import { presence } from "./present/presence.mjs";
import { present } from "./present/present.mjs";
import { prompts } from "./prompts/prompts.mjs";
import { sheets } from "./apps/sheets.mjs";
import { status } from "./apps/status.mjs";

/** @type {Part[]} */
const PARTS = [status, presence, links, explored, present, corrections, prompts, actions, sheets];

Hooks.once("init", () => {
  connection.init(PARTS);
  for (const part of PARTS) part.init?.();
});

Hooks.once("ready", () => {
  for (const part of PARTS) part.ready?.();
  void connection.connect();
});
