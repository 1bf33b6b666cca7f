/**
 * The sheets that are open, and the ways to open one.
 * @import {Session} from "../api/session.mjs"
 */
import { addToHUD } from "../actions/hud.mjs";
import { menuEntry, onHook } from "../compat.mjs";
import { MODULE } from "../constants.mjs";
import { characterOf } from "../link/registry.mjs";
import { SheetApp } from "./sheet-app.mjs";

class Sheets {
  /** @type {Session | null} */
  #session = null;
  /** @type {Map<string, SheetApp>} */
  #open = new Map();

  /** @param {Session} session */
  start(session) {
    this.#session = session;
    const off = session.on("view", () => { for (const app of this.#open.values()) app.update(); });
    return () => {
      off();
      this.#session = null;
      for (const app of this.#open.values()) void app.close({ animate: false });
      this.#open.clear();
    };
  }

  /** @param {string} id */
  has(id) {
    return this.#session?.character(id) !== undefined;
  }

  /** @param {string} id */
  open(id) {
    const session = this.#session;
    if (!session?.character(id)) {
      ui.notifications?.warn(session ? "HANTEI.Sheet.Unknown" : "HANTEI.Action.NotConnected", { localize: true });
      return;
    }
    const app = this.#open.get(id) ?? new SheetApp(session, id);
    this.#open.set(id, app);
    void app.render({ force: true }).then(() => app.bringToFront());
  }
}

const all = new Sheets();

/** Opens the sheet of a character. @param {string} id */
export function openSheet(id) {
  all.open(id);
}

/**
 * The button in the header of an actor's own sheet.
 * @param {any} app
 * @param {any[]} controls
 */
function addHeaderControl(app, controls) {
  const id = characterOf(app.document);
  if (!id || !all.has(id)) return;
  controls.push({ action: "hanteiSheet", icon: "fa-solid fa-id-card", label: "HANTEI.Sheet.Open", onClick: () => openSheet(id) });
}

/**
 * The same, for the sheets of systems that are older than ApplicationV2.
 * @param {any} app
 * @param {any[]} buttons
 */
function addHeaderButton(app, buttons) {
  const id = characterOf(app.document);
  if (id && all.has(id)) buttons.unshift({ class: "hantei-sheet", icon: "fa-solid fa-id-card", label: game.i18n.localize("HANTEI.Sheet.Open"), onclick: () => openSheet(id) });
}

/**
 * The entry in the context menu of the actors' directory.
 * @param {any} directory
 * @param {any[]} entries
 */
function addContextEntry(directory, entries) {
  const idOf = (/** @type {HTMLElement} */ line) => characterOf(game.actors.get(line.dataset.entryId ?? "")) ?? "";
  entries.push(menuEntry({
    label: "HANTEI.Sheet.Open", icon: "fa-solid fa-id-card", visible: line => all.has(idOf(line)), act: line => openSheet(idOf(line)),
  }));
}

/**
 * @param {any} hud
 * @param {HTMLElement} html
 */
function addSheetToHUD(hud, html) {
  const id = characterOf(hud.document);
  if (id && all.has(id)) addToHUD(html, "fa-id-card", "HANTEI.Sheet.Open", () => openSheet(id));
}

/** @type {import("../hantei.mjs").Part} */
export const sheets = {
  init() {
    onHook("getHeaderControlsActorSheetV2", addHeaderControl);
    onHook("getActorSheetHeaderButtons", addHeaderButton);
    onHook("getActorContextOptions", addContextEntry);
    Hooks.on("renderTokenHUD", addSheetToHUD);
    const module = game.modules.get(MODULE);
    if (module) module.api = Object.assign(module.api ?? {}, { openSheet });
  },
  start: session => all.start(session),
};
