/**
 * Where the GM gets at the links: the settings menu, the windows of tokens and
 * actors, the HUD of a token, the list of actors.
 *
 * @import {Part} from "../hantei.mjs"
 */
import { addToHUD } from "../actions/hud.mjs";
import { menuEntry, onHook } from "../compat.mjs";
import { MODULE } from "../constants.mjs";
import { words } from "../i18n.mjs";
import { CharacterLinkApp } from "./character-app.mjs";
import { LinkApp } from "./link-app.mjs";
import { characterOf } from "./registry.mjs";

/** @param {TokenDocument | Actor} document */
function open(document) {
  void new CharacterLinkApp(document).render({ force: true });
}

/**
 * The token or actor of a window; null for other documents, and in a compendium.
 * @param {any} document
 * @returns {TokenDocument | Actor | null}
 */
function linkable(document) {
  const fits = document instanceof TokenDocument || document instanceof Actor;
  return fits && game.user.isGM && !document.uuid.startsWith("Compendium.") ? document : null;
}

/**
 * @param {any} app
 * @param {any[]} controls
 */
function addHeaderControl(app, controls) {
  const document = linkable(app.document);
  if (document) controls.push({ icon: "fa-solid fa-link", label: "HANTEI.Link.one", action: "hanteiLink", onClick: () => open(document) });
}

/**
 * The windows of systems that are older than ApplicationV2.
 * @param {any} app
 * @param {any[]} buttons
 */
function addHeaderButton(app, buttons) {
  const document = linkable(app.token ?? app.document);
  if (document) buttons.unshift({ class: "hantei-link", icon: "fa-solid fa-link", label: words("Link.short"), onclick: () => open(document) });
}

/**
 * @param {any} hud
 * @param {HTMLElement} element
 */
function addLinkToHUD(hud, element) {
  const document = linkable(hud.document);
  if (document) addToHUD(element, "fa-link", "HANTEI.Link.one", () => open(document), characterOf(document) !== null);
}

/**
 * @param {any} _directory
 * @param {any[]} entries
 */
function addDirectoryEntry(_directory, entries) {
  const actorOf = (/** @type {HTMLElement} */ target) => linkable(game.actors.get(target.dataset.entryId ?? ""));
  entries.push(menuEntry({
    label: "HANTEI.Link.one", icon: "fa-solid fa-link",
    visible: target => actorOf(target) !== null,
    act: target => {
      const actor = actorOf(target);
      if (actor) open(actor);
    },
  }));
}

/** @type {Part} */
export const links = {
  init() {
    game.settings.registerMenu(MODULE, "links", {
      name: "HANTEI.Settings.links", label: "HANTEI.Settings.linksLabel", hint: "HANTEI.Settings.linksHint",
      icon: "fa-solid fa-link", type: /** @type {any} */ (LinkApp), restricted: true,
    });
    onHook("getHeaderControlsDocumentSheetV2", addHeaderControl);
    onHook("getActorSheetHeaderButtons", addHeaderButton);
    Hooks.on("renderTokenHUD", addLinkToHUD);
    onHook("getActorContextOptions", addDirectoryEntry);
  },
};
