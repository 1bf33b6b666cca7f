/**
 * From a fresh world to the end of a fight, through the pages alone, as people use
 * them: a GM and Eri with Foundry in English, Jun with Foundry in Japanese.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable } from "../harness/table.mjs";

/** What the browser itself says of calls while the server is away. */
const OUTAGE = /Failed to load resource|net::ERR|ERR_INCOMPLETE_CHUNKED/;

describe("the story of an evening", { skip }, () => {
  let table, gm, eri, jun;
  before(async () => {
    table = await openTable({ dice: "on" });
    gm = await table.join("gm", { client: { "hantei.speed": 0.5 } });
    eri = await table.join("eri", { client: { "hantei.speed": 0.5 } });
    jun = await table.join("jun", { client: { "hantei.speed": 0.5, "core.language": "ja" } });
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  const text = (player, selector) => player.do(selector => document.querySelector(selector)?.innerText ?? "", selector);
  const live = player => player.page.waitForSelector(".hantei-badge.status-live");
  const shut = (player, id) => player.page.click(`#${id} .window-header [data-action=close]`);
  const menu = async (player, key) => {
    await player.page.click("#sidebar [data-tab=settings]");
    await player.page.click(`[data-action=openSubmenu][data-key="${key}"]`);
  };
  const pair = async (player, code, url) => {
    await player.page.click(".hantei-badge");
    if (url) await player.page.fill("#hantei-connection [name=url]", url);
    await player.page.fill("#hantei-connection [name=code]", code);
    await player.page.click("#hantei-connection [type=submit]");
    await live(player);
    await shut(player, "hantei-connection");
  };
  const at = (player, name, x, y) => player.until(([name, x, y]) => {
    const token = canvas.scene.tokens.find(t => t.name === name);
    return token.x === x * 100 && token.y === y * 100;
  }, [name, x, y]);
  /** The window of what a token's character can do, by the token's HUD. */
  const hud = async (player, name) => {
    await player.click(name, { button: "right" });
    await player.page.click("#token-hud .control-icon.hantei.fa-gavel");
    await player.page.waitForSelector("#hantei-actions .hantei-offer");
  };
  const aim = (player, name) => player.do(name => canvas.tokens.placeables.find(t => t.document.name === name).setTarget(true, { releaseOthers: true }), name);
  /** Looks for an action, opens it, and says what the dice on the table show. */
  const declare = async (player, search, given) => {
    await player.page.fill("#hantei-actions [name=search]", search);
    await player.until(() => document.querySelectorAll("#hantei-actions .hantei-offer:not(.hantei-barred)").length === 1);
    await player.page.click("#hantei-actions .hantei-offer [data-action=take]");
    if (given !== undefined) await player.page.fill("#hantei-actions [name=given]", given);
    if (given !== undefined) await player.page.click("#hantei-actions .hantei-form [data-action=send]");
    await player.until(() => document.querySelector("#hantei-actions .hantei-offer button:not(:disabled)") === null || document.querySelector("#hantei-actions .hantei-form") === null);
    await shut(player, "hantei-actions");
  };
  const asked = (player, choice) => player.page.waitForSelector(`.hantei-prompt button[data-choice=${choice}]:enabled`);
  const choose = async (player, choice) => (await asked(player, choice)).click();
  /** Says what a die on the table shows, when it is asked for. */
  const throwByHand = async (player, shows) => {
    await asked(player, "server_rolls");
    await player.page.fill(".hantei-prompt [name$='.dice']", shows);
    await player.page.click(".hantei-prompt [data-action=throw]");
    await player.until(() => document.querySelector(".hantei-prompt") === null);
  };
  const thrown = player => player.do(() => game.dice3d.thrown.flatMap(t => t.dice).map(d => [d.faces, d.result]));
  const statuses = async (player, name) => (await player.tokens())[name].statuses;

  test("the GM names the server and takes the seat", async () => {
    await pair(gm, await table.pairingCode("gm"), table.url);
    assert.equal(await gm.do(() => game.modules.get("hantei").api.session.isGM), true);
  });

  test("the players get a code each, and Jun reads Japanese", async () => {
    await menu(gm, "hantei.links");
    await gm.page.waitForSelector("#hantei-links table");
    for (const [name, player] of [["eri", eri], ["jun", jun]]) {
      await gm.page.click(`[data-action=code][data-seat="${table.seats[name].id}"]`);
      const output = await gm.page.waitForSelector(`tr:has([data-seat="${table.seats[name].id}"]) output`);
      await pair(player, await output.textContent());
    }
    assert.equal(await text(eri, ".hantei-badge"), "Hantei");
    assert.equal(await text(jun, ".hantei-badge"), "判定");
  });

  test("who stands for whom is found by name", async () => {
    await gm.page.click("#hantei-links [data-action=match]");
    await gm.page.waitForSelector("#hantei-links .finding.ok");
    await gm.page.click("#hantei-links [type=submit]");
    await jun.until(() => ["Nurse", "Officer", "Thug"].every(name => game.modules.get("hantei").api.characterOf(canvas.scene.tokens.find(t => t.name === name)) === name.toLowerCase()));
    await shut(gm, "hantei-links");
    await menu(gm, "hantei.bars");
    await gm.page.fill("#hantei-bars [name='character.hp']", "system.attributes.hp.value");
    await gm.page.click("#hantei-bars [type=submit]");
    await gm.until(() => game.settings.get("hantei", "bars").character?.hp);
  });

  test("everybody goes where the fight will be", async () => {
    await eri.drag("Nurse", { columns: 5, rows: 1 });
    await jun.drag("Officer", { columns: 4, rows: 0 });
    for (const player of [gm, eri, jun]) {
      await at(player, "Nurse", 7, 4);
      await at(player, "Officer", 8, 3);
    }
    await gm.until(() => game.modules.get("hantei").api.session.character("nurse").position?.x === 7 && game.modules.get("hantei").api.session.character("officer").position?.x === 8);
  });

  test("the GM begins the fight with those on the map", async () => {
    await gm.page.click("#scene-controls-box [data-tool=hantei]");
    await gm.page.waitForSelector("#hantei-actions [name=actor]");
    await gm.page.selectOption("#hantei-actions [name=actor]", "");
    await gm.page.fill("#hantei-actions [name=search]", "Start combat");
    await gm.page.click("#hantei-actions .hantei-offer [data-action=take]");
    const chosen = await gm.until(() => [...document.querySelectorAll("#hantei-actions .hantei-form input:checked")].map(i => i.value));
    assert.deepEqual(chosen, ["nurse", "officer", "thug", "true"], "those that everybody sees, where they stand");
    await gm.page.fill("#hantei-actions [name=given]", "1D100=10 1D100=90"); // the officer and the thug are equally quick
    await gm.page.click("#hantei-actions .hantei-form [data-action=send]");
    await shut(gm, "hantei-actions");
    await eri.message("A fight begins");
    await jun.until(() => [...document.querySelectorAll(".hantei-card")].some(c => c.innerText.includes("戦闘")));
    await jun.page.click("#sidebar [data-tab=combat]");
    await jun.until(() => document.querySelectorAll("#combat .combatant").length === 3);
    assert.deepEqual(await jun.do(() => [...document.querySelectorAll("#combat .combatant .name")].map(n => n.textContent)), ["Nurse", "Officer", "Thug"]);
    assert.deepEqual(table.world.all("Scene")[0].tokens.map(t => [t.x, t.y]), [[700, 400], [800, 300], [800, 400], [1000, 600]]);
  });

  test("Eri strikes the thug whom she targets, and the GM is asked how it defends itself", async () => {
    await hud(jun, "Officer");
    await declare(jun, "待機");
    await eri.until(() => game.combat.combatant.name === "Nurse");
    await aim(eri, "Thug");
    await hud(eri, "Nurse");
    await declare(eri, "attack with fist", "1D100=30");
    await asked(gm, "dodge");
    assert.match(await text(gm, ".hantei-prompt"), /Thug[^]*Nurse|Nurse[^]*Thug/);
    for (const player of [eri, jun]) assert.equal(await player.do(() => document.querySelector(".hantei-prompt")), null);
    await choose(gm, "none");
    await choose(eri, "server_rolls");
    await Promise.all([gm.message("Thug is wounded"), eri.message("rolls damage"), jun.message("ダメージ")]);
    const [[faces, result]] = await thrown(eri);
    assert.equal(faces, 3, "the server's die; the one that Eri threw lies on her own table");
    for (const player of [gm, jun]) assert.deepEqual(await thrown(player), [[faces, result]]);
    assert.match((await gm.chat()).at(-1).text, new RegExp(`-${result}, now ${13 - result}`));
    assert.doesNotMatch((await eri.chat()).at(-1).text, /now|wounded|armour/);
    await hud(eri, "Nurse");
    await declare(eri, "end turn");
    await jun.until(() => game.combat.combatant.name === "Officer");
  });

  test("Jun does the same in Japanese, and the thug falls, on everybody's map", async () => {
    await aim(jun, "Thug");
    await hud(jun, "Officer");
    assert.match(await text(jun, "#hantei-actions .window-title"), /Officer/);
    await declare(jun, "警棒で攻撃", "1D100=3");
    await choose(gm, "dodge");
    await throwByHand(gm, "99");
    for (let asks = 2; asks; asks--) {
      await asked(jun, "server_rolls");
      assert.match(await text(jun, ".hantei-prompt"), /サーバー/);
      await throwByHand(jun, "1");
    }
    for (const player of [gm, eri, jun]) await player.until(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").effects.children.some(e => e.name.includes("knocked_down")));
    assert.deepEqual(await statuses(jun, "Thug"), ["hantei-knocked_down"]);
    assert.match((await jun.chat()).at(-1).text, /Thugに【転倒】がついた/);
    assert.deepEqual(await statuses(jun, "Lurker"), [], "of the same actor, and somebody else");
  });

  test("the server ends in the middle of a question; when it is back, it is asked again, after a reload too", async () => {
    await hud(jun, "Officer");
    await declare(jun, "手番を終える");
    await gm.until(() => game.combat.combatant.name === "Thug");
    await aim(gm, "Nurse");
    await hud(gm, "Thug");
    await declare(gm, "attack with knife", "1D100=12");
    await asked(jun, "cover");
    assert.match(await text(jun, ".hantei-prompt"), /かばう/);
    await choose(jun, "decline");
    await asked(eri, "dodge");
    await table.hantei.kill();
    await eri.page.waitForSelector(".hantei-badge.status-away");
    await eri.page.click(".hantei-prompt button[data-choice=none]"); // nobody answers; it is kept, and sent when somebody does
    await table.hantei.start();
    await eri.reload();
    await choose(eri, "none");
    await throwByHand(gm, "1"); // the knife's
    await throwByHand(gm, "1"); // the thug's own strength; together too little for a shock
    await Promise.all([eri, jun].map(live));
    const left = await gm.until(() => [game.actors.getName("Nurse").system.attributes.hp.value].find(value => value !== 11));
    assert.ok(left > 5 && left < 11, String(left));
    for (const player of [eri, jun]) await player.until(left => game.actors.getName("Nurse").system.attributes.hp.value === left, left);
    assert.ok(OUTAGE.test(eri.errors.join()), "there was an outage");
    for (const player of [gm, eri, jun]) player.errors = player.errors.filter(e => !OUTAGE.test(e));
    await eri.message("Thug rolls damage");
    const cards = (await eri.chat()).filter(m => m.text.includes("rolls damage"));
    assert.equal(cards.length, 3, "each blow once");
  });

  test("the GM ends the fight", async () => {
    await gm.page.click("#scene-controls-box [data-tool=hantei]");
    await gm.page.waitForSelector("#hantei-actions [name=actor]");
    await gm.page.selectOption("#hantei-actions [name=actor]", "");
    await declare(gm, "end combat");
    await eri.message("The fight is over");
    for (const player of [gm, eri, jun]) await player.until(() => game.combats.size === 0 && document.querySelector(".hantei-prompt") === null);
    assert.equal(await jun.do(() => document.querySelectorAll("#combat .combatant").length), 0);
  });

  test("no player's browser was ever told what the thug has left", () => {
    for (const player of [eri, jun]) assert.deepEqual(pointsOf("thug", player.received()), []);
    assert.ok(pointsOf("thug", gm.received()).length > 0, "they would have been found");
    assert.ok(pointsOf("nurse", jun.received()).length > 0, "those of the party are no secret");
    assert.doesNotMatch(JSON.stringify(table.world.log), /wounded|now \d+/, "nor any document");
  });
});

/** All that is said of a character's hit points in what a page received. */
function pointsOf(character, received) {
  const found = [];
  const look = (value, whose) => {
    if (typeof value !== "object" || value === null) return;
    const owner = value.character && typeof value.character === "string" ? value.character : Array.isArray(value.resources) ? value.id : whose;
    if (owner === character && value.key === "hp" && value.value !== undefined) found.push(value.value);
    for (const part of Object.values(value)) look(part, owner);
  };
  for (const line of received.split("\n")) {
    try {
      look(JSON.parse(line), "");
    } catch {
      // not JSON: half a line at the end of a stream that broke
    }
  }
  return found;
}
