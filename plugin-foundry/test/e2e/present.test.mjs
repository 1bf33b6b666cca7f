/** What happens at the table is shown: on cards, in order, once, to each as they may know it. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { nameServer, seated } from "./seated.mjs";

/** Opens a table whose pages find the server, with actors and tokens linked. */
async function openLinked({ thugs = true, ...options } = {}) {
  const table = await openTable(options);
  const { actors, tokens, scene } = table.things;
  nameServer(table);
  const flag = character => ({ flags: { hantei: { character } } });
  table.world.perform({ action: "update", name: "Actor", data: [{ _id: actors.nurse._id, ...flag("nurse") }, { _id: actors.officer._id, ...flag("officer") }] }, null);
  if (thugs) table.world.perform({ action: "update", name: "Token", parent: `Scene.${scene._id}`, data: [{ _id: tokens.thug._id, ...flag("thug") }] }, null);
  return table;
}

const startCombat = { coc: { startCombat: { combatants: ["officer", "nurse", "thug"] } } };
const endTurn = { coc: { endTurn: {} } };
const place = (character, x, y) => ({ core: { place: { character, square: { x, y } } } });

/** Plays until the officer may strike: he and the thug are equally quick, so dice decide. */
async function fight(table) {
  await table.act("gm", startCombat, { dice: ["1D100=10", "1D100=90"] });
  await table.act("jun", endTurn, { actor: "officer" });
  await table.act("eri", endTurn, { actor: "nurse" });
}

/** The officer strikes the thug with a critical, who fumbles the dodge: 4 points, and down. */
async function strike(table) {
  await table.act("jun", { coc: { attack: { weapon: "baton", target: "thug" } } }, { actor: "officer", dice: ["1D100=3"] });
  await table.answer("gm", "thug", "dodge", { dice: ["1D100=99", "1D6=1", "1D4=1"] });
}

const roll = (table, name, audience, text, more = {}) => table.as(name, "POST", `/v1/tables/${table.id}:roll`, { formula: "1D100", text, audience, ...more });

/** The cards that a user can see, as text. */
const cards = player => player.do(() => [...document.querySelectorAll(".chat-log > .hantei-message")]
  .filter(m => m.checkVisibility()).map(m => m.querySelector(".hantei-card")?.innerText ?? `(no card) ${m.innerText}`));

/** How many cards there are in the world, whoever sees them. */
const anchors = table => table.world.all("ChatMessage").filter(m => m.flags.hantei?.card);

describe("a fight", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openLinked();
    [gm, eri] = [await seated(table, "gm"), await seated(table, "eri")];
    await fight(table);
    await strike(table);
    await Promise.all([eri.message("Thug is now knocked down"), gm.message("Thug is now knocked down")]);
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  test("is told on cards, one for each command", async () => {
    const seen = await cards(eri);
    assert.equal(seen.length, 5);
    assert.match(seen[0], /A fight begins/);
    assert.match(seen[0], /Round 1 begins/);
    assert.match(seen[3], /★?critical[^]*Officer: Club \(60\) on Thug: 3, critical/);
    assert.match(seen[4], /fumble[^]*Thug: Dodge: 99, fumble/);
  });

  test("says to the player what the player may know, and to the GM all", async () => {
    const [player, keeper] = [(await cards(eri)).at(-1), (await cards(gm)).at(-1)];
    assert.doesNotMatch(player, /armour|now 9|wounded/);
    assert.match(keeper, /armour 0 → 4/);
    assert.match(keeper, /-4, now 9/);
    assert.match(keeper, /Thug is wounded/);
    assert.deepEqual(await gm.do(() => [...document.querySelectorAll(".hantei-card .secret .text")].map(e => e.textContent.trim().split(" (")[0])),
      ["Officer: growth mark for Club", "Thug is wounded"]);
  });

  test("nothing of it stands in a document", () => {
    const all = anchors(table);
    assert.equal(all.length, 5);
    for (const message of all) {
      assert.deepEqual(Object.keys(message.flags.hantei.card).sort(), ["cursor", "step", "table"]);
      assert.deepEqual([message.rolls, message.whisper, message.flavor], [[], [], ""]);
      assert.equal(message.speaker.alias, "Hantei");
      assert.match(message.content, /^<p>Something happened at the Hantei table/);
    }
    assert.doesNotMatch(JSON.stringify(table.world.log), /now 9|wounded|armour/);
  });

  test("is there again after a reload, and not twice", async () => {
    const before = await cards(eri);
    await eri.reload();
    await eri.message("Thug is now knocked down");
    await eri.message("A fight begins");
    assert.deepEqual(await cards(eri), before);
    await gm.reload();
    await gm.message("Thug is wounded");
    assert.equal(anchors(table).length, 5);
  });

  test("is in the tracker, with whose turn it is", async () => {
    const tracker = await eri.until(() => game.combat && { round: game.combat.round, turn: game.combat.combatant?.name, order: game.combat.turns.map(c => c.name) });
    assert.deepEqual(tracker, { round: 1, turn: "Officer", order: ["Nurse", "Officer", "Thug"] });
  });

  test("is on the tokens", async () => {
    await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").actor.statuses.has("hantei-knocked_down"));
    const thugs = table.world.all("Actor").filter(a => a.name === "Thug");
    assert.equal(thugs.length, 1, "the status is that of the token, not of all that are made like it");
    assert.deepEqual(thugs[0].effects, []);
  });

  test("leaves the tracker when it is over", async () => {
    await table.act("gm", { coc: { endCombat: {} } });
    await eri.message("The fight is over");
    await eri.until(() => game.combats.size === 0);
  });

  test("can be read in screenshots", async () => {
    await eri.screenshot(picture("cards-player"));
    await gm.screenshot(picture("cards-gm"));
  });
});

describe("what not everybody is told", { skip }, () => {
  let table, gm, eri, jun;
  before(async () => {
    table = await openLinked();
    [gm, eri, jun] = [await seated(table, "gm"), await seated(table, "eri"), await seated(table, "jun")];
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  test("a roll for the GM is a card for the GM, and nothing to the players", async () => {
    await roll(table, "gm", "AUDIENCE_GM", "is the butler lying");
    await gm.message("is the butler lying");
    await roll(table, "eri", "AUDIENCE_PUBLIC", "an open roll", { actor: "nurse" });
    await Promise.all([eri.message("an open roll"), jun.message("an open roll")]);
    for (const player of [eri, jun]) {
      assert.equal((await cards(player)).length, 1);
      assert.doesNotMatch(player.received(), /butler/);
    }
    assert.doesNotMatch(JSON.stringify(table.world.log), /butler/);
    const [secret] = anchors(table);
    assert.deepEqual(secret.whisper, [table.things.users.gm._id]);
  });

  test("a roll for its player is a card for that player and the GM", async () => {
    await roll(table, "eri", "AUDIENCE_OWNER", "for my eyes", { actor: "nurse" });
    await Promise.all([eri.message("for my eyes"), gm.message("for my eyes")]);
    await roll(table, "jun", "AUDIENCE_PUBLIC", "after it", { actor: "officer" });
    await jun.message("after it");
    assert.ok(!(await cards(jun)).some(card => card.includes("for my eyes")));
    const { users } = table.things;
    assert.deepEqual(anchors(table).at(-2).whisper.sort(), [users.gm._id, users.eri._id].sort());
  });

  test("whoever sits at no table sees that there was something, and not what", async () => {
    const spectator = await table.join("spectator");
    await spectator.until(() => document.querySelectorAll(".hantei-message").length === 2);
    for (const card of await cards(spectator)) assert.match(card, /^\(no card\) Hantei\s+Something happened/);
  });
});

describe("whoever writes", { skip }, () => {
  let table;
  before(async () => {
    table = await openLinked();
    const { seat, pairingCode } = await table.as("gm", "POST", `/v1/tables/${table.id}/seats`, { name: "gm2", role: "SEAT_ROLE_GM" });
    const { token } = await table.hantei.call("POST", "/v1/pair", { code: pairingCode.code, name: "harness" });
    table.seats.gm2 = { id: seat.id, token };
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  test("two GMs, and one of them in two tabs, write one card", async () => {
    const [gm, gm2, tab] = [await seated(table, "gm"), await seated(table, "gm2"), await table.join("gm")];
    await tab.until(() => game.modules.get("hantei").api.status === "live");
    await roll(table, "eri", "AUDIENCE_PUBLIC", "just once", { actor: "nurse" });
    await Promise.all([gm, gm2, tab].map(page => page.message("just once")));
    assert.equal(anchors(table).length, 1);
    assert.equal(table.world.log.filter(o => o.name === "ChatMessage").length, 1, "it was tried again");

    // The tab that wrote is closed: the other one goes on.
    await gm.page.close();
    await roll(table, "eri", "AUDIENCE_PUBLIC", "once more", { actor: "nurse" });
    await Promise.all([gm2, tab].map(page => page.message("once more")));
    assert.equal(anchors(table).length, 2);

    // The GM leaves: the second one goes on.
    await tab.page.close();
    table.players.get("gm").page = null;
    await gm2.until(() => !game.users.find(u => u.name === "GM").active);
    await roll(table, "eri", "AUDIENCE_PUBLIC", "the second GM", { actor: "nurse" });
    await gm2.message("the second GM");
    assert.equal(anchors(table).length, 3);
  });

  test("what is played with no GM there is written when one comes back", async () => {
    const eri = await seated(table, "eri");
    await table.players.get("gm2").page.close();
    table.players.get("gm2").page = null;
    await eri.until(() => !game.users.some(u => u.isGM && u.active));
    await roll(table, "eri", "AUDIENCE_PUBLIC", "nobody writes this", { actor: "nurse" });
    await roll(table, "eri", "AUDIENCE_PUBLIC", "nor this", { actor: "nurse" });
    assert.equal(anchors(table).length, 3);
    await seated(table, "gm");
    await Promise.all([eri.message("nobody writes this"), eri.message("nor this")]);
    assert.equal(anchors(table).length, 5);
  });
});

describe("dice", { skip }, () => {
  let table;
  after(() => table?.close());
  afterEach(() => table?.close());

  test("fall before the card says what they mean, on the pages of those who may see them", async () => {
    table = await openLinked({ dice: "on" });
    const [gm, eri] = [await seated(table, "gm", { speed: 1 }), await seated(table, "eri", { speed: 1 })];
    for (const player of [gm, eri]) await player.do(() => {
      Hooks.on("diceSoNiceRollStart", () => { window.seenAtStart = [...document.querySelectorAll(".hantei-card")].map(e => e.innerText).join("|"); });
    });
    await roll(table, "eri", "AUDIENCE_PUBLIC", "with dice", { actor: "nurse", givenDice: [] });
    await Promise.all([eri.message("with dice"), gm.message("with dice")]);
    assert.equal(await eri.do(() => window.seenAtStart), "");
    const faces = await eri.do(() => game.dice3d.thrown.map(t => t.dice));
    assert.equal(faces.length, 1);
    assert.match((await cards(eri))[0], new RegExp(`\\b${faces[0][0].result}\\b`));
    await roll(table, "gm", "AUDIENCE_GM", "behind the screen");
    await gm.message("behind the screen");
    assert.equal(await eri.do(() => game.dice3d.thrown.length), 1);
    assert.deepEqual(table.world.all("ChatMessage").flatMap(m => m.rolls), []);
    assert.deepEqual(await table.faults(), {});
  });

  test("that never rest can be skipped", async () => {
    table = await openLinked({ dice: "stuck" });
    const [gm, eri] = [await seated(table, "gm"), await seated(table, "eri", { speed: 1 })];
    await roll(table, "eri", "AUDIENCE_PUBLIC", "stuck dice", { actor: "nurse" });
    await gm.message("stuck dice"); // without motion
    await eri.until(() => game.dice3d.thrown.length === 1);
    assert.deepEqual(await cards(eri), []);
    await eri.page.keyboard.press("Shift+KeyN");
    await eri.message("stuck dice");
    assert.deepEqual(await table.faults(), {});
  });

  test("that were thrown by hand are not thrown again", async () => {
    table = await openLinked({ dice: "stuck" });
    const gm = await seated(table, "gm", { speed: 1 });
    await table.act("gm", { coc: { check: { skill: "spot" } } }, { actor: "nurse", dice: ["1D100=44"] });
    await gm.message("44");
    assert.deepEqual(await gm.do(() => game.dice3d.thrown), []);
  });
});

describe("the map", { skip }, () => {
  for (const generation of [13, 14]) test(`follows the server, and tells it what hands do, in Foundry ${generation}`, async () => {
    const table = await openLinked({ generation });
    try {
      const [gm, eri] = [await seated(table, "gm", { speed: 1 }), await seated(table, "eri", { speed: 1 })];
      const at = async (player, name, x, y) => player.until(([name, x, y]) => {
        const token = canvas.tokens.placeables.find(t => t.document.name === name);
        return token.document.x === x * 100 && token.document.y === y * 100;
      }, [name, x, y]);
      const known = async id => (await table.as("gm", "GET", `/v1/tables/${table.id}/characters/${id}`)).character.position;

      await table.act("gm", place("officer", 6, 5));
      await Promise.all([at(gm, "Officer", 6, 5), at(eri, "Officer", 6, 5)]);

      await eri.drag("Nurse", { columns: 1, rows: 2 });
      await at(gm, "Nurse", 3, 5);
      await eri.until(() => game.modules.get("hantei").api.session.character("nurse").position?.y === 5);
      assert.deepEqual(await known("nurse"), { x: 3, y: 5, floor: 0 });
      assert.deepEqual(anchors(table), [], "the chat fills with what the map shows");
      const places = player => player.requests().filter(r => r.method === "POST" && r.path.endsWith(":act"));
      assert.equal(places(eri).length, 1);
      assert.equal(places(gm).length, 0, "the server was told what it had said itself");

      // In a fight a player moves by the rules: out of turn the server refuses, and the token goes back.
      await table.act("gm", startCombat, { dice: ["1D100=10", "1D100=90"] });
      await eri.message("A fight begins");
      await eri.drag("Nurse", { columns: 2, rows: 0 });
      await eri.until(() => ui.notifications.shown.some(n => n.message.startsWith("Move: Not now")));
      await Promise.all([gm, eri].map(player => at(player, "Nurse", 3, 5)));
      // In the own turn it is the move, once.
      await table.act("jun", endTurn, { actor: "officer" });
      await eri.until(() => game.modules.get("hantei").api.session.view.offers.some(o => o.actor === "nurse" && o.possible && o.inputs?.[0]?.kind === "INPUT_KIND_PATH"));
      await eri.drag("Nurse", { columns: 2, rows: -1 });
      await gm.until(() => game.modules.get("hantei").api.session.character("nurse").position?.x === 5);
      await Promise.all([gm, eri].map(player => at(player, "Nurse", 5, 4)));
      const { body } = places(eri).findLast(request => request.body.offer);
      assert.deepEqual(body.offer.values, [{ name: "path", values: ["4,4 5,4"] }]);
      await eri.until(() => game.modules.get("hantei").api.session.view.offers.some(o => o.actor === "nurse" && !o.possible && o.inputs?.[0]?.kind === "INPUT_KIND_PATH"));
      await eri.drag("Nurse", { columns: 1, rows: 0 });
      await eri.until(() => ui.notifications.shown.some(n => n.message === "Move: The move of this round is used."));
      await Promise.all([gm, eri].map(player => at(player, "Nurse", 5, 4)));
      assert.deepEqual(await known("nurse"), { x: 5, y: 4, floor: 0 });
      eri.errors.length = 0; // the browser's own lines about the refusals
      assert.deepEqual(await table.faults(), {});
    } finally {
      await table.close();
    }
  });

  test("shows who walks, and lets rise what each is told", async () => {
    const table = await openLinked();
    try {
      const [gm, eri] = [await seated(table, "gm", { speed: 1 }), await seated(table, "eri", { speed: 1 })];
      const positions = [["officer", 7, 4], ["nurse", 2, 3], ["thug", 8, 4]].map(([character, x, y]) => ({ character, square: { x, y } }));
      await table.act("gm", { coc: { startCombat: { ...startCombat.coc.startCombat, positions } } }, { dice: ["1D100=10", "1D100=90"] });
      await table.act("jun", endTurn, { actor: "officer" });
      await gm.do(() => {
        window.walked = [];
        Hooks.on("moveToken", (token, movement) => window.walked.push([token.name, movement.passed.waypoints.map(w => [w.x / 100, w.y / 100])]));
      });
      await table.act("eri", { coc: { move: { path: [{ x: 3, y: 3 }, { x: 4, y: 3 }, { x: 5, y: 2 }] } } }, { actor: "nurse" });
      assert.deepEqual(await gm.until(() => window.walked.some(([name]) => name === "Nurse") && window.walked.filter(([name]) => name === "Nurse")), [["Nurse", [[3, 3], [4, 3], [5, 2]]]]);
      await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").document.x === 500);
      await table.act("eri", endTurn, { actor: "nurse" });
      await strike(table);
      await Promise.all([gm.message("Thug is now knocked down"), eri.message("Thug is now knocked down")]);
      assert.match(JSON.stringify(await gm.said()), /−4/);
      assert.deepEqual(await eri.said(), [], "a player is not told how much the thug has lost");
      assert.deepEqual(await table.faults(), {});
    } finally {
      await table.close();
    }
  });

  test("shows on bars what everybody may know, where the GM has said so", async () => {
    const table = await openLinked({ system: "CoC7" });
    try {
      table.setting("hantei.bars", { character: { hp: "system.attribs.hp.value" } });
      const [gm, eri] = [await seated(table, "gm"), await seated(table, "eri")];
      const hurt = async (id, value) => {
        const { character } = await table.as("gm", "GET", `/v1/tables/${table.id}/characters/${id}`);
        await table.as("gm", "PATCH", `/v1/tables/${table.id}/characters/${id}`, { sheet: { resources: [{ key: "hp", value }] }, etag: character.etag });
      };
      await hurt("thug", 2);
      await hurt("nurse", 7);
      await eri.until(() => game.actors.find(a => a.name === "Nurse").system.attribs.hp.value === 7);
      assert.equal(table.world.all("Actor").find(a => a.name === "Thug").system.attribs.hp.value, 13);
      const token = table.world.all("Scene")[0].tokens.find(t => t.name === "Thug");
      assert.equal(JSON.stringify(token.delta ?? {}).includes("hp"), false);
      assert.deepEqual(await table.faults(), {});
      void gm;
    } finally {
      await table.close();
    }
  });
});

describe("a tab that is not looked at", { skip }, () => {
  test("says afterwards how much there is to read", async () => {
    const table = await openLinked({ dice: "stuck" });
    try {
      const [gm, eri] = [await seated(table, "gm"), await seated(table, "eri", { speed: 1 })];
      await eri.hide();
      await roll(table, "eri", "AUDIENCE_PUBLIC", "unseen", { actor: "nurse" });
      await gm.message("unseen");
      await eri.message("unseen");
      assert.equal(await eri.do(() => game.dice3d.thrown.length), 0);
      assert.deepEqual(await eri.notifications(), []);
      await eri.hide(false);
      await eri.until(() => ui.notifications.shown.length === 1);
      assert.match((await eri.notifications())[0].message, /^Hantei: 1 /);
      assert.deepEqual(await table.faults(), {});
    } finally {
      await table.close();
    }
  });
});

describe("a GM alone", { skip }, () => {
  test("sees the table move, and no points on bars; the bars have a window", async () => {
    const table = await openLinked({ system: "CoC7" });
    try {
      for (const name of ["eri", "jun"]) await table.as("gm", "POST", `/v1/tables/${table.id}/seats/${table.seats[name].id}:revoke`, {});
      table.setting("hantei.bars", { character: { hp: "system.attribs.hp.value" } });
      const gm = await seated(table, "gm");
      await table.act("gm", place("officer", 6, 5));
      await gm.until(() => canvas.tokens.placeables.find(t => t.document.name === "Officer").document.x === 600);
      await table.act("gm", startCombat, { dice: ["1D100=10", "1D100=90"] });
      await gm.until(() => game.combat?.turns.length === 3);
      assert.deepEqual(table.world.log.filter(o => o.name === "Actor" && JSON.stringify(o.data).includes("attribs") && o.action === "update"), []);

      await gm.do(() => {
        const { type: App } = game.settings.menus.get("hantei.bars");
        window.bars = new App();
        return window.bars.render({ force: true });
      });
      const field = await gm.page.waitForSelector("#hantei-bars input[name='character.hp']");
      assert.equal(await field.inputValue(), "system.attribs.hp.value");
      await gm.screenshot(picture("bars"));
      await field.fill(" system.attribs.san.value ");
      await gm.page.click("#hantei-bars button[type=submit]");
      await gm.until(() => game.settings.get("hantei", "bars").character?.hp === "system.attribs.san.value");
      assert.deepEqual(await table.faults(), {});
    } finally {
      await table.close();
    }
  });
});
