/** What happens at the table is shown: on cards, in order, once, to each as they may know it. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";

/** Opens a table whose pages are connected, with the tokens linked. */
async function openLinked(options = {}) {
  const table = await openTable(options);
  const { actors, tokens, scene } = table.things;
  table.setting("hantei.url", table.url);
  table.setting("hantei.place", "loopback");
  const flag = character => ({ flags: { hantei: { character } } });
  table.world.perform({ action: "update", name: "Actor", data: [{ _id: actors.nurse._id, ...flag("nurse") }, { _id: actors.officer._id, ...flag("officer") }] }, null);
  table.world.perform({ action: "update", name: "Token", parent: `Scene.${scene._id}`, data: [{ _id: tokens.thug._id, ...flag("thug") }] }, null);
  return table;
}

/** Opens a user's page with the seat of that name. */
async function sit(table, name, { seat = name, ...options } = {}) {
  const { client = {}, ...rest } = options;
  const here = `${table.world.id}.${table.things.users[name]._id}`;
  const player = await table.join(name, {
    client: { "hantei.credentials": { [here]: { token: table.seats[seat].token, table: table.id } }, "hantei.speed": 0, ...client }, ...rest,
  });
  await player.until(() => game.modules.get("hantei").api.status === "live");
  return player;
}

const startCombat = { coc: { startCombat: { combatants: ["officer", "nurse", "thug"] } } };
const endTurn = { coc: { endTurn: {} } };

/** Plays until the officer may strike: he and the thug are equally quick, so dice decide. */
async function fight(table) {
  await table.act("gm", startCombat, { dice: ["1D100=10", "1D100=90"] });
  await table.act("jun", endTurn, { actor: "officer" });
  await table.act("eri", endTurn, { actor: "nurse" });
}

/** The cards that a user can see. */
const cards = player => player.do(() => [...document.querySelectorAll(".chat-log > .hantei-message")].filter(m => m.checkVisibility()).map(m => m.querySelector(".hantei-card")?.innerText ?? m.innerText));

describe("a fight", { skip }, () => {
  let table, gm, eri, jun;
  before(async () => {
    table = await openLinked();
    [gm, eri, jun] = [await sit(table, "gm"), await sit(table, "eri"), await sit(table, "jun")];
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  test("is told on cards, one for each step", async () => {
    await fight(table);
    await table.act("jun", { coc: { attack: { weapon: "baton", target: "thug" } } }, { actor: "officer", dice: ["1D100=23"] });
    await table.answer("gm", "thug", "dodge", { dice: ["1D100=47", "1D6=6", "1D4=2", "1D100=55"] });
    await eri.message("Officer rolls damage");
    await gm.message("Officer rolls damage");
    await gm.screenshot(picture("fight-gm"));
    await eri.screenshot(picture("fight-eri"));
    console.log(JSON.stringify(await cards(eri), null, 1));
    console.log(JSON.stringify(await cards(gm), null, 1));
    console.log(JSON.stringify(await gm.tokens()));
  });
});
