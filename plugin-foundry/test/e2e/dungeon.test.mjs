/**
 * A dungeon is explored: each sees on the scene what the own character knows, the
 * GM all of it, also after the server was away, after a reload and after an undo.
 * The GM and Eri read English, Jun Japanese.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { groundOf, tipOf } from "./drawn.mjs";
import { seated, sit } from "./seated.mjs";

const at = (x, y, floor = 1) => ({ x, y, floor });

/** What the browser says of a server that is away. */
const OUTAGE = /Failed to load resource|net::ERR|ERR_INCOMPLETE_CHUNKED/;

const DUNGEON = {
  level: 20, moon: "MOON_FULL", weather: "WEATHER_RAIN",
  floors: [{ number: 1, rows: ["#.#.", "....", "..##", "...."] }, { number: 2, rows: ["...", "#.#"] }],
  features: [
    { id: 1, square: at(3, 3), stairs: { outside: true } }, { id: 3, square: at(2, 3), item: { macca: 4711 } },
    { id: 4, square: at(0, 2), trap: { kind: "dart" } }, { id: 5, square: at(1, 3), stairs: { stairs: 6 } }, { id: 6, square: at(0, 0, 2), stairs: { stairs: 5 } },
  ],
};

/** Where the floor lies on the scene: a square of it is two grid squares wide. */
const LINK = { x: 3, y: 2, scale: 2 };

/** The floor as it is seen, from square -1,-1 to 4,4. */
const seen = player => groundOf(player, LINK, { columns: [-1, 4], rows: [-1, 4] });

/** Moves the mouse on a square of the floor; what is said there. */
const hover = (player, x, y) => tipOf(player, LINK, { x, y });

const squares = (player, n) => player.until(n => session.view?.dungeon?.squares?.length === n, n);

describe("an explored dungeon", { skip }, () => {
  let table, gm, eri, jun;
  before(async () => {
    table = await openTable({ ruleset: "persona", samples: { eri: "a", jun: "c" }, options: [{ key: "knowledge_scope", value: "individual" }] });
    const { actors, tokens, scene } = table.things;
    const update = (name, data, parent) => table.world.perform({ action: "update", name, data, ...(parent && { parent }) }, null);
    update("Actor", [{ _id: actors.nurse._id, name: "Aoi", flags: { hantei: { character: "a" } } }, { _id: actors.officer._id, name: "Chiharu", flags: { hantei: { character: "c" } } }]);
    update("Token", [{ _id: tokens.nurse._id, name: "Aoi" }, { _id: tokens.officer._id, name: "Chiharu" }, { _id: tokens.thug._id, x: 1700, y: 1200 }, { _id: tokens.lurker._id, x: 1800, y: 1200 }], `Scene.${scene._id}`);
    gm = await seated(table, "gm");
    eri = await seated(table, "eri");
    jun = await seated(table, "jun", { client: { "core.language": "ja" } });
    await table.act("gm", { persona: { startSession: { level: 20 } } });
  });
  after(() => table?.close());

  const shot = (player, name) => player.screenshot(picture(`dungeon-${name}`));
  const place = async (player, name) => {
    const { x, y, visible } = (await player.tokens())[name];
    return visible ? `${x},${y}` : "";
  };
  const stands = (player, name, x, y) => player.until(([name, x, y]) => {
    const token = canvas.tokens.placeables.find(t => t.document.name === name);
    return token.x === x && token.y === y && !token.document.hidden;
  }, [name, x, y]);
  const move = (name, actor) => table.act(name, { persona: { move: { direction: "DIRECTION_LEFT" } } }, { actor });
  /** Opens the GM's window of the scene. */
  const openLink = async () => {
    await gm.page.click("[data-tool=hanteiDungeon]");
    await gm.page.waitForSelector("#hantei-scene-link [name=floor]");
  };
  const press = async (action, said) => {
    await gm.page.click(`#hantei-scene-link [data-action=${action}]`);
    await gm.until(said => document.querySelector("#hantei-scene-link [role=status]")?.innerText.includes(said), said);
  };

  test("the GM links the scene to a floor", async () => {
    assert.equal(await eri.do(() => document.querySelector("[data-tool=hanteiDungeon]")), null, "a player has no button for it");
    await openLink();
    for (const [name, value] of Object.entries({ floor: 1, ...LINK })) await gm.page.fill(`#hantei-scene-link [name=${name}]`, String(value));
    await shot(gm, "link");
    await gm.page.click("#hantei-scene-link [type=submit]");
    await gm.until(() => canvas.scene.getFlag("hantei", "map"));
    assert.deepEqual(await gm.do(() => canvas.scene.getFlag("hantei", "map")), { floor: 1, ...LINK });
    await gm.until(() => document.querySelector("#hantei-scene-link [role=status]").innerText.includes("saved"));
    await shot(gm, "linked");
    await gm.do(() => foundry.applications.instances.get("hantei-scene-link").close({ animate: false }));
    assert.equal(await gm.do(() => canvas.primary.children.some(c => c.name === "hantei-dungeon")), false, "nothing is explored yet");
  });

  test("it begins: both stand on the stairs, side by side, and see what is around", async () => {
    await table.act("gm", { persona: { startExploration: { party: ["a", "c"], dungeon: DUNGEON } } });
    await table.answer("eri", "a", "alpha");
    await Promise.all([squares(gm, 10), squares(eri, 5), squares(jun, 5)]);
    for (const player of [gm, eri, jun]) {
      await stands(player, "Aoi", 900, 800);
      await stands(player, "Chiharu", 1000, 800);
    }
    const around = ["      ", "      ", "      ", "    # ", "   ..#", "    # "];
    assert.deepEqual(await seen(eri), around);
    assert.deepEqual(await seen(jun), around);
    assert.deepEqual(await seen(gm), ["~~~~~~", "~%,%,~", "~,,,,~", "~,,%#~", "~,,..#", "~~~~#~"]);
    assert.equal(await hover(eri, 3, 3), "Stairs, leading outside.");
    assert.equal(await hover(eri, 2, 3), "");
    assert.match(await hover(gm, 0, 2), /Dart[^]*No player knows of it/);
    await shot(gm, "begun-gm");
    await shot(eri, "begun");
  });

  test("Jun goes on, token and all; Eri sees the token go, into the dark", async () => {
    await move("jun", "c");
    await Promise.all([squares(jun, 8), squares(gm, 13)]);
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 700, 800);
    assert.deepEqual(await seen(jun), ["      ", "      ", "      ", "   ## ", "  ...#", "   ## "]);
    assert.deepEqual(await seen(eri), ["      ", "      ", "      ", "    # ", "   ..#", "    # "]);
    assert.deepEqual(await seen(gm), ["~~~~~~", "~%,%,~", "~,,,,~", "~,,##~", "~,...#", "~~~##~"]);
    assert.match(await hover(jun, 2, 3), /^アイテム、4711マッカ。$/);
    await shot(jun, "item");
    assert.match(await hover(gm, 2, 3), /4711[^]*Known to Chiharu/);
    assert.equal(await hover(eri, 2, 3), "");
    await jun.message("4711");
    assert.equal((await jun.chat()).some(card => /2,2,1/.test(card.text)), false, "squares are on the scene, not on cards");
  });

  test("the server goes and comes back in the middle", async () => {
    await table.hantei.kill();
    await jun.until(() => session.state === "away");
    assert.deepEqual((await seen(jun))[4], "  ...#", "what is known stays");
    await table.hantei.start();
    for (const player of [gm, eri, jun]) await player.do(() => session.retry());
    for (const player of [gm, eri, jun]) await player.until(() => session.state === "live");
    await jun.drag("Chiharu", { columns: -LINK.scale });
    await squares(jun, 11);
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 500, 800);
    assert.deepEqual(await seen(jun), ["      ", "      ", "      ", "  .## ", " ....#", "  ### "]);
    assert.equal((await seen(eri))[4], "   ..#");
  });

  test("who loads the page anew sees the same", async () => {
    const before = await seen(jun);
    await jun.reload();
    await sit(jun);
    await squares(jun, 11);
    await jun.until(() => canvas.primary.children.some(c => c.name === "hantei-dungeon"));
    assert.deepEqual(await seen(jun), before);
    assert.match(await hover(jun, 2, 3), /4711/);
  });

  test("a step that is taken back is not known any more", async () => {
    await table.as("gm", "POST", `/v1/tables/${table.id}:undo`, { requestId: crypto.randomUUID() });
    await squares(jun, 8);
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 700, 800);
    assert.deepEqual(await seen(jun), ["      ", "      ", "      ", "   ## ", "  ...#", "   ## "]);
    assert.equal((await seen(gm))[4], "~,...#");
  });

  test("who is on another floor is not on this scene", async () => {
    await table.act("gm", { core: { place: { character: "c", square: at(0, 0, 2) } } });
    for (const player of [eri, jun]) await player.until(() => !canvas.tokens.placeables.find(t => t.document.name === "Chiharu").visible);
    assert.equal(await place(eri, "Aoi"), "900,800");
    await table.act("gm", { core: { place: { character: "c", square: at(3, 3) } } });
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 1000, 800);
  });

  test("a token that is dragged goes back where the rules do not let it go, and it says why", async () => {
    const sent = player => player.requests().filter(request => request.path.endsWith(":act")).length;
    const before = sent(jun);
    const drag = async (player, name, columns, rows, why) => {
      await player.drag(name, { columns, rows });
      if (why) await player.until(why => ui.notifications.shown.some(({ message }) => message === why), why);
    };
    await drag(jun, "Chiharu", 0, -2, "「移動」でここから行けるのは左だけです。");
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 1000, 800);
    await drag(jun, "Chiharu", -4, 0, "「移動」でここから行けるのは左だけです。");
    await drag(eri, "Aoi", -2, 0, "Move: It is not this character's turn.");
    // Beside the other, on the same square, it may stand where one likes.
    await drag(jun, "Chiharu", 0, 1);
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 1000, 900);
    for (const player of [gm, eri, jun]) await stands(player, "Aoi", 900, 800);
    assert.equal(sent(jun), before, "the server was not asked");
    eri.errors.length = 0; // the browser's own line about the refusal
  });

  test("the GM puts a token where it shall be, and the server knows it", async () => {
    await gm.drag("Chiharu", { columns: -4, rows: -3 });
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 600, 600);
    assert.deepEqual((await table.as("jun", "GET", `/v1/tables/${table.id}/characters/c`)).character.position, at(1, 2));
    await gm.drag("Chiharu", { columns: 4, rows: 2 });
    for (const player of [gm, eri, jun]) await stands(player, "Chiharu", 1000, 800);
  });

  test("no byte that reached Eri, and no document, has what Jun found", () => {
    const found = (player, words) => [...new Set(player.received().match(words) ?? [])];
    assert.deepEqual(found(eri, /.{60}(4711|mark\.item|"of":"c","(square|number)").{60}/g), []);
    assert.deepEqual(found(jun, /4711/g), ["4711"], "it would have been found");
    assert.deepEqual(found(jun, /"words":\["dart"\]/g), []);
    assert.doesNotMatch(JSON.stringify(table.world.log), /4711/);
  });

  test("the GM puts into the scene what every player knows, or the whole floor", async () => {
    const baked = () => gm.do(() => ({
      walls: canvas.scene.walls.map(w => w.c.join(" ")).sort(),
      drawings: canvas.scene.drawings.map(d => [d.x, d.y, d.shape.width, d.shape.height, d.fillColor, d.text, d.hidden].join(" ")).sort(),
    }));
    await openLink();
    await press("bake", "5 squares");
    const known = await baked();
    assert.deepEqual(known.walls, ["1100 800 1100 1000", "900 1000 1100 1000", "900 800 1100 800"]);
    assert.deepEqual(known.drawings.filter(d => d.includes("#e9e2d0")), ["700 800 400 200 #e9e2d0  false"]);
    assert.equal(known.drawings.filter(d => d.includes("Stairs")).length, 1);
    assert.doesNotMatch(JSON.stringify(known), /4711/);
    await gm.page.check("#hantei-scene-link [name=whole]");
    await press("bake", "Put into the scene: 19");
    const whole = await baked();
    assert.ok(whole.drawings.some(d => d.includes("4711") && d.endsWith("true")), "what not all know is hidden");
    assert.ok(whole.drawings.filter(d => d.includes("Stairs, leading outside")).every(d => d.endsWith("false")));
    assert.ok(whole.walls.includes("300 400 300 1000"), "the edge of the floor is closed");
    await shot(gm, "baked");
    await press("unbake", "Taken away");
    assert.deepEqual(await baked(), { walls: [], drawings: [] });
    await gm.do(() => foundry.applications.instances.get("hantei-scene-link").close({ animate: false }));
  });

  test("the scene is as it was when the dungeon is left", async () => {
    await shot(gm, "end-gm");
    await shot(jun, "end");
    await table.act("gm", { persona: { endExploration: { reason: "END_REASON_ABORTED" } } });
    for (const player of [gm, eri, jun]) await player.until(() => !canvas.primary.children.some(c => c.name === "hantei-dungeon"));
  });

  test("nothing went wrong in the pages", async () => {
    for (const player of [gm, eri, jun]) player.errors = player.errors.filter(error => !OUTAGE.test(error));
    assert.deepEqual(await table.faults(), {});
  });
});
