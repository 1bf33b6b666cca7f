/**
 * Which document of Foundry stands for which character of Hantei. The link is a
 * flag, "character", on the token or on its actor; the token's own comes first.
 */
import { MODULE } from "../constants.mjs";

/**
 * The id of the character that a token or actor stands for; null if for none. The
 * actor of a token that is not linked to one stands for whom the token does.
 * @param {TokenDocument | Actor | null | undefined} document
 * @returns {string | null}
 */
export function characterOf(document) {
  const isToken = document instanceof TokenDocument;
  const token = isToken ? document : document?.isToken ? document.token : null;
  const actor = isToken ? document.actor : document;
  return token?.getFlag(MODULE, "character") || actor?.getFlag(MODULE, "character") || null;
}

/**
 * The tokens of a scene that stand for a character.
 * @param {string} id
 * @param {Scene | null} [scene]  The one that is shown, unless said.
 * @returns {TokenDocument[]}
 */
export function tokensOf(id, scene = canvas?.scene ?? null) {
  return scene?.tokens.filter(token => characterOf(token) === id) ?? [];
}

/**
 * The actors of the world that stand for a character.
 * @param {string} id
 * @returns {Actor[]}
 */
export function actorsOf(id) {
  return game.actors.filter(actor => characterOf(actor) === id);
}
