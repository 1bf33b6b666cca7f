/**
 * @import * as Api from "../../types/api.js"
 * @import {Manner} from "./queue.mjs"
 */
import { aborted } from "../api/pause.mjs";

/** More dice than that are not thrown in 3D, only shown on the card. */
const MOST = 30;

/**
 * Throws dice in 3D where Dice So Nice is there, as they have fallen on the server:
 * on this client alone, since what others may see of them they are told themselves.
 * Dice that were thrown by hand lie on somebody's table already.
 * @param {Api.EventViewJson} event
 * @param {Manner} manner
 */
export async function throwDice({ dice = [] }, { signal, instant }) {
  const thrown = dice.filter(die => die.faces?.length && !die.given);
  const count = thrown.reduce((sum, die) => sum + (die.faces?.length ?? 0), 0);
  if (instant || !game.dice3d || !count || count > MOST) return;
  // It never says so if it does not show a roll: the step's deadline and the skip key do not wait.
  await Promise.race([aborted(signal), game.dice3d.showForRoll(rollOf(thrown), game.user, false, null, false)]);
}

/**
 * Whether there is anything to wait for.
 * @param {Api.EventViewJson} event
 */
export function hasDice({ dice }) {
  return Boolean(dice?.some(die => die.faces?.length));
}

/**
 * A roll of Foundry with the faces of the server.
 * @param {Api.DieJson[]} dice
 */
function rollOf(dice) {
  /** @type {object[]} */
  const terms = [];
  for (const { sides = 0, faces = [] } of dice) {
    if (terms.length) terms.push({ class: "OperatorTerm", operator: "+", evaluated: true });
    terms.push({ class: "Die", number: faces.length, faces: sides, results: faces.map(result => ({ result, active: true })), evaluated: true });
  }
  const formula = dice.map(die => `${die.faces?.length}d${die.sides}`).join(" + ");
  const total = dice.flatMap(die => die.faces ?? []).reduce((sum, face) => sum + face, 0);
  return Roll.fromData(/** @type {any} */ ({ class: "Roll", formula, terms, total, evaluated: true }));
}
