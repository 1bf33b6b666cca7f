/** Linking tokens and actors to characters, and handing out seats. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { openTable } from "../harness/table.mjs";
import { nameServer } from "./seated.mjs";
import { skip } from "../harness/skip.mjs";

describe("links", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable();
    nameServer(table);
    gm = await table.join("gm");
    await gm.page.click(".hantei-badge");
    await gm.page.waitForSelector("#hantei-connection");
    await gm.page.fill("[name=code]", await table.pairingCode("gm"));
    await gm.page.click("#hantei-connection [type=submit]");
    await gm.page.waitForSelector(".hantei-badge.status-live");
    await gm.page.click("#hantei-connection .window-header [data-action=close]");
    eri = await table.join("eri");
  });
  after(() => table?.close());
  afterEach(async () => assert.deepEqual(await table.faults(), {}));

  /** The character of a token by name, as the module reads it. */
  const standsFor = (player, name) => player.do(name => game.modules.get("hantei").api.characterOf(canvas.scene.tokens.find(t => t.name === name)), name);
  const openAll = async () => {
    await gm.do(() => new (game.settings.menus.get("hantei.links").type)().render({ force: true }));
    await gm.page.waitForSelector("#hantei-links table");
  };
  const rows = () => gm.do(() => Object.fromEntries([...document.querySelectorAll(".hantei-link-table tbody tr")]
    .map(tr => [tr.querySelector("th").innerText.trim(), `${tr.querySelector("select").selectedOptions[0].text}${tr.querySelector("td small") ? " ?" : ""}`])));

  test("by name: a look over it first, then all at once", async () => {
    await openAll();
    assert.deepEqual(await rows(), { "Nurse actor": "—", "Officer actor": "—", "Thug token": "—", "Lurker token": "—" });
    await gm.page.click("#hantei-links [data-action=match]");
    await gm.page.waitForSelector("#hantei-links .finding.ok");
    assert.deepEqual(await rows(), { "Nurse actor": "Nurse ?", "Officer actor": "Officer ?", "Thug token": "Thug ?", "Lurker token": "—" });
    assert.equal(await standsFor(gm, "Thug"), null, "nothing is written yet");
    await gm.page.selectOption(`.hantei-link-table select[name="${await gm.do(() => game.actors.getName("Officer").uuid)}"]`, "");
    await gm.page.click("#hantei-links [type=submit]");
    await eri.until(() => game.actors.getName("Nurse").getFlag("hantei", "character") === "nurse");
    await gm.until(() => document.querySelector("#hantei-links .finding.ok")?.textContent.includes("2"));
    assert.deepEqual(await rows(), { "Nurse actor": "Nurse", "Officer actor": "—", "Thug token": "Thug", "Lurker token": "—" });
    assert.deepEqual([await standsFor(eri, "Nurse"), await standsFor(eri, "Officer"), await standsFor(eri, "Thug")], ["nurse", null, "thug"]);
    assert.match(await gm.do(() => document.querySelector(".hantei-links-list > p:last-child").textContent), /Officer/);
  });

  test("who plays whom, and a code for a seat that works", async () => {
    const seats = () => gm.do(() => [...document.querySelectorAll(".hantei-link-seats tbody tr")].map(tr => [...tr.cells].slice(0, 3).map(c => c.innerText.trim())));
    assert.deepEqual(await seats(), [["GM GM", "", "GM"], ["eri player", "Nurse", "—"], ["jun player", "Officer", "—"]]);
    await gm.page.click(`[data-action=code][data-seat="${table.seats.eri.id}"]`);
    const code = await (await gm.page.waitForSelector(".hantei-link-seats output")).textContent();
    assert.match(code, /^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    await gm.page.click("[data-action=copy]");
    assert.equal(await gm.do(() => game.clipboard.text), code);
    await eri.page.click(".hantei-badge");
    await eri.page.fill("[name=code]", code);
    await eri.page.click("#hantei-connection [type=submit]");
    await eri.page.waitForSelector(".hantei-badge.status-live");
    await gm.until(id => game.users.get(id).getFlag("hantei", "seat"), eri.id);
    await gm.page.click("#hantei-links .window-header [data-action=close]");
    await openAll();
    assert.deepEqual((await seats())[1], ["eri player", "Nurse", "Eri"]);
    // Another connection than the one that was there when the window opened.
    await gm.do(async () => (await import("/modules/hantei/scripts/connection.mjs")).connection.connect());
    await table.as("gm", "PATCH", `/v1/tables/${table.id}/characters/nurse`, { name: "Matron", updateMask: "name" });
    await gm.until(() => document.querySelector(".hantei-link-seats tbody").innerText.includes("Matron"));
    await table.as("gm", "PATCH", `/v1/tables/${table.id}/characters/nurse`, { name: "Nurse", updateMask: "name" });
    await gm.until(() => document.querySelector(".hantei-link-seats tbody").innerText.includes("Nurse"));
    await gm.page.click("#hantei-links .window-header [data-action=close]");
  });

  test("a token becomes a character, under the name that everybody sees", async () => {
    await gm.click("Lurker", { button: "right" });
    await gm.page.click("#token-hud .hantei.fa-link");
    await gm.page.waitForSelector(".hantei-link-one");
    assert.equal(await gm.do(() => document.querySelector("[name=sample]").value), "thug", "the actor says what it is");
    await gm.page.fill(".hantei-link-one [name=name]", "A shadow");
    await gm.page.click("[data-action=create]");
    await gm.until(() => game.modules.get("hantei").api.characterOf(canvas.scene.tokens.find(t => t.name === "Lurker")));
    const id = await standsFor(gm, "Lurker");
    const { character } = await table.as("eri", "GET", `/v1/tables/${table.id}/characters/${id}`);
    assert.equal(character.name, "A shadow");
    assert.equal(character.sample, "", "what it is made of is the GM's");
    assert.equal(await standsFor(gm, "Thug"), "thug", "copies are linked each by itself");
  });

  test("unlinked from the window of a token", async () => {
    await gm.do(() => canvas.scene.tokens.find(t => t.name === "Thug").sheet.render({ force: true }));
    await gm.page.waitForSelector(".controls-dropdown button", { state: "attached" });
    await gm.do(() => [...document.querySelectorAll(".controls-dropdown button")].find(b => b.textContent.includes("Hantei")).click());
    await gm.page.waitForSelector(".hantei-link-one [data-action=unlink]");
    await gm.page.click(".hantei-link-one [data-action=unlink]");
    await gm.until(() => !game.modules.get("hantei").api.characterOf(canvas.scene.tokens.find(t => t.name === "Thug")));
  });

  test("a refusal is told in the window, and the button can be pressed again", async () => {
    await gm.click("Thug", { button: "right" });
    await gm.page.click("#token-hud .hantei.fa-link");
    await gm.page.waitForSelector(".hantei-link-one [name=name]");
    await gm.do(() => { document.querySelector(".hantei-link-one [name=sample]").options[0].value = "nobody"; document.querySelector(".hantei-link-one [name=sample]").selectedIndex = 0; });
    await gm.page.click("[data-action=create]");
    const words = await (await gm.page.waitForSelector(".hantei-link-one [role=alert]")).textContent();
    assert.ok(words.length > 5);
    assert.equal(await gm.page.isEnabled("[data-action=create]"), true);
    gm.errors = gm.errors.filter(e => !/Failed to load resource/.test(e)); // the refusal itself
  });

  test("a player gets none of it", async () => {
    assert.equal(await eri.do(() => game.settings.menus.get("hantei.links").restricted), true);
    await eri.do(() => game.actors.getName("Nurse").sheet.render({ force: true }));
    await eri.page.waitForSelector(".controls-dropdown", { state: "attached" });
    assert.ok(!(await eri.do(() => [...document.querySelectorAll(".controls-dropdown button")].map(b => b.textContent).join())).includes("Hantei: link"));
  });
});
