/** Pages that sit at the Hantei table, with the parts that ask and act running. */

/**
 * Connects a user's page with the token of the seat, and starts its parts.
 * @param {import("../harness/table.mjs").Table} table
 * @param {string} name
 * @param {object} [options]  As for join.
 */
export async function seated(table, name, options) {
  const player = await table.join(name, options);
  await sit(table, name, player);
  return player;
}

/** The same for a page that was loaded anew. */
export async function sit(table, name, player) {
  await player.do(async ({ url, token, id, language }) => {
    const load = path => import(`/modules/hantei/scripts/${path}.mjs`);
    const [{ Client }, { Session }, { prompts }, { actions }, { sheets }] = await Promise.all(
      ["api/client", "api/session", "prompts/prompts", "actions/actions", "apps/sheets"].map(load));
    const session = new Session({ client: new Client({ url, token, language }), table: id });
    // The names of what the page was told, to wait for.
    window.told = [];
    session.on("events", ({ events }) => { window.told.push(...events.map(event => event.name)); });
    await session.start();
    for (const part of [prompts, actions, sheets]) part.start(session);
    window.session = session;
  }, { url: table.url, token: table.seats[name].token, id: table.id, language: table.options.language });
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
