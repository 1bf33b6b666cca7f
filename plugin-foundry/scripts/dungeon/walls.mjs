/**
 * A floor in walls and blocks, as a scene keeps them. In squares of the floor: 0,0
 * is the corner of its first square. It knows no Foundry.
 *
 * @import {Cell} from "./plan.mjs"
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Block
 */

/**
 * The lines between passages and walls, each as long as it goes on straight.
 * @param {Cell[]} cells
 * @param {boolean} closed  Whether what is not among them is wall; else it may be anything.
 * @returns {[number, number, number, number][]}  From x, y to x, y.
 */
export function linesOf(cells, closed) {
  const walls = new Map(cells.map(cell => [`${cell.x},${cell.y}`, cell.wall]));
  /** Where pieces of length 1 begin, by the line on which they lie. @type {Map<string, number[]>} */
  const pieces = new Map();
  const piece = (/** @type {string} */ line, /** @type {number} */ at) => pieces.set(line, [...pieces.get(line) ?? [], at]);
  for (const { x, y, wall } of cells) {
    if (wall) continue;
    const barred = (/** @type {number} */ dx, /** @type {number} */ dy) => walls.get(`${x + dx},${y + dy}`) ?? closed;
    if (barred(0, -1)) piece(`h${y}`, x);
    if (barred(0, 1)) piece(`h${y + 1}`, x);
    if (barred(-1, 0)) piece(`v${x}`, y);
    if (barred(1, 0)) piece(`v${x + 1}`, y);
  }
  return [...pieces].flatMap(([line, begins]) => runs(begins).map(([from, to]) => {
    const at = Number(line.slice(1));
    return /** @type {[number, number, number, number]} */ (line.startsWith("h") ? [from, at, to, at] : [at, from, at, to]);
  }));
}

/**
 * Squares as few rectangles: rows of them, joined with those of the same width below.
 * @param {Pick<Cell, "x" | "y">[]} cells
 * @returns {Block[]}
 */
export function blocksOf(cells) {
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  for (const { x, y } of cells) rows.set(y, [...rows.get(y) ?? [], x]);
  /** @type {Block[]} */
  const blocks = [];
  for (const [y, columns] of [...rows].sort(([a], [b]) => a - b)) {
    for (const [from, to] of runs(columns)) {
      const above = blocks.find(block => block.x === from && block.width === to - from && block.y + block.height === y);
      if (above) above.height++;
      else blocks.push({ x: from, y, width: to - from, height: 1 });
    }
  }
  return blocks;
}

/**
 * The rectangle in which cells lie, and what of it no cell covers.
 * @param {Pick<Cell, "x" | "y">[]} cells  At least one.
 * @returns {{box: Block, gaps: Block[]}}
 */
export function gapsOf(cells) {
  const known = new Set(cells.map(({ x, y }) => `${x},${y}`));
  const [xs, ys] = [cells.map(cell => cell.x), cells.map(cell => cell.y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
  const all = Array.from({ length: box.width * box.height }, (_, n) => ({ x: x + n % box.width, y: y + Math.floor(n / box.width) }));
  return { box, gaps: blocksOf(all.filter(cell => !known.has(`${cell.x},${cell.y}`))) };
}

/**
 * Numbers that follow one another, as from and to.
 * @param {number[]} numbers
 * @returns {[number, number][]}
 */
function runs(numbers) {
  /** @type {[number, number][]} */
  const out = [];
  for (const n of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = out.at(-1);
    if (last && last[1] === n) last[1]++;
    else out.push([n, n + 1]);
  }
  return out;
}
