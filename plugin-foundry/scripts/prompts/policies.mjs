/**
 * How a seat answers without being asked. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 */

/**
 * The policies with one more, which takes the place of another for the same
 * character and prompt.
 * @param {Api.PolicyJson[]} policies
 * @param {Api.PolicyJson} policy
 * @returns {Api.PolicyJson[]}
 */
export function withPolicy(policies, policy) {
  return [...withoutPolicy(policies, policy), policy];
}

/**
 * The policies without the one for a character and prompt.
 * @param {Api.PolicyJson[]} policies
 * @param {Api.PolicyJson} policy
 * @returns {Api.PolicyJson[]}
 */
export function withoutPolicy(policies, { character = "", prompt = "" }) {
  return policies.filter(p => (p.character ?? "") !== character || (p.prompt ?? "") !== prompt);
}

/**
 * The policy "always this choice" for the prompt that was answered.
 * @param {Api.PromptViewJson} prompt
 * @param {string} choice
 * @param {Api.PolicyEndJson} until
 * @returns {Api.PolicyJson}
 */
export function alwaysChoose({ character = "", name = "" }, choice, until) {
  return { ...(character && { character }), prompt: name, choice, until };
}

/** Whatever is asked gets its default. @type {Api.PolicyJson} */
export const ALL_DEFAULT = Object.freeze({ takeDefault: true });

/**
 * Sets the policies of a seat, and reads the table anew, which tells them.
 * @param {import("../api/session.mjs").Session} session
 * @param {string} seat
 * @param {Api.PolicyJson[]} policies
 */
export async function setPolicies(session, seat, policies) {
  await session.client.call("POST", `/v1/tables/${session.table}/seats/${seat}:setPolicies`, { policies });
  await session.refresh();
}
