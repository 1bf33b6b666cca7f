/**
 * "/hantei" in the chat.
 * @typedef {typeof import("./actions.mjs").acting} Acting
 */
import { complain } from "../i18n.mjs";
import { characterOf } from "../link/registry.mjs";
import { asking } from "../prompts/prompts.mjs";
import { commandOf } from "./command.mjs";

/**
 * Carries a command out; false, so that it does not become a message, if it was one.
 * @param {Acting} acting
 * @param {string} message
 * @returns {boolean | void}
 */
export function chatCommand(acting, message) {
  const command = commandOf(message);
  if (!command) return;
  switch (command.kind) {
    case "open": acting.open(undefined, command.search); break;
    case "questions": asking.open(); break;
    case "policies": asking.openPolicies(); break;
    case "roll": void roll(acting, command); break;
    case "help": ui.notifications?.info("HANTEI.Action.Help", { localize: true }); break;
  }
  return false;
}

/**
 * The server rolls. A secret roll is told to the GM alone: a player does not see
 * its result.
 * @param {Acting} acting
 * @param {{formula: string, text: string, secret: boolean}} command
 */
async function roll({ session }, { formula, text, secret }) {
  if (!session) {
    ui.notifications?.warn("HANTEI.Action.NotConnected", { localize: true });
    return;
  }
  const selected = canvas?.tokens?.controlled.map(token => characterOf(token.document)) ?? [];
  const actor = [...selected, characterOf(game.user.character)].find(id => id !== null && session.character(id)?.yours);
  try {
    await session.send("POST", `/v1/tables/${session.table}:roll`, {
      formula,
      ...(actor && { actor }),
      ...(text && { text }),
      ...(secret && { audience: "AUDIENCE_GM" }),
    });
  } catch (error) {
    complain(error);
  }
}
