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
 * A policy for people to read.
 * @param {Session} session
 * @param {Api.PolicyJson} policy
 */
export function describePolicy(session, { character = "", prompt = "", ask, takeDefault, choice, follow, until = "POLICY_END_UNSPECIFIED" }) {
  const nameOf = (/** @type {string} */ id) => session.character(id)?.name || id;
  const question = session.ruleset?.prompts?.find(p => p.name === prompt)?.text || prompt;
  return {
    character: character ? nameOf(character) : game.i18n.localize("HANTEI.Policy.AnyCharacter"),
    prompt: prompt ? question : game.i18n.localize("HANTEI.Policy.AnyPrompt"),
    what: what(),
    until: game.i18n.localize(ENDS[until] ?? ENDS.POLICY_END_UNSPECIFIED),
  };

  function what() {
    if (ask) return game.i18n.localize("HANTEI.Policy.Ask");
    if (follow) return game.i18n.format("HANTEI.Policy.Follow", { who: nameOf(follow) });
    if (takeDefault || !choice) return game.i18n.localize("HANTEI.Policy.TakeDefault");
    return game.i18n.format("HANTEI.Policy.Choice", { choice });
  }
}
