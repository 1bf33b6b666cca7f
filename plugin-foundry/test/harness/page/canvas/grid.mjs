/** A grid of squares; {i, j} are its rows and columns. */
export class SquareGrid {
  constructor({ type, size, distance, units, style, color, alpha }) {
    Object.assign(this, { type, size, distance, units, style, color, alpha, sizeX: size, sizeY: size, diagonals: 0, thickness: 1 });
  }

  get isGridless() {
    return this.type === 0;
  }

  get isSquare() {
    return this.type === 1;
  }

  get isHexagonal() {
    return false;
  }

  getOffset(at) {
    return "i" in at ? { i: at.i, j: at.j } : { i: Math.floor(at.y / this.size), j: Math.floor(at.x / this.size) };
  }

  getTopLeftPoint(at) {
    const { i, j } = this.getOffset(at);
    return { x: j * this.size, y: i * this.size };
  }

  getCenterPoint(at) {
    const { x, y } = this.getTopLeftPoint(at);
    return { x: x + this.size / 2, y: y + this.size / 2 };
  }

  getSnappedPoint({ x, y }) {
    return { x: Math.round(x / this.size) * this.size, y: Math.round(y / this.size) * this.size };
  }

  getVertices(at) {
    const { x, y } = this.getTopLeftPoint(at);
    const s = this.size;
    return [{ x, y }, { x: x + s, y }, { x: x + s, y: y + s }, { x, y: y + s }];
  }

  testAdjacency(a, b) {
    const [from, to] = [this.getOffset(a), this.getOffset(b)];
    return Math.max(Math.abs(from.i - to.i), Math.abs(from.j - to.j)) === 1;
  }

  getAdjacentOffsets(at) {
    const { i, j } = this.getOffset(at);
    return [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]].map(([di, dj]) => ({ i: i + di, j: j + dj }));
  }

  measurePath(waypoints) {
    let spaces = 0;
    const offsets = waypoints.map(w => this.getOffset(w));
    for (let n = 1; n < offsets.length; n++) spaces += Math.max(Math.abs(offsets[n].i - offsets[n - 1].i), Math.abs(offsets[n].j - offsets[n - 1].j));
    return { distance: spaces * this.distance, spaces, cost: spaces * this.distance, diagonals: 0, euclidean: spaces * this.distance, waypoints: [], segments: [] };
  }
}
