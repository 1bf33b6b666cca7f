/**
 * The icons of marks, by the words that a ruleset has for them.
 */

/** How large they are drawn before the scene shows them smaller. */
const SIZE = 96;

/** Outlines in a square of 24 by 24 around 0,0. @type {Record<string, string>} */
const OUTLINES = {
  stairs: "M-10 9H-4V3H2V-3H8V-9H11",
  portal: "M0-10A7 10 0 1 1 0 10A7 10 0 1 1 0-10M0-5A3 5 0 1 1 0 5A3 5 0 1 1 0-5",
  chest: "M-10-2A10 7 0 0 1 10-2V8H-10ZM-10-2H10M-2-2V3H2V-2",
  enemy: "M-10 8C-10-12 10-12 10 8L5 4L0 8L-5 4ZM-4-3V-1M4-3V-1",
  trap: "M-10 8L-7-6L-4 8L0-6L4 8L7-6L10 8ZM-11 10H11",
  event: "M0-10L3-3L10-3L4 2L6 9L0 5L-6 9L-4 2L-10-3L-3-3Z",
  hunter: "M-8 10L4-10M-2-8C4-14 12-8 11-1C9-5 5-7 1-5",
};

/** What a word without an outline is drawn as. */
const OTHER = "M0-7A7 7 0 1 1 0 7A7 7 0 1 1 0-7";

/** @type {Map<string, PIXI.Texture>} */
const textures = new Map();

/**
 * The picture of an icon: dark with a light edge, to be seen on any ground.
 * @param {string} icon
 * @param {boolean} hidden  Drawn with a broken line.
 * @returns {PIXI.Texture}
 */
export function textureOf(icon, hidden) {
  const key = `${icon} ${hidden}`;
  const known = textures.get(key);
  if (known) return known;
  const picture = new OffscreenCanvas(SIZE, SIZE);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (picture.getContext("2d"));
  context.setTransform(SIZE / 28, 0, 0, SIZE / 28, SIZE / 2, SIZE / 2);
  context.lineJoin = context.lineCap = "round";
  const outline = new Path2D(OUTLINES[icon] ?? OTHER);
  for (const [color, width] of /** @type {const} */ ([["#fffdf7", 5], ["#20242b", 2]])) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(hidden && width === 2 ? [3, 3.5] : []);
    context.stroke(outline);
  }
  const texture = PIXI.Texture.from(/** @type {any} */ (picture));
  textures.set(key, texture);
  return texture;
}
