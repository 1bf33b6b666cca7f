/** What comes up on ordinary evenings: own sheets, absent players, buttons and keys, several GMs. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable } from "../harness/table.mjs";
import { fightUntil, linkAll, seated } from "./seated.mjs";

/** The browser's own line about an answer that refuses. */
const refused = player => { player.errors = player.errors.filter(e => !/Failed to load resource/.test(e)); };
const shut = (player, id) => player.do(id => foundry.applications.instances.get(id)?.close({ animate: false }), id);

describe("the own sheet", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable();
    [gm, eri] = [await seated(table, "gm"), await seated(table, "eri")];
    await linkAll(gm);
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  const review = async () => (await table.as("gm", "GET", `/v1/tables/${table.id}/characters/nurse`)).character.review;
  const save = async (key, value) => {
    await eri.page.click("#hantei-sheet-nurse [data-action=edit]");
    await eri.page.fill(`#hantei-sheet-nurse [name='stat.${key}']`, String(value));
    await eri.page.click("#hantei-sheet-nurse [type=submit]");
  };

  test("opens from the header of the actor's own sheet", async () => {
    await eri.do(() => game.actors.getName("Nurse").sheet.render({ force: true }));
    await eri.page.waitForSelector(".controls-dropdown button", { state: "attached" });
    await eri.do(() => [...document.querySelectorAll(".controls-dropdown button")].find(b => b.textContent.includes("Hantei sheet")).click());
    await eri.page.waitForSelector("#hantei-sheet-nurse [data-stat=spot]");
    await eri.do(() => game.actors.getName("Nurse").sheet.close({ animate: false }));
  });

  test("changed by its player goes to the GM, who approves it", async () => {
    await save("spot", 55);
    await eri.until(() => document.querySelector("#hantei-sheet-nurse .hantei-instead")?.textContent.includes("waits for the GM"));
    assert.equal(await review(), "REVIEW_SUBMITTED");
    await gm.until(() => document.querySelector("#hantei-badge")?.textContent.includes("1 sheet to approve"));
    await gm.page.click("#hantei-badge button");
    await gm.page.click("#hantei-sheet-nurse [data-review=REVIEW_REJECTED]");
    await eri.until(() => document.querySelector("#hantei-sheet-nurse .hantei-instead")?.textContent.includes("declined"));
    await gm.until(() => document.querySelector("#hantei-badge") === null);
    await save("spot", 56);
    await gm.page.click("#hantei-badge button");
    await gm.page.click("#hantei-sheet-nurse [data-review=REVIEW_APPROVED]");
    await eri.until(() => document.querySelector("#hantei-sheet-nurse .hantei-instead") === null);
    assert.equal(await review(), "REVIEW_APPROVED");
    await gm.until(() => document.querySelector("#hantei-sheet-nurse [data-review]") === null);
    await shut(gm, "hantei-sheet-nurse");
  });

  test("a fight that is begun in Foundry's tracker is not the table's: the GM is told where that is begun", async () => {
    await gm.do(async () => {
      window.own = await Combat.create({});
      await window.own.startCombat();
    });
    await gm.until(() => ui.notifications.shown.some(n => n.message.includes("knows nothing of this fight") && n.message.includes("“Start combat”")));
    await gm.do(() => window.own.delete());
  });

  test("has what no rule reads, which its player changes without a review: others see the profile, and not the notes", async () => {
    await eri.page.click("#hantei-sheet-nurse [data-action=edit]");
    await eri.page.fill("#hantei-sheet-nurse [name='of.own_language']", "Ainu");
    await eri.page.click("#hantei-sheet-nurse [type=submit]");
    await eri.until(() => document.querySelector("#hantei-sheet-nurse [data-stat=own_language] small")?.textContent === "Ainu");
    await gm.do(() => game.modules.get("hantei").api.openSheet("nurse"));
    await gm.page.click("#hantei-sheet-nurse [data-review=REVIEW_APPROVED]");
    await eri.until(() => document.querySelector("#hantei-sheet-nurse .hantei-instead") === null);
    await shut(gm, "hantei-sheet-nurse");
    await eri.page.click("#hantei-sheet-nurse [data-action=edit]");
    await eri.page.fill("#hantei-sheet-nurse [name=label]", "Born");
    await eri.page.fill("#hantei-sheet-nurse [name=text]", "by the sea");
    await eri.page.fill("#hantei-sheet-nurse [name=notes]", "cannot swim\n<b>at all</b>");
    await eri.page.click("#hantei-sheet-nurse [type=submit]");
    await eri.until(() => document.querySelector("#hantei-sheet-nurse .hantei-notes p")?.textContent === "cannot swim\n<b>at all</b>");
    assert.equal(await eri.do(() => document.querySelector("#hantei-sheet-nurse .hantei-profile dl").innerText.replace(/\s+/g, " ")), "Born by the sea");
    assert.equal(await eri.do(() => document.querySelector("#hantei-sheet-nurse .hantei-instead")), null);
    const other = await table.as("jun", "GET", `/v1/tables/${table.id}/characters/nurse`);
    assert.deepEqual([other.character.profile, other.character.notes], [[{ label: "Born", text: "by the sea" }], ""]);
  });

  test("is not changed in a fight: the server says so in the sheet, and what was typed stays", async () => {
    await fightUntil(table, "nurse");
    await save("spot", 99);
    const error = await eri.until(() => document.querySelector("#hantei-sheet-nurse [data-error]:not([hidden])")?.textContent);
    const words = await table.as("eri", "PATCH", `/v1/tables/${table.id}/characters/nurse`, { sheet: { stats: [{ key: "spot", value: 99 }] } }).catch(e => e.message);
    assert.ok(words.includes(error), `${words} has: ${error}`);
    assert.equal(await eri.do(() => document.querySelector("#hantei-sheet-nurse [name='stat.spot']").value), "99");
    refused(eri);
    await eri.page.click("#hantei-sheet-nurse [data-action=cancel]");
    await eri.page.waitForSelector("#hantei-sheet-nurse [data-stat=spot] .hantei-value");
    assert.match(await eri.do(() => document.querySelector("#hantei-sheet-nurse [data-stat=spot]").innerText), /56/);
    await shut(eri, "hantei-sheet-nurse");
  });

  test("opens from the actor of a token that is like others, for whom that token stands", async () => {
    await gm.do(() => {
      const tokens = canvas.scene.tokens;
      return Promise.all([game.actors.getName("Thug").unsetFlag("hantei", "character"), tokens.find(t => t.name === "Thug").setFlag("hantei", "character", "thug")]);
    });
    assert.deepEqual(await gm.do(() => ["Thug", "Lurker"].map(name => game.modules.get("hantei").api.characterOf(canvas.scene.tokens.find(t => t.name === name).actor))), ["thug", null]);
  });
});

describe("buttons, keys and commands", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable({ generation: 14 });
    [gm, eri] = [await seated(table, "gm"), await seated(table, "eri")];
    await linkAll(gm);
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  const opened = id => eri.until(id => foundry.applications.instances.get(id)?.rendered && document.getElementById(id) !== null, id);

  test("the button among the token controls opens what the own character can do", async () => {
    await eri.page.click("#scene-controls-box [data-tool=hantei]");
    await opened("hantei-actions");
    assert.match(await eri.do(() => document.querySelector("#hantei-actions .window-title").textContent), /Nurse/);
    await shut(eri, "hantei-actions");
  });

  test("so does Shift+J, and Shift+H opens the questions; not while somebody writes", async () => {
    await eri.do(() => document.activeElement?.blur());
    await eri.page.keyboard.press("Shift+KeyJ");
    await opened("hantei-actions");
    await shut(eri, "hantei-actions");
    await eri.do(() => document.activeElement?.blur());
    await eri.page.keyboard.press("Shift+KeyH");
    await opened("hantei-questions");
    await shut(eri, "hantei-questions");
    await eri.page.locator("#chat textarea").focus();
    await eri.page.keyboard.press("Shift+KeyJ");
    assert.equal(await eri.page.locator("#chat textarea").inputValue(), "J");
    assert.equal(await eri.do(() => document.getElementById("hantei-actions")), null);
  });

  test("a roll in the chat counts once, though the answer was lost on the way", async () => {
    let lost = 0;
    await eri.page.route(url => url.pathname.endsWith(":roll"), async route => {
      if (route.request().method() === "POST" && lost++ === 0) {
        await route.fetch();
        await route.abort("connectionreset");
      } else await route.continue();
    });
    const answered = eri.page.waitForResponse(response => response.url().endsWith(":roll") && response.request().method() === "POST" && response.ok());
    await eri.say("/hantei roll 1d100 is it locked");
    await answered;
    await gm.message("is it locked");
    await eri.until(() => told.includes("rolled"));
    assert.equal(lost, 2, "it was sent again");
    const { events } = await table.as("gm", "GET", `/v1/tables/${table.id}/events?page_size=100`);
    assert.equal(events.filter(e => e.name === "rolled").length, 1);
    refused(eri);
  });

  test("a square that is picked is one of the map, wherever the map begins on the scene", async () => {
    await gm.do(() => canvas.scene.setFlag("hantei", "map", { x: 2, y: 1, floor: 3 }));
    await gm.do(() => game.modules.get("hantei").api.openActions(""));
    await gm.page.fill("#hantei-actions [name=search]", "place on the map");
    await gm.page.click("#hantei-actions .hantei-offer [data-action=take]:enabled");
    await gm.page.click("#hantei-actions [data-action=pick]");
    const at = await gm.do(() => canvas.clientCoordinatesFromCanvas({ x: 1250, y: 1050 }));
    await gm.page.mouse.click(at.x, at.y);
    await gm.until(() => document.querySelector("#hantei-actions .hantei-square input").value === "10,9,3");
    await gm.page.keyboard.press("Escape");
    await gm.do(() => canvas.scene.setFlag("hantei", "map", { x: 0, y: 0, floor: 0 }));
    await shut(gm, "hantei-actions");
  });
});

describe("whoever is not there", { skip }, () => {
  let table, gm, gm2, jun;
  before(async () => {
    table = await openTable({ system: "CoC7" });
    table.setting("hantei.bars", { character: { hp: "system.attribs.hp.value" } });
    const { seat, pairingCode } = await table.as("gm", "POST", `/v1/tables/${table.id}/seats`, { name: "gm2", role: "SEAT_ROLE_GM" });
    const { token } = await table.hantei.call("POST", "/v1/pair", { code: pairingCode.code, name: "harness" });
    table.seats.gm2 = { id: seat.id, token };
    [gm, gm2, jun] = [await seated(table, "gm"), await seated(table, "gm2"), await seated(table, "jun")];
    await linkAll(gm);
    await fightUntil(table, "thug");
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  test("gets defaults when the GM says so, and the fight goes on without a window, to the bar", async () => {
    await gm.say("/hantei always");
    await gm.page.click(`#hantei-policies [data-action=allDefault][data-seat="${table.seats.eri.id}"]`);
    await gm.until(seat => session.view.seats.find(s => s.id === seat).policies.some(p => p.takeDefault), table.seats.eri.id);
    await gm.until(seat => document.querySelector(`#hantei-policies [data-action=allDefault][data-seat="${seat}"]`) === null, table.seats.eri.id);
    await shut(gm, "hantei-policies");
    for (const player of [gm, gm2, jun]) await player.do(() => {
      window.windows = [];
      Hooks.on("renderPromptApp", app => window.windows.push(app.title));
    });
    await table.act("gm", { coc: { attack: { weapon: "knife", target: "nurse" } } }, { actor: "thug", dice: ["1D100=12"] });
    await jun.until(() => document.querySelector(".hantei-prompt button[data-choice=decline]") !== null);
    await jun.page.click(".hantei-prompt button[data-choice=decline]");
    await jun.until(() => game.actors.getName("Nurse").system.attribs.hp.value < 11);
    assert.deepEqual([await gm.do(() => windows), await gm2.do(() => windows), (await jun.do(() => windows)).length], [[], [], 1]);
    assert.deepEqual(await jun.do(() => session.view.waitingOn), []);
  });

  test("is not the one who writes: another GM does", async () => {
    await gm.until(() => game.users.activeGM.isSelf);
    await gm.do(() => game.modules.get("hantei").api.session.stop());
    await gm2.until(() => game.users.getName("GM").getFlag("hantei", "live") === false);
    await table.as("jun", "POST", `/v1/tables/${table.id}:roll`, { formula: "1D100", text: "who writes this", actor: "officer" });
    await Promise.all([gm2, jun].map(player => player.message("who writes this")));
    const written = table.world.log.filter(o => o.name === "ChatMessage" && o.action === "create").at(-1);
    assert.equal(written.userId, gm2.id);
  });
});
