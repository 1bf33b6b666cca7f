/**
 * Offers on the hotbar.
 * @import {Shortcut} from "./offers.mjs"
 */
import { macroCommand } from "./offers.mjs";

/**
 * Makes a macro of an offer that is dropped on the hotbar; false, so that Foundry
 * does not look at it, if it was one.
 * @param {any} data
 * @param {number} slot
 * @returns {boolean | void}
 */
export function addToHotbar(data, slot) {
  if (data?.type !== "HanteiOffer") return;
  void assign(data.shortcut, slot);
  return false;
}

/**
 * @param {Shortcut} shortcut
 * @param {number} slot
 */
async function assign(shortcut, slot) {
  const command = macroCommand(shortcut);
  const mine = game.macros.find(macro => macro.isAuthor && macro.command === command);
  const macro = mine ?? await Macro.create({ name: shortcut.text, type: "script", img: "icons/svg/d20-highlight.svg", command });
  if (macro) await game.user.assignHotbarMacro(macro, slot);
}
