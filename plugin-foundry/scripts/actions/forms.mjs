/**
 * Offers that do not fit inputs: for these the client asks by a form of its own, and
 * builds the typed action. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 *
 * What the map knows of a character.
 * @typedef {object} Standing
 * @property {Api.SquareJson} square
 * @property {boolean} hidden   Not everybody sees the token.
 * @property {boolean} chosen   The user has selected it.
 *
 * @typedef {object} Surroundings
 * @property {Api.CharacterViewJson[]} characters
 * @property {Map<string, Standing>} standing  Of the characters that have a token on the map.
 * @property {(key: string) => string} words   Of the lang files.
 */

/**
 * The body of an action that begins a fight; null if it is another one.
 * @param {Api.OfferViewJson} offer
 * @returns {{family: string, body: object} | null}
 */
function combatOf({ action }) {
  const [family, own] = Object.entries(action ?? {})[0] ?? [];
  return family && own && "startCombat" in own ? { family, body: /** @type {any} */ (own).startCombat } : null;
}

/** Whether an offer begins a fight, and can be taken now. @param {Api.OfferViewJson} offer */
export function beginsCombat(offer) {
  return Boolean(offer.possible && combatOf(offer));
}

/** Whether an offer can be taken here. @param {Api.OfferViewJson} offer */
export function hasForm(offer) {
  return !offer.form || combatOf(offer) !== null;
}

/**
 * What is to be filled in of an offer.
 * @param {Api.OfferViewJson} offer
 * @param {Surroundings} surroundings
 * @returns {Api.InputViewJson[]}
 */
export function inputsOf(offer, { characters, words }) {
  if (!offer.form || !combatOf(offer)) return offer.inputs ?? [];
  return [
    {
      name: "combatants", kind: "INPUT_KIND_CHARACTER", minCount: 1, maxCount: 50, text: words("Action.Combat.combatants"),
      choices: characters.map(({ id = "", name }) => ({ value: id, text: name || id })),
    },
    { name: "positions", kind: "INPUT_KIND_BOOL", minCount: 0, maxCount: 1, text: words("Action.Combat.positions") },
    { name: "notes", kind: "INPUT_KIND_TEXT", minCount: 0, maxCount: 1, max: 1000, text: words("Action.Combat.notes") },
  ];
}

/**
 * What a form is filled in with at first: those fight whose tokens are selected, or
 * else all whom everybody sees on the map.
 * @param {Api.OfferViewJson} offer
 * @param {Surroundings} surroundings
 * @returns {Record<string, string[]> | undefined}
 */
export function presetOf(offer, { characters, standing }) {
  if (!offer.form || !combatOf(offer)) return undefined;
  const there = characters.map(({ id = "" }) => id).filter(id => standing.has(id));
  const chosen = there.filter(id => standing.get(id)?.chosen);
  const fight = chosen.length ? chosen : there.filter(id => !standing.get(id)?.hidden);
  return { combatants: fight, ...(squaresOf(fight, standing) && { positions: ["true"] }) };
}

/**
 * What is sent for an offer.
 * @param {Api.OfferViewJson} offer
 * @param {Api.ValueJson[]} values
 * @param {Surroundings} surroundings
 * @returns {Omit<Api.ActRequestJson, "tableId">}
 */
export function requestOf(offer, values, { standing }) {
  const combat = offer.form ? combatOf(offer) : null;
  if (!combat) return { offer: { offerId: offer.id, ...(values.length && { values }) } };
  const of = (/** @type {string} */ name) => values.find(value => value.name === name)?.values ?? [];
  const combatants = of("combatants");
  const positions = of("positions")[0] === "true" ? squaresOf(combatants, standing) : null;
  const [notes] = of("notes");
  const startCombat = { ...combat.body, combatants, positions: positions ?? [], ...(notes && { notes }) };
  return { action: /** @type {any} */ ({ [combat.family]: { startCombat } }) };
}

/**
 * Where characters stand, as the server wants to know it: of all of them, each on a
 * square of its own. null if it cannot be told, or gives away somebody hidden.
 * @param {string[]} characters
 * @param {Map<string, Standing>} standing
 */
function squaresOf(characters, standing) {
  const all = characters.flatMap(character => {
    const found = standing.get(character);
    return found && !found.hidden ? [{ character, square: found.square }] : [];
  });
  const squares = new Set(all.map(({ square: { x = 0, y = 0, floor = 0 } }) => `${x},${y},${floor}`));
  return all.length && all.length === characters.length && squares.size === all.length ? all : null;
}
