/**
 * A floor as walls and drawings of a scene: documents, which stay when the dungeon
 * is left, and which every player's browser gets.
 *
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {SceneMap} from "../present/places.mjs"
 * @import {Plan} from "./plan.mjs"
 */
import { MODULE } from "../constants.mjs";
import { otherSeats } from "../present/writer.mjs";
import { Chart, placeOf } from "./chart.mjs";
import { planOf } from "./plan.mjs";
import { blocksOf, linesOf } from "./walls.mjs";

/**
 * What is baked of a floor: what every player knows, or all that the GM sees.
 * @param {Session} session
 * @param {number} floor
 * @param {boolean} whole
 * @returns {Promise<Plan>}  Told is what every player knows.
 */
export async function planToBake(session, floor, whole) {
  const plan = planFrom(session, session.view, floor);
  const views = await Promise.all(otherSeats(session).map(seat => session.viewAs(seat)));
  const theirs = views.map(view => planFrom(session, view, floor));
  const known = (/** @type {(plan: Plan) => boolean} */ has) => theirs.every(has);
  const cells = plan.cells.map(cell => ({ ...cell, told: cell.told && known(other => other.cells.some(c => c.x === cell.x && c.y === cell.y)) }));
  const notes = plan.notes.map(note => ({ ...note, told: note.told && known(other => other.notes.some(n => n.x === note.x && n.y === note.y && n.text === note.text)) }));
  return whole ? { cells, notes } : { cells: cells.filter(cell => cell.told), notes: notes.filter(note => note.told) };
}

/**
 * @param {Session} session
 * @param {Api.TableViewJson | null} view
 * @param {number} floor
 */
function planFrom({ ruleset }, view, floor) {
  const chart = new Chart();
  chart.read(view?.dungeon);
  return planOf(chart, floor, ruleset?.marks ?? []);
}

/**
 * Puts a plan into a scene, instead of what was baked there before.
 * @param {Scene} scene
 * @param {SceneMap} link
 * @param {Plan} plan
 * @param {boolean} whole  Whether the plan has all of the floor.
 */
export async function bake(scene, link, plan, whole) {
  const corner = (/** @type {number} */ x, /** @type {number} */ y) => scene.grid.getTopLeftPoint({ i: y * link.scale + link.y, j: x * link.scale + link.x });
  const side = scene.grid.size * link.scale;
  const flags = { [MODULE]: { baked: true } };
  const walls = linesOf(plan.cells, whole).map(([x, y, toX, toY]) => {
    const [from, to] = [corner(x, y), corner(toX, toY)];
    return { c: [from.x, from.y, to.x, to.y], flags };
  });
  const blocks = [true, false].flatMap(told => [true, false].flatMap(wall => blocksOf(plan.cells.filter(cell => cell.told === told && cell.wall === wall))
    .map(block => drawing(corner(block.x, block.y), block.width * side, block.height * side, {
      fillType: CONST.DRAWING_FILL_TYPES.SOLID, fillColor: wall ? "#4d545e" : "#e9e2d0", fillAlpha: 1, strokeWidth: 0, hidden: !told, flags,
    }))));
  /** @type {Map<string, Plan["notes"]>} */
  const squares = Map.groupBy(plan.notes, ({ x, y, told }) => `${placeOf({ x, y })} ${told}`);
  const texts = [...squares.values()].map(notes => drawing(corner(notes[0].x, notes[0].y), side, side, {
    text: notes.map(note => note.text).join("\n"), fontSize: Math.max(12, Math.round(side / 8)), textColor: "#20242b", strokeWidth: 0, hidden: !notes[0].told, sort: 1, flags,
  }));
  await unbake(scene);
  await scene.createEmbeddedDocuments("Wall", /** @type {any} */ (walls));
  await scene.createEmbeddedDocuments("Drawing", /** @type {any} */ ([...blocks, ...texts]));
}

/**
 * The ids of what was baked into a scene.
 * @param {Scene} scene
 * @returns {{walls: string[], drawings: string[]}}
 */
export function bakedIn(scene) {
  return {
    walls: scene.walls.filter(wall => wall.getFlag(MODULE, "baked") === true).map(wall => wall.id ?? ""),
    drawings: scene.drawings.filter(drawing => drawing.getFlag(MODULE, "baked") === true).map(drawing => drawing.id ?? ""),
  };
}

/**
 * Takes away what was baked into a scene.
 * @param {Scene} scene
 * @returns {Promise<number>}  How many documents it was.
 */
export async function unbake(scene) {
  const { walls, drawings } = bakedIn(scene);
  await scene.deleteEmbeddedDocuments("Wall", walls);
  await scene.deleteEmbeddedDocuments("Drawing", drawings);
  return walls.length + drawings.length;
}

/**
 * @param {{x: number, y: number}} at
 * @param {number} width
 * @param {number} height
 * @param {object} more
 */
function drawing({ x, y }, width, height, more) {
  return { x, y, shape: { type: "r", width, height }, author: game.user.id, ...more };
}
