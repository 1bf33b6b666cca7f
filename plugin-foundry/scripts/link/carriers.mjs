/**
 * The documents that carry links. A token that is linked to its actor shares the
 * actor's; one of many that are made from one actor has its own.
 */
import { MODULE } from "../constants.mjs";

/**
 * The document whose flag says for whom a token or actor stands.
 * @param {TokenDocument | Actor} document
 * @returns {TokenDocument | Actor}
 */
export function carrierOf(document) {
  if (document instanceof TokenDocument) return document.actorLink && document.actor ? document.actor : document;
  // The actor of a token that is not linked to one is that token's alone.
  return document.isToken && document.token ? document.token : document;
}

/**
 * All that could be linked: what has a token on the scene, and the world's actors
 * but those of which the scene has copies, which stand for themselves.
 * @param {Scene | null} [scene]  The one that is shown, unless said.
 * @returns {(TokenDocument | Actor)[]}
 */
export function carriers(scene = canvas?.scene ?? null) {
  const all = new Set(scene?.tokens.map(carrierOf) ?? []);
  const copied = new Set(scene?.tokens.filter(token => !token.actorLink).map(token => token.actorId));
  for (const actor of game.actors) if (!copied.has(actor.id) || linkOn(actor)) all.add(actor);
  return [...all];
}

/**
 * Links a document to a character, or to none.
 * @param {TokenDocument | Actor} document
 * @param {string | null} character
 */
export async function link(document, character) {
  const carrier = /** @type {any} */ (carrierOf(document));
  if (character) await carrier.setFlag(MODULE, "character", character);
  else await carrier.unsetFlag(MODULE, "character");
}

/**
 * The link that stands on a carrier itself.
 * @param {TokenDocument | Actor} document
 * @returns {string}
 */
export function linkOn(document) {
  return /** @type {any} */ (carrierOf(document)).getFlag(MODULE, "character") ?? "";
}
