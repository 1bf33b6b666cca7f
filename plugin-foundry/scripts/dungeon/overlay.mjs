/**
 * @import {SceneMap} from "../present/places.mjs"
 * @import {Cell, Note, Plan} from "./plan.mjs"
 */
import { textureOf } from "./icons.mjs";
import { gapsOf, linesOf } from "./walls.mjs";

const DARK = 0x0b0d10;
const PASSAGE = 0xe9e2d0;
const WALL = 0x4d545e;
const LINE = 0xa89f8a;
const EDGE = 0x1c2026;

/** How opaque is drawn what no player knows, and the dark for who sees through it. */
const PALE = 0.4;

/** Between Foundry's layers of drawings, 600, and of tokens, 700. */
const LAYER = 650;

/**
 * A floor over a scene's picture, under its tokens. It is this client's alone: no
 * document has it.
 */
export class Overlay {
  /** @type {PIXI.Container | null} */
  #container = null;

  /**
   * @param {Scene} scene
   * @param {SceneMap} link
   * @param {Plan} plan
   * @param {boolean} seesAll  Whether the dark hides nothing from the reader.
   */
  draw(scene, link, plan, seesAll) {
    this.clear();
    const primary = canvas?.primary;
    if (!primary) return;
    const container = new PIXI.Container();
    container.name = "hantei-dungeon";
    container.eventMode = "none";
    // By these the group sorts what lies in it.
    Object.assign(container, { elevation: 0, sortLayer: LAYER, sort: 0 });
    const side = scene.grid.size * link.scale;
    const ground = container.addChild(new PIXI.Graphics());
    const corner = (/** @type {number} */ x, /** @type {number} */ y) => scene.grid.getTopLeftPoint({ i: y * link.scale + link.y, j: x * link.scale + link.x });
    ground.beginFill(DARK, seesAll ? PALE : 1);
    for (const { x, y, width, height } of darkness(scene.dimensions, plan.cells, corner, side)) ground.drawRect(x, y, width, height);
    ground.endFill();
    // A scene with a picture of the floor shows it where it is known.
    const bare = !hasPicture(scene);
    for (const cell of plan.cells) square(ground, corner(cell.x, cell.y), side, cell, bare);
    for (const [told, alpha] of /** @type {const} */ ([[false, PALE], [true, 1]])) {
      ground.lineStyle(Math.max(2, side / 25), EDGE, alpha);
      for (const [x, y, toX, toY] of linesOf(plan.cells.filter(cell => cell.told || !told), false)) {
        const [from, to] = [corner(x, y), corner(toX, toY)];
        ground.moveTo(from.x, from.y).lineTo(to.x, to.y);
      }
    }
    for (const note of plan.notes) {
      const together = plan.notes.filter(({ x, y }) => x === note.x && y === note.y);
      container.addChild(sprite(note, corner(note.x, note.y), side, together.indexOf(note), together.length));
    }
    this.#container = primary.addChild(container);
  }

  clear() {
    if (this.#container && !this.#container.destroyed) this.#container.destroy({ children: true });
    this.#container = null;
  }
}

/**
 * What of a scene is dark, in rectangles that do not overlap: they may let something
 * show through.
 * @param {{sceneX: number, sceneY: number, sceneWidth: number, sceneHeight: number}} dimensions
 * @param {Cell[]} cells
 * @param {(x: number, y: number) => {x: number, y: number}} corner
 * @param {number} side
 * @returns {{x: number, y: number, width: number, height: number}[]}
 */
function darkness({ sceneX: left, sceneY: top, sceneWidth, sceneHeight }, cells, corner, side) {
  if (!cells.length) return [{ x: left, y: top, width: sceneWidth, height: sceneHeight }];
  const [right, bottom] = [left + sceneWidth, top + sceneHeight];
  const { box, gaps } = gapsOf(cells);
  const from = corner(box.x, box.y);
  const to = corner(box.x + box.width, box.y + box.height);
  return [
    { x: left, y: top, width: sceneWidth, height: from.y - top }, { x: left, y: to.y, width: sceneWidth, height: bottom - to.y },
    { x: left, y: from.y, width: from.x - left, height: to.y - from.y }, { x: to.x, y: from.y, width: right - to.x, height: to.y - from.y },
    ...gaps.map(gap => ({ ...corner(gap.x, gap.y), width: gap.width * side, height: gap.height * side })),
  ].filter(({ width, height }) => width > 0 && height > 0);
}

/** @param {Scene} scene */
function hasPicture(scene) {
  return Boolean(/** @type {{background?: {src?: string | null}}} */ (/** @type {unknown} */ (scene)).background?.src);
}

/**
 * @param {PIXI.Graphics} ground
 * @param {{x: number, y: number}} at
 * @param {number} side
 * @param {Cell} cell
 * @param {boolean} bare
 */
function square(ground, at, side, { wall, told }, bare) {
  const alpha = told ? 1 : PALE;
  // What no player knows lies on the dark.
  if (!told) ground.beginFill(DARK, 1).drawRect(at.x, at.y, side, side).endFill();
  if (wall) ground.beginFill(WALL, bare ? alpha : alpha * 0.6).drawRect(at.x, at.y, side, side).endFill();
  else if (bare) ground.beginFill(PASSAGE, alpha).drawRect(at.x, at.y, side, side).endFill();
  ground.lineStyle(1, LINE, wall ? 0 : alpha).drawRect(at.x, at.y, side, side).lineStyle(0);
}

/**
 * An icon: in the middle of its square, or beside the others there.
 * @param {Note} note
 * @param {{x: number, y: number}} at
 * @param {number} side
 * @param {number} place
 * @param {number} count
 */
function sprite({ icon, hidden, told }, at, side, place, count) {
  const out = new PIXI.Sprite(textureOf(icon, hidden));
  const columns = Math.ceil(Math.sqrt(count));
  const room = side / columns;
  out.anchor.set(0.5);
  out.width = out.height = room * (count === 1 ? 0.7 : 0.9);
  out.position.set(at.x + (place % columns + 0.5) * room, at.y + (Math.floor(place / columns) + 0.5) * room);
  out.alpha = told ? 1 : 0.65;
  return out;
}
