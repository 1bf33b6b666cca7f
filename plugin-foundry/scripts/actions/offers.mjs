/**
 * The offers of a character in groups, and offers that are found again later.
 * Free of Foundry.
 * @import * as Api from "../../types/api.js"
 *
 * @typedef {object} Group
 * @property {string} key
 * @property {string} title
 * @property {Api.OfferViewJson[]} offers  Possible ones first.
 * @property {boolean} possible            Whether any of them is.
 *
 * @typedef {object} Shortcut  What is kept of an offer: its id dies with the offer.
 * @property {string} actor
 * @property {Api.ActionJson} action
 * @property {string} text
 */

/**
 * The name of a typed action as the ruleset lists it, for example "end_turn".
 * @param {Api.ActionJson | undefined} action
 */
export function actionName(action) {
  const [own] = Object.values(action ?? {});
  const [name = ""] = Object.keys(own ?? {});
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/**
 * Groups offers: rolls of stats by the stats' groups, in the order of the sheet,
 * behind everything else by its action's group. What can be done now comes first.
 * @param {Api.OfferViewJson[]} offers
 * @param {Api.RulesetJson | null} ruleset
 * @returns {Group[]}
 */
export function groupOffers(offers, ruleset) {
  const stats = new Map((ruleset?.stats ?? []).map(stat => [stat.key ?? "", stat]));
  const places = [...new Set((ruleset?.stats ?? []).map(stat => stat.group))];
  const actions = new Map((ruleset?.actions ?? []).map((action, index) => [action.name ?? "", { ...action, index }]));
  const first = new Map((ruleset?.actions ?? []).map(({ group }, index) => /** @type {const} */ ([group, index])).reverse());
  /** @type {Map<string, Group & {order: number}>} */
  const groups = new Map();
  for (const offer of offers) {
    const stat = stats.get(offer.stat ?? "");
    const name = actionName(offer.action);
    const action = actions.get(name);
    const key = stat ? `stat.${stat.group}` : action?.group ? `group.${action.group}` : `action.${name}`;
    const title = (stat ? stat.groupName || stat.group : action?.groupName || action?.text || offer.text) ?? name;
    const order = stat ? 10_000 + places.indexOf(stat.group) : (action?.group ? first.get(action.group) : action?.index) ?? 9_999;
    const group = groups.get(key) ?? { key, title, offers: [], possible: false, order };
    group.offers.push(offer);
    group.possible ||= offer.possible ?? false;
    groups.set(key, group);
  }
  for (const group of groups.values()) {
    group.offers.sort((a, b) => Number(b.possible ?? false) - Number(a.possible ?? false));
  }
  return [...groups.values()].sort((a, b) => Number(b.possible) - Number(a.possible) || a.order - b.order);
}

/**
 * The offers whose words have all that is searched for, whatever the width or case
 * of the letters.
 * @param {Api.OfferViewJson[]} offers
 * @param {string} search
 */
export function searchOffers(offers, search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return offers.filter(offer => words.every(word => plain(offer.text ?? "").includes(word)));
}

/** The kinds of what says where somebody walks. */
const WALKING = ["INPUT_KIND_PATH", "INPUT_KIND_DIRECTION"];

/**
 * What an offer asks for that says where its actor walks: a path or a direction.
 * @param {Api.OfferViewJson} offer
 */
export function wayOf({ inputs = [] }) {
  return inputs.find(({ kind = "" }) => WALKING.includes(kind));
}

/**
 * The offer by which a character walks on the map.
 * @param {Api.OfferViewJson[]} offers
 * @param {string} actor
 */
export function walkingOf(offers, actor) {
  return offers.find(offer => offer.actor === actor && wayOf(offer));
}

/** @param {string} text */
function plain(text) {
  return text.normalize("NFKC").toLowerCase().trim();
}

/**
 * What to keep of an offer to find it again.
 * @param {Api.OfferViewJson} offer
 * @returns {Shortcut}
 */
export function shortcutOf({ actor = "", action = {}, text = "" }) {
  return { actor, action, text };
}

/**
 * The offer that a shortcut means among those of now: the one of the same action,
 * or else, after the ruleset has changed, the one of the same name and words.
 * @param {Api.OfferViewJson[]} offers
 * @param {Shortcut} shortcut
 * @returns {Api.OfferViewJson | undefined}
 */
export function findOffer(offers, { actor, action, text }) {
  const own = offers.filter(offer => (offer.actor ?? "") === actor);
  return own.find(offer => canonical(offer.action) === canonical(action)) ??
    own.find(offer => actionName(offer.action) === actionName(action) && offer.text === text);
}

/**
 * JSON that does not depend on the order of keys, nor on whether what has no value
 * is written.
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  return JSON.stringify(value, (_, v) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) return v;
    const entries = Object.entries(v).filter(([, x]) => x !== "" && x !== 0 && x !== false && !(Array.isArray(x) && !x.length));
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * The command of a macro that takes the offer.
 * @param {Shortcut} shortcut
 */
export function macroCommand(shortcut) {
  return `await game.modules.get("hantei")?.api?.act(${JSON.stringify(shortcut)});`;
}
