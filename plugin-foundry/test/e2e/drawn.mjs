/** What pages draw of a dungeon's floor, as it is seen on the screen. */

/**
 * The floor square by square: "." and "#" are passage and wall, "," and "%" the same
 * where no player knows it; what is dark is blank, "~" where the dark lets the scene show.
 * @param {import("../harness/player.mjs").Player} player
 * @param {{x: number, y: number, scale: number}} link  Where the floor lies on the scene.
 * @param {{columns: [number, number], rows: [number, number]}} part  From where to where.
 * @returns {Promise<string[]>}
 */
export function groundOf(player, link, { columns, rows }) {
  return player.do(({ x, y, scale, columns, rows }) => {
    const colors = { ".": [233, 226, 208], "#": [77, 84, 94], ",": [100, 98, 93], "%": [37, 41, 47], " ": [11, 13, 16], "~": [78, 75, 68] };
    canvas.app.render();
    const { width, height } = canvas.app.view;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(canvas.app.view, 0, 0);
    const corner = canvas.app.view.getBoundingClientRect();
    const sign = (column, row) => {
      // Near the far corner, where neither icons nor tokens are.
      const place = canvas.clientCoordinatesFromCanvas({ x: ((column + 0.95) * scale + x) * canvas.grid.size, y: ((row + 0.93) * scale + y) * canvas.grid.size });
      const [r, g, b] = context.getImageData(Math.round((place.x - corner.x) * width / corner.width), Math.round((place.y - corner.y) * height / corner.height), 1, 1).data;
      const [nearest] = Object.entries(colors).map(([name, [cr, cg, cb]]) => [name, Math.hypot(r - cr, g - cg, b - cb)]).sort((one, other) => one[1] - other[1]);
      return nearest[1] < 8 ? nearest[0] : `(${r},${g},${b})`;
    };
    const from = ([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
    return from(rows).map(row => from(columns).map(column => sign(column, row)).join(""));
  }, { ...link, columns, rows });
}

/**
 * The squares on which icons are drawn, one for each icon.
 * @param {import("../harness/player.mjs").Player} player
 * @param {{x: number, y: number, scale: number}} link
 * @returns {Promise<string[]>}
 */
export function iconsOf(player, link) {
  return player.do(({ x, y, scale }) => {
    const drawn = canvas.primary.children.find(child => child.name === "hantei-dungeon")?.children.filter(child => child instanceof PIXI.Sprite) ?? [];
    const square = (at, begin) => Math.floor((at / canvas.grid.size - begin) / scale);
    return drawn.map(icon => `${square(icon.x, x)},${square(icon.y, y)}`).sort();
  }, link);
}

/**
 * Points with the mouse at a square of the floor.
 * @param {import("../harness/player.mjs").Player} player
 * @param {{x: number, y: number, scale: number}} link
 * @param {{x: number, y: number}} square
 * @returns {Promise<string>}  What is said there.
 */
export async function tipOf(player, link, { x, y }) {
  const place = await player.do(({ x, y, link }) => {
    const { size } = canvas.grid;
    return canvas.clientCoordinatesFromCanvas({ x: ((x + 0.9) * link.scale + link.x) * size, y: ((y + 0.5) * link.scale + link.y) * size });
  }, { x, y, link });
  await player.page.mouse.move(place.x - 3, place.y);
  await player.page.mouse.move(place.x, place.y);
  return player.do(() => document.querySelector(".hantei-dungeon-tip")?.innerText ?? "");
}
