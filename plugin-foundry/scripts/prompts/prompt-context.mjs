/**
 * What the template of a question shows.
 * @import * as Api from "../../types/api.js"
 * @import {Around} from "../inputs/fields.mjs"
 * @import {Chosen} from "./windows.mjs"
 * @import {Question} from "./prompt-app.mjs"
 */
import { fieldsOf } from "../inputs/fields.mjs";
import { diceOf } from "./given-dice.mjs";
import { endings, questionWords } from "./policy-words.mjs";

/**
 * @param {Question} question
 * @param {Around} around
 * @param {Map<string, Chosen>} chosen
 */
export function questionContext({ session, window, insteadOf }, around, chosen) {
  const many = window.prompts.length > 1;
  return {
    many,
    timed: window.expires !== null,
    why: whyOf(session, window),
    insteadOf: insteadOf && game.i18n.format("HANTEI.Prompt.InsteadOf", { seat: insteadOf.name ?? "" }),
    slots: window.prompts.map(prompt => slotOf(prompt)),
  };

  /** @param {Api.PromptViewJson} prompt */
  function slotOf(prompt) {
    let number = 0;
    return {
      id: prompt.id,
      name: nameOf(session, prompt.character),
      text: prompt.text?.text || questionWords(session, prompt.name) || prompt.name,
      dice: prompt.dice && diceOf(prompt.dice) && {
        label: game.i18n.format(diceOf(prompt.dice)?.count === 1 ? "HANTEI.Prompt.ThrownOne" : "HANTEI.Prompt.Thrown", { dice: prompt.dice }),
        example: exampleOf(prompt.dice),
      },
      choices: (prompt.choices ?? []).map(choice => ({
        id: choice.id,
        prompt: prompt.id,
        many,
        text: choice.text || choice.id,
        possible: choice.possible ?? false,
        reason: choice.possible ? "" : choice.reasonText || choice.reason,
        number: choice.possible && number < 9 ? ++number : 0,
        isDefault: choice.id === prompt.defaultChoice,
        chosen: chosen.get(prompt.id ?? "")?.choice === choice.id,
        fields: choice.possible ? fieldsOf(choice.inputs ?? [], around, `${prompt.id}.${choice.id}.`) : [],
      })),
      // The GM's own policies say nothing of another seat's questions, and nothing waits for what is standing.
      mayAlways: !insteadOf && !window.standing,
      // What has led here may be hidden from players: the server tells the GM alone.
      oddsHere: session.isGM && !window.standing,
      ends: endings(),
    };
  }
}

/**
 * @param {Question["session"]} session
 * @param {string} [character]
 */
function nameOf(session, character) {
  return character ? session.nameOf(character) : game.i18n.localize("HANTEI.Prompt.GM");
}

/**
 * In whose step it is asked, and about whom.
 * @param {Question["session"]} session
 * @param {Question["window"]} window
 */
function whyOf(session, { becauseOf, about, prompts }) {
  const asked = prompts.map(prompt => prompt.character);
  const parts = [];
  if (becauseOf && !asked.includes(becauseOf)) parts.push(game.i18n.format("HANTEI.Prompt.BecauseOf", { who: nameOf(session, becauseOf) }));
  if (about && !asked.includes(about) && about !== becauseOf) parts.push(game.i18n.format("HANTEI.Prompt.About", { who: nameOf(session, about) }));
  return parts.join(" · ");
}

/** @param {string} dice */
function exampleOf(dice) {
  const { count = 1, sides = 6 } = diceOf(dice) ?? {};
  const faces = Array.from({ length: Math.min(count, 6) }, (_, i) => Math.max(1, sides - i));
  return faces.join(" ");
}
