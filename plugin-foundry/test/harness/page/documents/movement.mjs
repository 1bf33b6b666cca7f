/** How a change of place is described to hooks and to other clients. */
import { randomID } from "../foundry-utils.mjs";

/** Fills in of a waypoint what it leaves open. */
function whole(token, point, before) {
  const { x = before.x, y = before.y, elevation = before.elevation, ...rest } = point;
  return {
    x, y, elevation, width: token.width, height: token.height, shape: token.shape, action: "walk", snapped: false, explicit: false, checkpoint: false, ...rest,
  };
}

/** Parts a way at its checkpoints. */
export function segments(token, way) {
  const parts = [[]];
  let before = token._source;
  for (const [i, point] of way.entries()) {
    before = whole(token, point, before);
    parts.at(-1).push(before);
    if (before.checkpoint && i < way.length - 1) parts.push([]);
  }
  return parts;
}

/** What preMoveToken and moveToken are told. */
export function movementOf(token, change, { waypoints, method = "api", autoRotate = false, showRuler = false, constrainOptions = {} }) {
  const { x, y, elevation, width, height, shape } = token._source;
  const origin = { x, y, elevation, width, height, shape };
  const passed = waypoints ?? [whole(token, change, origin)];
  const size = token.parent.grid.size;
  let distance = 0;
  let spaces = 0;
  [origin, ...passed].reduce((a, b) => {
    const steps = Math.max(Math.abs(b.x - a.x), Math.abs(b.y - a.y)) / size;
    spaces += steps;
    distance += steps * token.parent.grid.distance;
    return b;
  });
  const destination = passed.at(-1);
  return {
    id: randomID(), chain: [], origin, destination: { x: destination.x, y: destination.y, elevation: destination.elevation, width, height, shape },
    passed: { waypoints: passed, distance, cost: distance, spaces, diagonals: 0 }, pending: { waypoints: [], distance: 0, cost: 0, spaces: 0, diagonals: 0 },
    history: { recorded: { waypoints: [] }, unrecorded: { waypoints: [] } }, method, autoRotate, showRuler, constrainOptions, constrained: false, recorded: false,
    state: "completed", updateOptions: {}, user: game.user.id,
  };
}
