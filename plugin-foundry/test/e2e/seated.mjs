/** Pages that sit at the Hantei table: the module connects them, as after a pairing. */

/** Names the server to the world, as a GM would have. */
export function nameServer(table) {
  if (table.named) return;
  table.named = true;
  table.setting("hantei.server", { url: table.url, place: "loopback", plain: false });
}

/**
 * Opens a user's page with the token of a seat. Without a speed nothing moves.
 * @param {import("../harness/table.mjs").Table} table
 * @param {string} name
 * @param {object} [options]  As for join; seat: of another name; speed.
 */
export async function seated(table, name, { seat = name, speed = 0, client, ...options } = {}) {
  nameServer(table);
  const here = `${table.world.id}.${table.things.users[name]._id}`;
  const player = await table.join(name, { client: { "hantei.credentials": { [here]: { token: table.seats[seat].token, table: table.id } }, "hantei.speed": speed, ...client }, ...options });
  await sit(player);
  return player;
}

/** Waits until a page is at the table; again after it was loaded anew. */
export async function sit(player) {
  await player.until(() => game.modules.get("hantei").api.status === "live" && game.user.getFlag("hantei", "seat"));
  await player.do(() => {
    window.session = game.modules.get("hantei").api.session;
    // The names of what the page was told, to wait for.
    window.told = [];
    session.on("events", ({ events }) => { window.told.push(...events.map(event => event.name)); });
  });
}

/** Links the actors of the world to the characters of their names. */
export async function linkAll(gm) {
  await gm.do(() => Promise.all(game.actors.map(actor => actor.setFlag("hantei", "character", actor.name.toLowerCase()))));
}

/** Whose seat a character is. */
export const SEATS = { nurse: "eri", officer: "jun", thug: "gm" };

/** Begins a fight and lets it go on until it is a character's turn to strike. The server throws all dice. */
export async function fightUntil(table, character, more = []) {
  for (const name of ["gm", "eri", "jun"]) await serverRolls(table, name);
  await table.act("gm", { coc: { startCombat: { combatants: ["officer", "nurse", "thug", ...more] } } });
  for (;;) {
    const { view: { encounter } } = await table.as("gm", "GET", `/v1/tables/${table.id}/view`);
    const [turn] = encounter.turn;
    if (encounter.step === "actions" && turn === character) return;
    await table.act(SEATS[turn] ?? "gm", { coc: { endTurn: {} } }, { actor: turn });
  }
}

/** A seat lets the server throw its dice, or does not any more. */
export function serverRolls(table, name, does = true) {
  return table.as(name, "POST", `/v1/tables/${table.id}/seats/${table.seats[name].id}:setPolicies`, { policies: does ? [{ prompt: "dice", choice: "server_rolls" }] : [] });
}
