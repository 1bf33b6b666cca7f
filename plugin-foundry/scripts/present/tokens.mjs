/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Manner} from "./queue.mjs"
 */
import { HanteiError } from "../api/client.mjs";
import { walkingOf } from "../actions/offers.mjs";
import { aborted } from "../api/pause.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { stepsTo, writeSquare } from "../inputs/fields.mjs";
import { characterOf } from "../link/registry.mjs";
import { pointOf, sameSquare, squareOf, tokensOnMaps } from "./places.mjs";

/** How a token is moved as the server says: rules and walls are not Foundry's concern. */
const SERVED = {
  method: /** @type {const} */ ("api"), autoRotate: false, showRuler: false, constrainOptions: { ignoreWalls: true, ignoreCost: true },
};

/** The ways in which people move tokens. */
const BY_HAND = new Set(["dragging", "keyboard", "config", "undo", "paste"]);

/**
 * Moves the tokens of a character to where the server says that it stands, along
 * its path if there is one. Those that stand there are left alone: somebody has put
 * them there, and that is what the server tells.
 * @param {string} character
 * @param {Api.SquareJson} square
 * @param {Api.SquareJson[]} path
 * @param {Manner} manner
 */
export async function walk(character, square, path, { signal, instant }) {
  await Promise.all(tokensOnMaps(character).map(async token => {
    if (!token.parent || sameSquare(squareOf(token), square)) return;
    const squares = sameSquare(path.at(-1), square) ? path : [square];
    const points = squares.flatMap(s => pointOf(/** @type {Scene} */ (token.parent), s) ?? []);
    if (points.length !== squares.length) return;
    const way = instant ? points.slice(-1) : points;
    await token.move(way, /** @type {any} */ ({ ...SERVED, ...(instant && { animate: false }) }));
    if (instant) return;
    // Version 13 says so at the first checkpoint, 14 at the end; the animation is over later.
    const object = /** @type {{movementAnimationPromise?: Promise<unknown> | null} | null} */ (/** @type {unknown} */ (token.object));
    await Promise.race([object?.movementAnimationPromise, aborted(signal)]);
  }));
}

/**
 * Tells the server where a user has put a token, when that is one of a character. In
 * a fight a player walks by the offer for it, along the way that the token was moved.
 * The server may refuse it: then the token goes back.
 * @param {Session} session
 * @param {TokenDocument} token
 * @param {TokenDocument.MovementOperation} movement
 */
export async function report(session, token, movement) {
  const character = characterOf(token);
  const square = squareOf(token);
  if (!character || !square || !BY_HAND.has(movement.method)) return;
  if (movement.pending?.waypoints.length) return; // on its way still
  const way = session.isGM || !session.view?.encounter ? undefined : walkingOf(session.view.offers ?? [], character);
  try {
    await session.act(way?.possible ? walking(way, token, movement) : { action: { core: { place: { character, square } } } });
  } catch (error) {
    // Without an answer the token stays where it is, and is put right when there is one.
    if (!(error instanceof HanteiError) || error.transient) return;
    const reason = way?.reasonText ? words("Present.MoveBarred", { action: way.text ?? "", reason: way.reasonText }) : "";
    ui.notifications?.warn(reason || wordsOfError(error));
    const { x, y } = movement.origin;
    await token.move({ x, y }, SERVED);
  }
}

/**
 * The request by which a character walks along the way of its token.
 * @param {Api.OfferViewJson} offer
 * @param {TokenDocument} token
 * @param {TokenDocument.MovementOperation} movement
 */
function walking(offer, token, { origin, passed }) {
  const [begin, ...stops] = [origin, ...passed.waypoints].flatMap(point => squareOf(token, point) ?? []);
  const path = stops.flatMap((square, i) => stepsTo(i ? stops[i - 1] : begin, square));
  const { name } = offer.inputs?.find(input => input.kind === "INPUT_KIND_PATH") ?? {};
  return { offer: { offerId: offer.id, values: [{ name, values: [path.map(writeSquare).join(" ")] }] } };
}
