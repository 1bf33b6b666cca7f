/**
 * Ways to put right what has happened: cards are taken back, sheets corrected by the
 * GM's word.
 * @import {Session} from "../api/session.mjs"
 */
import { menuEntry, onHook } from "../compat.mjs";
import { MODULE } from "../constants.mjs";
import { cards } from "../present/chat.mjs";
import { OverrideApp } from "./override-app.mjs";
import { UndoApp } from "./undo-app.mjs";

/** @type {Session | null} */
let session = null;

/** The windows that are open. @type {Set<UndoApp | OverrideApp>} */
const apps = new Set();

/** @param {UndoApp | OverrideApp} app */
function open(app) {
  for (const other of apps) if (!other.rendered) apps.delete(other);
  apps.add(app);
  void app.render({ force: true });
}

/** Asks for the reason for which a card is taken back. @param {string} step */
export function openUndo(step) {
  const card = cards.at(step);
  if (session && card?.undo) open(new UndoApp(session, step, card.undo, card));
}

/** Lets the GM change a sheet. @param {string} character */
export function openOverride(character) {
  if (session?.isGM) open(new OverrideApp(session, character));
}

/** The step of a message's card. @param {HTMLElement} line */
function stepOf(line) {
  return game.messages.get(line.dataset.messageId ?? "")?.getFlag(MODULE, "card")?.step ?? "";
}

/** Whose sheet a card is about: of those whom it befalls, or who acts. @param {HTMLElement} line */
function characterOn(line) {
  const events = cards.at(stepOf(line))?.events ?? [];
  const ids = [...events.flatMap(event => event.targets ?? []), ...events.flatMap(event => event.actor ?? [])];
  return ids.find(id => session?.character(id)) ?? "";
}

/** @param {any} _log @param {any[]} entries */
function addToMenu(_log, entries) {
  for (const kind of /** @type {const} */ (["undo", "redo"])) entries.push(menuEntry({
    label: `HANTEI.Undo.Menu.${kind}`, icon: "fa-solid fa-rotate-left",
    visible: line => cards.at(stepOf(line))?.undo === kind, act: line => openUndo(stepOf(line)),
  }));
  entries.push(menuEntry({
    label: "HANTEI.Override.Menu", icon: "fa-solid fa-user-pen",
    visible: line => session?.isGM === true && characterOn(line) !== "", act: line => openOverride(characterOn(line)),
  }));
}

/** @type {import("../hantei.mjs").Part} */
export const corrections = {
  init() {
    onHook("getChatMessageContextOptions", addToMenu);
  },
  start(begun) {
    session = begun;
    return () => {
      session = null;
      for (const app of apps) void app.close({ animate: false });
    };
  },
};
