/**
 * Where the actors of a game system keep what Hantei calls a resource, as the GM
 * has set it: by type of actor, then by key of the resource, for example
 * {character: {hp: "system.attribs.hp.value"}}.
 * @typedef {Record<string, Record<string, string>>} BarPaths
 */
import { MODULE } from "../constants.mjs";
import { bodiesOf } from "./statuses.mjs";

/**
 * Writes a resource into the actors of a character, where the GM has said where to.
 * @param {string} character
 * @param {string} key
 * @param {number} value  One that everybody may know: every player may be able to open the actor.
 */
export async function setBar(character, key, value) {
  const paths = game.settings.get(MODULE, "bars");
  for (const actor of bodiesOf(character)) {
    const path = paths[actor.type]?.[key];
    if (path && foundry.utils.getProperty(actor, path) !== value) await actor.update({ [path]: value });
  }
}
