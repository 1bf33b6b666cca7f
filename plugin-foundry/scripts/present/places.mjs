/**
 * Squares of Hantei on scenes of Foundry. A scene says by the flag "map" which
 * floor it shows, on which of its grid squares that floor begins, and how many of
 * them are as wide as one square of the floor. Where no scene does, the active one
 * is the map.
 *
 * @import * as Api from "../../types/api.js"
 * @typedef {{x: number, y: number, floor: number, scale: number}} SceneMap
 */
import { MODULE } from "../constants.mjs";
import { characterOf } from "../link/registry.mjs";

/**
 * The scenes that are maps.
 * @returns {Scene[]}
 */
function maps() {
  const named = game.scenes.filter(scene => linkOf(scene) !== null);
  return named.length ? named : game.scenes.filter(scene => scene.active);
}

/**
 * How a scene is a map; null if it is none.
 * @param {Scene | null} scene
 * @returns {SceneMap | null}
 */
export function mapOf(scene) {
  if (!scene || !maps().some(map => map.id === scene.id)) return null;
  return linkOf(scene) ?? NOT_LINKED;
}

/** How the active scene is the map where no scene says that it is one. @type {SceneMap} */
export const NOT_LINKED = { x: 0, y: 0, floor: 0, scale: 1 };

/**
 * What a scene says of the floor that it shows; null if it says nothing.
 * @param {Scene | null} scene
 * @returns {SceneMap | null}
 */
export function linkOf(scene) {
  const link = scene?.getFlag(MODULE, "map");
  return link ? { ...NOT_LINKED, ...link } : null;
}

/**
 * All tokens on the maps.
 * @returns {TokenDocument[]}
 */
export function tokensOfMaps() {
  return maps().flatMap(scene => [...scene.tokens]);
}

/**
 * The tokens of a character on all maps.
 * @param {string} character
 * @returns {TokenDocument[]}
 */
export function tokensOnMaps(character) {
  return tokensOfMaps().filter(token => characterOf(token) === character);
}

/**
 * Where a token stands on a square; null if the scene shows another floor.
 * @param {Scene} scene
 * @param {Api.SquareJson} square
 * @param {{i: number, j: number}} [place]  On which row and column of it, where it is some grid squares wide.
 * @returns {{x: number, y: number} | null}
 */
export function pointOf(scene, { x = 0, y = 0, floor = 0 }, { i, j } = { i: 0, j: 0 }) {
  const map = mapOf(scene);
  if (!map || map.floor !== floor) return null;
  const point = scene.grid.getTopLeftPoint({ i: y * map.scale + map.y + i, j: x * map.scale + map.x + j });
  return { x: point.x, y: point.y };
}

/**
 * The square on which a token stands, or would at another point; null if its scene is
 * no map.
 * @param {TokenDocument} token
 * @param {{x: number, y: number}} [point]
 * @returns {{x: number, y: number, floor: number} | null}
 */
export function squareOf(token, point = token._source) {
  if (!token.parent) return null;
  const { grid } = token.parent;
  // The middle of its first square: a token that is not snapped lies on the one that it covers most.
  return squareAt(token.parent, { x: point.x + grid.sizeX / 2, y: point.y + grid.sizeY / 2 });
}

/**
 * The square of a point of a scene; null if the scene is no map.
 * @param {Scene} scene
 * @param {{x: number, y: number}} point
 * @returns {{x: number, y: number, floor: number} | null}
 */
export function squareAt(scene, point) {
  const map = mapOf(scene);
  if (!map) return null;
  const { i, j } = scene.grid.getOffset(point);
  return { x: Math.floor((j - map.x) / map.scale), y: Math.floor((i - map.y) / map.scale), floor: map.floor };
}

/**
 * @param {Api.SquareJson | null | undefined} a
 * @param {Api.SquareJson | null | undefined} b
 */
export function sameSquare(a, b) {
  return Boolean(a && b) && (a?.x ?? 0) === (b?.x ?? 0) && (a?.y ?? 0) === (b?.y ?? 0) && (a?.floor ?? 0) === (b?.floor ?? 0);
}
