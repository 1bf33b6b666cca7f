/**
 * @import * as Api from "../../types/api.js"
 */
import { MODULE } from "../constants.mjs";
import { actorsOf } from "../link/registry.mjs";
import { documentId } from "./ids.mjs";
import { tokensOnMaps } from "./places.mjs";

/** Foundry's own pictures for the server's words for icons. @type {Record<string, string>} */
const ICONS = {
  down: "icons/svg/falling.svg", skull: "icons/svg/skull.svg", shield: "icons/svg/shield.svg", lock: "icons/svg/padlock.svg",
  sleep: "icons/svg/sleep.svg", weapon: "icons/svg/sword.svg", star: "icons/svg/aura.svg", mind: "icons/svg/terror.svg",
};

/** The picture of a word that this version does not know. */
const ANY_ICON = "icons/svg/circle.svg";

/** The words whose status covers the token. */
const OVERLAYS = new Set(["skull"]);

/** @param {string} key */
const idOf = key => `${MODULE}-${key}`;

/**
 * Makes the ruleset's statuses Foundry's, under their own ids: those of the game
 * system mean something of the system's.
 * @param {Api.RulesetJson | null} ruleset
 */
export function registerStatuses(ruleset) {
  const all = /** @type {any} */ (CONFIG.statusEffects);
  for (const { key = "", name = key, icon = "" } of ruleset?.statuses ?? []) {
    const effect = { id: idOf(key), _id: documentId("status", ruleset?.name ?? "", key), name, img: ICONS[icon] ?? ANY_ICON };
    // An array in version 13, an object by id in 14.
    if (!Array.isArray(all)) all[effect.id] = effect;
    else if (all.some(known => known.id === effect.id)) Object.assign(all.find(known => known.id === effect.id), effect);
    else all.push(effect);
  }
}

/**
 * Gives a character a status, or takes it.
 * @param {Api.RulesetJson | null} ruleset
 * @param {string} character
 * @param {string} key
 * @param {boolean} active
 */
export async function setStatus(ruleset, character, key, active) {
  const status = ruleset?.statuses?.find(known => known.key === key);
  if (!status) return; // it is not for tokens
  const overlay = OVERLAYS.has(status.icon ?? "");
  for (const actor of bodiesOf(character)) {
    if (actor.statuses.has(idOf(key)) !== active) await actor.toggleStatusEffect(idOf(key), { active, overlay });
  }
}

/**
 * The actors that show a character: those of its tokens on the maps, and the
 * world's own. A token that is not linked has one of its own.
 * @param {string} character
 * @returns {Set<Actor>}
 */
export function bodiesOf(character) {
  const actors = tokensOnMaps(character).flatMap(token => token.actor ?? []);
  return new Set([...actors, ...actorsOf(character)]);
}
