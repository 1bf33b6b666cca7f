/**
 * What is drawn of a floor. It knows no Foundry, and no ruleset: what a kind of
 * mark is called and which icon it has, the ruleset says.
 *
 * @import * as Api from "../../types/api.js"
 * @import {Chart} from "./chart.mjs"
 *
 * A square that is drawn; the others are dark.
 * @typedef {object} Cell
 * @property {number} x
 * @property {number} y
 * @property {boolean} wall
 * @property {boolean} told  Whether any player knows it: a player's own plan has no others.
 *
 * Something that lies on a square.
 * @typedef {object} Note
 * @property {number} x
 * @property {number} y
 * @property {string} icon
 * @property {string} text
 * @property {boolean} told
 * @property {boolean} hidden  Whether it shows only to who looks for it.
 * @property {string[]} of     The characters who know it, where each knows for itself.
 *
 * @typedef {object} Plan
 * @property {Cell[]} cells  Row by row.
 * @property {Note[]} notes
 */
import { placeOf } from "./chart.mjs";

/**
 * @param {Chart} chart
 * @param {number} floor
 * @param {Api.MarkInfoJson[]} kinds  As the ruleset names them.
 * @returns {Plan}
 */
export function planOf(chart, floor, kinds) {
  return { cells: cellsOf(chart, floor), notes: notesOf(chart, floor, new Map(kinds.map(kind => [kind.kind ?? "", kind]))) };
}

/**
 * @param {Chart} chart
 * @param {number} floor
 * @returns {Cell[]}
 */
function cellsOf(chart, floor) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ wall, /** @type {boolean} */ told) => cells.set(placeOf({ x, y, floor }), { x, y, wall, told });
  for (const [y, row] of (chart.floors.get(floor) ?? []).entries()) for (const [x, sign] of [...row].entries()) set(x, y, sign !== ".", false);
  for (const { square, terrain } of chart.squares) {
    if ((square?.floor ?? 0) === floor) set(square?.x ?? 0, square?.y ?? 0, terrain === "TERRAIN_WALL", true);
  }
  return [...cells.values()].sort((a, b) => a.y - b.y || a.x - b.x);
}

/**
 * What lies there: as it is for the GM, as it is known for others.
 * @param {Chart} chart
 * @param {number} floor
 * @param {Map<string, Api.MarkInfoJson>} kinds
 * @returns {Note[]}
 */
function notesOf(chart, floor, kinds) {
  /** @type {Note[]} */
  const notes = [];
  const drawn = new Set();
  for (const { feature = {}, text } of chart.features) {
    const known = feature.known ?? [];
    for (const { of = "", number = 0 } of known) drawn.add(`${of} ${number}`);
    if (feature.gone || (feature.square?.floor ?? 0) !== floor) continue;
    notes.push({ ...noteOf(feature, text, kinds), told: known.length > 0, hidden: Boolean(feature.hidden), of: known.flatMap(({ of }) => of || []) });
  }
  for (const { mark = {}, text } of chart.marks) {
    if ((mark.square?.floor ?? 0) !== floor || drawn.has(`${mark.of ?? ""} ${mark.number ?? 0}`)) continue;
    const note = { ...noteOf(mark, text, kinds), told: true, hidden: false, of: mark.of ? [mark.of] : [] };
    // A seat with several characters knows a thing as often as they do.
    const same = notes.find(other => other.told && other.x === note.x && other.y === note.y && other.icon === note.icon && other.text === note.text);
    if (same) same.of.push(...note.of);
    else notes.push(note);
  }
  return notes.sort((a, b) => a.y - b.y || a.x - b.x);
}

/**
 * @param {Api.DungeonMarkJson | Api.DungeonFeatureJson} thing
 * @param {Api.TextJson | undefined} text
 * @param {Map<string, Api.MarkInfoJson>} kinds
 */
function noteOf({ kind = "", square = {} }, text, kinds) {
  const info = kinds.get(kind);
  return { x: square.x ?? 0, y: square.y ?? 0, icon: info?.icon ?? "", text: text?.text || info?.name || kind };
}
