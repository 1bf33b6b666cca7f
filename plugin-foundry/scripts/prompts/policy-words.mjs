/**
 * Policies in words.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 */

/** @type {Record<Api.PolicyEndJson, string>} */
const ENDS = {
  POLICY_END_UNSPECIFIED: "HANTEI.Policy.UntilChanged",
  POLICY_END_ROUND: "HANTEI.Policy.UntilRound",
  POLICY_END_SCENE: "HANTEI.Policy.UntilScene",
};

/** When a policy can end, for a list to choose from. */
export function endings() {
  return Object.entries(ENDS).map(([value, key]) => ({ value, text: game.i18n.localize(key) }));
}

/**
 * What a prompt asks, when it is spoken of without being open: the ruleset's words,
 * which may begin in the middle of a sentence. Empty if they are not there.
 * @param {Session} session
 * @param {string | undefined} name
 */
export function questionWords(session, name) {
  const text = session.ruleset?.prompts?.find(prompt => prompt.name === name)?.text ?? "";
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/**
 * A policy for people to read.
 * @param {Session} session
 * @param {Api.PolicyJson} policy
 */
export function describePolicy(session, { character = "", prompt = "", ask, takeDefault, choice, choiceText, follow, until = "POLICY_END_UNSPECIFIED" }) {
  const question = questionWords(session, prompt) || prompt;
  return {
    character: character ? session.nameOf(character) : game.i18n.localize("HANTEI.Policy.AnyCharacter"),
    prompt: prompt ? question : game.i18n.localize("HANTEI.Policy.AnyPrompt"),
    what: what(),
    until: game.i18n.localize(ENDS[until] ?? ENDS.POLICY_END_UNSPECIFIED),
  };

  function what() {
    if (ask) return game.i18n.localize("HANTEI.Policy.Ask");
    if (follow) return game.i18n.format("HANTEI.Policy.Follow", { who: session.nameOf(follow) });
    if (takeDefault || !choice) return game.i18n.localize("HANTEI.Policy.TakeDefault");
    return game.i18n.format("HANTEI.Policy.Choice", { choice: choiceText || choice });
  }
}
