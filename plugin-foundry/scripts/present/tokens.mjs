/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Manner} from "./queue.mjs"
 */
import { HanteiError } from "../api/client.mjs";
import { walkingOf, wayOf } from "../actions/offers.mjs";
import { aborted } from "../api/pause.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { MODULE } from "../constants.mjs";
import { directionTo, stepsTo, writeSquare } from "../inputs/fields.mjs";
import { characterOf } from "../link/registry.mjs";
import { linkOf, mapOf, pointOf, sameSquare, squareOf, tokensOnMaps } from "./places.mjs";

/** How a token is moved as the server says: rules and walls are not Foundry's concern. */
const SERVED = {
  method: /** @type {const} */ ("api"), autoRotate: false, showRuler: false, constrainOptions: { ignoreWalls: true, ignoreCost: true },
};

/** The ways in which people move tokens. */
const BY_HAND = new Set(["dragging", "keyboard", "config", "undo", "paste"]);

/** Where tokens are on their way to, on squares with room for several. @type {Map<TokenDocument, {x: number, y: number}>} */
const heading = new Map();

/**
 * Moves the tokens of a character to where the server says that it stands, along
 * its path if there is one. Those that stand there are left alone, since somebody has put
 * them there and that is what the server tells; unless it was just where another stands.
 * Where a scene shows another floor, its token of the character is hidden.
 * @param {string} character
 * @param {Api.SquareJson} square
 * @param {Api.SquareJson[]} path
 * @param {Manner} manner
 */
export async function walk(character, square, path, manner) {
  await Promise.all(tokensOnMaps(character).map(async token => {
    const scene = token.parent;
    if (!scene) return;
    const here = mapOf(scene)?.floor === (square.floor ?? 0);
    if (!here) return linkOf(scene) ? leave(token) : undefined;
    // From another floor nobody walks through the squares between.
    const arrives = token.getFlag(MODULE, "elsewhere") === true;
    const stands = sameSquare(squareOf(token), square);
    const aside = stands && isCovered(token, scene) ? freePlace(token, scene, square) : undefined;
    try {
      if (!stands || aside) {
        heading.set(token, aside ?? placeFor(token, scene, square));
        await lead(token, scene, square, stands ? [] : path, arrives ? { ...manner, instant: true } : manner);
      }
      if (arrives) await arrive(token);
    } finally {
      heading.delete(token);
    }
  }));
}

/**
 * @param {TokenDocument} token
 * @param {Scene} scene
 * @param {Api.SquareJson} square
 * @param {Api.SquareJson[]} path
 * @param {Manner} manner
 */
async function lead(token, scene, square, path, { signal, instant }) {
  const end = /** @type {{x: number, y: number}} */ (heading.get(token));
  const corner = pointOf(scene, square);
  if (!corner) return;
  const squares = sameSquare(path.at(-1), square) ? path : [square];
  const points = squares.flatMap(s => pointOf(scene, s) ?? []).map(({ x, y }) => ({ x: x + end.x - corner.x, y: y + end.y - corner.y }));
  if (points.length !== squares.length) return;
  const way = instant ? points.slice(-1) : points;
  await token.move(way, /** @type {any} */ ({ ...SERVED, ...(instant && { animate: false }) }));
  if (instant) return;
  // Version 13 says so at the first checkpoint, 14 at the end; the animation is over later.
  const object = /** @type {{movementAnimationPromise?: Promise<unknown> | null} | null} */ (/** @type {unknown} */ (token.object));
  await Promise.race([object?.movementAnimationPromise, aborted(signal)]);
}

/**
 * Where on a square a token finds room.
 * @param {TokenDocument} token
 * @param {Scene} scene
 * @param {Api.SquareJson} square
 * @returns {{x: number, y: number}}
 */
function placeFor(token, scene, square) {
  return freePlace(token, scene, square) ?? /** @type {{x: number, y: number}} */ (pointOf(scene, square));
}

/**
 * A place on a square where no other token stands or goes; undefined if the square is
 * not wide enough.
 * @param {TokenDocument} token
 * @param {Scene} scene
 * @param {Api.SquareJson} square
 */
function freePlace(token, scene, square) {
  const { scale } = /** @type {import("./places.mjs").SceneMap} */ (mapOf(scene));
  const taken = takenBy(token, scene);
  const places = Array.from({ length: scale * scale }, (_, n) => pointOf(scene, square, { i: Math.floor(n / scale), j: n % scale }));
  return places.find(point => point && !taken.has(`${point.x},${point.y}`)) ?? undefined;
}

/** Whether another token stands or goes just where a token stands. @param {TokenDocument} token @param {Scene} scene */
function isCovered(token, scene) {
  return takenBy(token, scene).has(`${token._source.x},${token._source.y}`);
}

/**
 * Where others stand or go than a token.
 * @param {TokenDocument} token
 * @param {Scene} scene
 */
function takenBy(token, scene) {
  const others = [...scene.tokens].filter(other => other !== token && (heading.has(other) || other.getFlag(MODULE, "elsewhere") !== true));
  return new Set(others.map(other => heading.get(other) ?? other._source).map(({ x, y }) => `${x},${y}`));
}

/** Hides a token whose character is on a floor that its scene does not show. @param {TokenDocument} token */
async function leave(token) {
  // What the GM has hidden stays so when it comes back.
  if (!token.hidden) await token.update({ hidden: true, flags: { [MODULE]: { elsewhere: true } } });
}

/** Shows a token again that was hidden since its character was elsewhere. @param {TokenDocument} token */
export async function arrive(token) {
  await token.update({ hidden: false, flags: { [MODULE]: { elsewhere: false } } });
}

/**
 * Tells the server where a user has put a token, when that is one of a character. In
 * a fight, or in a dungeon, a player walks by the offer for it, along the way that the
 * token was moved. Where the server does not follow, the token goes back.
 * @param {Session} session
 * @param {TokenDocument} token
 * @param {TokenDocument.MovementOperation} movement
 */
export async function report(session, token, movement) {
  const character = characterOf(token);
  const square = squareOf(token);
  if (!character || !square || !BY_HAND.has(movement.method)) return;
  if (movement.pending?.waypoints.length) return; // on its way still
  if (sameSquare(squareOf(token, movement.origin), square)) return; // it stands otherwise on the same square
  const offer = session.isGM || !session.view?.encounter ? undefined : walkingOf(session.view.offers ?? [], character);
  const request = offer?.possible ? walking(session, offer, token, movement) : { action: { core: { place: { character, square } } } };
  if (!request) {
    ui.notifications?.warn(words("Present.NoWay", { action: offer?.text ?? "", ways: waysOf(offer) }));
    await putBack(session, token, movement.origin);
    return;
  }
  try {
    const { outcome } = await session.act(request);
    // It may be that others are asked first: then the token walks when the server says so.
    if (!outcome?.events?.some(event => goesTo(event, character, square))) await putBack(session, token, movement.origin);
  } catch (error) {
    // Without an answer the token stays where it is, and is put right when there is one.
    if (!(error instanceof HanteiError) || error.transient) return;
    const reason = offer?.reasonText ? words("Present.MoveBarred", { action: offer.text ?? "", reason: offer.reasonText }) : "";
    ui.notifications?.warn(reason || wordsOfError(error));
    await putBack(session, token, movement.origin);
  }
}

/**
 * Whether an event brings a character to a square, whatever comes after it.
 * @param {Api.EventViewJson} event
 * @param {string} character
 * @param {Api.SquareJson} square
 */
function goesTo({ changes = [] }, character, square) {
  return changes.some(({ position }) => position?.character === character && sameSquare(position.after?.square, square));
}

/**
 * Moves a token that a user has moved back to where the server says that its character
 * stands: to where it was on that square, if it was there.
 * @param {Session} session
 * @param {TokenDocument} token
 * @param {{x: number, y: number}} origin  Where it was.
 */
async function putBack(session, token, origin) {
  await session.refresh().catch(() => {}); // else by what is known
  const position = session.character(characterOf(token) ?? "")?.position;
  if (!token.parent || sameSquare(squareOf(token), position)) return;
  const elsewhere = position && mapOf(token.parent)?.floor === (position.floor ?? 0) && !sameSquare(squareOf(token, origin), position);
  const { x, y } = elsewhere ? placeFor(token, token.parent, position) : origin;
  await token.move({ x, y }, SERVED);
}

/**
 * The request by which a character walks along the way of its token; null if the offer
 * has no such way.
 * @param {Session} session
 * @param {Api.OfferViewJson} offer
 * @param {TokenDocument} token
 * @param {TokenDocument.MovementOperation} movement
 */
function walking(session, offer, token, { origin, passed }) {
  const { name, kind, choices = [] } = wayOf(offer) ?? {};
  const [begin, ...stops] = [origin, ...passed.waypoints].flatMap(point => squareOf(token, point) ?? []);
  let value = "";
  if (kind === "INPUT_KIND_DIRECTION") {
    const to = stops.at(-1);
    value = directionTo(session.character(offer.actor ?? "")?.position ?? begin, to ?? begin);
    if (!choices.some(choice => choice.value === value)) return null;
  } else {
    value = stops.flatMap((square, i) => stepsTo(i ? stops[i - 1] : begin, square)).map(writeSquare).join(" ");
  }
  return { offer: { offerId: offer.id, values: [{ name, values: [value] }] } };
}

/** In which directions an offer lets its actor walk, in words. @param {Api.OfferViewJson | undefined} offer */
function waysOf(offer) {
  const { choices = [] } = offer && wayOf(offer) || {};
  return choices.map(({ value, text }) => text || value).join(words("Connection.comma"));
}
