/** What a character can do: from the HUD, the chat, the hotbar and the sheet. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { fightUntil, linkAll, seated } from "./seated.mjs";

for (const language of ["en", "ja"]) {
  describe(`actions and sheets in ${language}`, { skip }, () => {
    let table, gm, jun;
    before(async () => {
      table = await openTable({ language });
      gm = await seated(table, "gm");
      await linkAll(gm);
      jun = await seated(table, "jun");
      await fightUntil(table, "officer");
      await jun.until(() => session.view.encounter?.turn?.[0] === "officer" && session.view.encounter.step === "actions");
    });
    after(() => table?.close());

    const shot = (player, name) => player.page.screenshot({ path: picture(`${name}-${language}`) });
    const word = (en, ja) => (language === "en" ? en : ja);
    const acts = player => player.requests().filter(r => r.path.endsWith(":act"));
    const view = async name => (await table.as(name, "GET", `/v1/tables/${table.id}/view`)).view;
    const close = (player, id) => player.do(id => foundry.applications.instances.get(id)?.close(), id);

    test("the HUD of the own token opens what it can do, and its sheet", async () => {
      await jun.click("Officer", { button: "right" });
      await jun.until(() => document.querySelectorAll("#token-hud .control-icon.hantei").length === 2);
      await jun.do(() => document.querySelector("#token-hud .control-icon.hantei").click());
      await jun.until(() => document.querySelector("#hantei-actions .hantei-offer") !== null);
      assert.match(await jun.do(() => document.querySelector("#hantei-actions .window-title").textContent), /Officer/);
      await shot(jun, "actions");
    });

    test("a token that stands for nobody has no buttons of Hantei's but the one to link it", async () => {
      await gm.do(() => game.actors.find(actor => actor.name === "Thug").unsetFlag("hantei", "character"));
      await gm.click("Thug", { button: "right" });
      await gm.until(() => canvas.hud.token.rendered && document.querySelector("#token-hud .col.right") !== null);
      assert.deepEqual(await gm.do(() => [...document.querySelectorAll("#token-hud .hantei")].map(b => b.classList.contains("fa-link"))), [true]);
      await gm.do(() => canvas.hud.token.clear());
      await linkAll(gm);
    });

    test("offers stand in the ruleset's groups", async () => {
      const groups = await jun.do(() => [...document.querySelectorAll("#hantei-actions .hantei-group")].map(g => [g.dataset.group, g.open, g.querySelectorAll(".hantei-offer").length]));
      const keys = groups.map(([key]) => key);
      assert.ok(keys.includes("group.combat") && keys.indexOf("group.combat") < keys.indexOf("stat.combat_skills") && keys.includes("stat.characteristics"), keys.join());
      assert.ok(groups.every(([, , offers]) => offers > 0));
    });

    test("what was filled in stays while somebody searches", async () => {
      await jun.page.fill("#hantei-actions [name=search]", word("baton", "警棒"));
      await jun.until(() => document.querySelectorAll("#hantei-actions .hantei-offer").length === 1);
      await jun.page.click("#hantei-actions .hantei-offer [data-action=take]");
      await jun.page.waitForSelector("#hantei-actions .hantei-form select");
      const chosen = await jun.do(() => {
        const field = document.querySelector("#hantei-actions .hantei-form select");
        field.selectedIndex = [...field.options].findIndex(option => !option.selected && option.value);
        return field.value;
      });
      await jun.page.fill("#hantei-actions [name=search]", "");
      await jun.until(() => document.querySelectorAll("#hantei-actions .hantei-offer").length > 1);
      assert.equal(await jun.do(() => document.querySelector("#hantei-actions .hantei-form select").value), chosen);
      await jun.page.click("#hantei-actions .hantei-form [data-action=cancel]");
    });

    test("whoever gets another name has it in the list of who acts, and in the title", async () => {
      const call = name => table.as("gm", "PATCH", `/v1/tables/${table.id}/characters/officer`, { name, updateMask: "name" });
      const shown = text => jun.until(text => document.querySelector("#hantei-actions [name=actor]").selectedOptions[0].text === text &&
        document.querySelector("#hantei-actions .window-title").textContent.includes(text), text);
      await call("Sergeant");
      await shown("Sergeant");
      await call("Officer");
      await shown("Officer");
    });

    test("an attack goes to whom the user targets", async () => {
      await jun.do(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").setTarget(true));
      await jun.page.fill("#hantei-actions [name=search]", word("baton", "警棒"));
      await jun.until(() => document.querySelectorAll("#hantei-actions .hantei-offer").length === 1);
      await jun.page.keyboard.press("ArrowDown");
      await jun.page.keyboard.press("Enter");
      await jun.until(() => document.querySelector("#hantei-actions .hantei-form select")?.value === "thug");
      await jun.page.fill("#hantei-actions [name=given]", "1D100=20");
      await shot(jun, "actions-form");
      await jun.do(() => {
        const button = document.querySelector("#hantei-actions [data-action=send]");
        button.click();
        button.click();
      });
      await gm.until(() => document.querySelector(".hantei-prompt button[data-choice=none]") !== null);
      assert.equal(acts(jun).length, 1);
      assert.deepEqual(acts(jun)[0].body.givenDice, ["1D100=20"]);
      assert.deepEqual(acts(jun)[0].body.offer.values, [{ name: "target", values: ["thug"] }]);
      assert.ok((await view("gm")).waitingOn.length > 0);
    });

    test("while the table waits, nothing can be declared, and it says why", async () => {
      await jun.page.fill("#hantei-actions [name=search]", "");
      await jun.until(() => document.querySelector("#hantei-actions .hantei-offer") && !document.querySelector("#hantei-actions .hantei-offer:not(.hantei-barred)"));
      const { offers } = (await table.as("jun", "GET", `/v1/tables/${table.id}/view`, undefined, language)).view;
      const shown = await jun.do(() => Object.fromEntries([...document.querySelectorAll("#hantei-actions .hantei-offer")].map(l => [l.dataset.offer, l.querySelector(".hantei-reason").textContent])));
      assert.deepEqual(shown, Object.fromEntries(offers.map(offer => [offer.id, offer.reasonText])));
      await shot(jun, "actions-barred");
      await gm.page.click(".hantei-prompt button[data-choice=none]");
      await gm.until(() => document.querySelector(".hantei-prompt") === null);
      await jun.until(() => session.view.offers.some(offer => offer.stat === "spot" && offer.possible));
    });

    test("an offer on the hotbar is found again, and taken with one press", async () => {
      const before = acts(jun).length;
      await jun.do(() => {
        const line = [...document.querySelectorAll("#hantei-actions .hantei-offer")].find(l => session.view.offers.find(o => o.id === l.dataset.offer)?.stat === "spot");
        const data = new DataTransfer();
        line.dispatchEvent(new DragEvent("dragstart", { dataTransfer: data }));
        Hooks.call("hotbarDrop", ui.hotbar, JSON.parse(data.getData("text/plain")), 3);
      });
      await jun.until(() => game.user.getHotbarMacros(1)[2].macro);
      const command = await jun.do(() => game.user.getHotbarMacros(1)[2].macro.command);
      assert.ok(!(await jun.do(() => session.view.offers.map(o => o.id))).some(id => command.includes(id)), "the id would die");
      await jun.do(() => game.user.getHotbarMacros(1)[2].macro.execute());
      await jun.until(() => told.includes("check_resolved"));
      assert.equal(acts(jun).length, before + 1);
      assert.equal(await jun.do(() => game.macros.contents.length), 1);
    });

    test("a refused roll keeps who may know of it, and the dice", async () => {
      await jun.page.selectOption("#hantei-actions [name=audience]", "AUDIENCE_GM");
      await jun.page.fill("#hantei-actions [name=given]", "1D100=999");
      const spot = await jun.do(() => session.view.offers.find(offer => offer.stat === "spot" && offer.possible).id);
      await jun.page.click(`#hantei-actions button[data-offer="${spot}"]`);
      await jun.until(() => document.querySelector("#hantei-actions [data-error]:not([hidden])")?.textContent);
      const tried = jun.requests().filter(r => r.path.endsWith(":act")).at(-1);
      assert.deepEqual([tried.status, tried.body.audience], [400, "AUDIENCE_GM"]);
      const said = await jun.do(() => ["audience", "given"].map(name => document.querySelector(`#hantei-actions [name=${name}]`).value));
      assert.deepEqual(said, ["AUDIENCE_GM", "1D100=999"]);
      jun.errors.length = 0; // the browser's own line on the refusal
    });

    test("the chat rolls, and secretly for the GM alone", async () => {
      await jun.say("/hantei roll 2d6+3 how long it lasts");
      await jun.say("/hantei secret 1d100");
      const rolls = () => jun.requests().filter(r => r.path.endsWith(":roll") && r.status === 200).map(r => [r.body.formula, r.body.text, r.body.audience]);
      await gm.until(() => told.filter(name => name === "rolled").length === 2);
      await jun.until(() => told.includes("rolled"));
      assert.deepEqual(rolls().sort(), [["1d100", undefined, "AUDIENCE_GM"], ["2d6+3", "how long it lasts", undefined]]);
      assert.deepEqual((await jun.chat()).filter(m => m.text.includes("/hantei")), [], "a command is no message");
    });

    test("a sheet shows what may be seen, and rolls", async () => {
      await close(jun, "hantei-actions");
      await jun.do(() => game.modules.get("hantei").api.openSheet("officer"));
      await jun.until(() => document.querySelector("#hantei-sheet-officer [data-stat=spot] button") !== null);
      await shot(jun, "sheet");
      const text = await jun.do(() => document.querySelector("#hantei-sheet-officer").textContent);
      for (const words of word(["Combat skills", "Spot Hidden", "Baton", "fit for use"], ["戦闘技能", "目星", "警棒", "使用可"])) assert.ok(text.includes(words), words);
      const before = acts(jun).length;
      const checks = await jun.do(() => told.filter(name => name === "check_resolved").length);
      await jun.page.click("#hantei-sheet-officer [data-stat=spot] button");
      await jun.until(n => told.filter(name => name === "check_resolved").length === n + 1, checks);
      assert.equal(acts(jun).length, before + 1);
      await jun.do(() => game.modules.get("hantei").api.openSheet("thug"));
      await jun.until(() => document.querySelector("#hantei-sheet-thug [data-resource=hp]") !== null);
      await shot(jun, "sheet-of-another");
      const other = await jun.do(() => [document.querySelectorAll("#hantei-sheet-thug [data-stat]").length, document.querySelector("#hantei-sheet-thug [data-action=edit]"), document.querySelector("#hantei-sheet-thug [data-resource=hp]").textContent.match(/\d/)]);
      assert.deepEqual(other, [0, null, null]);
    });

    test("the GM changes a sheet, and only what was changed is sent", async () => {
      await gm.do(() => game.modules.get("hantei").api.openSheet("thug"));
      await gm.until(() => document.querySelector("#hantei-sheet-thug [data-action=edit]") !== null);
      await gm.page.click("#hantei-sheet-thug [data-action=edit]");
      await gm.page.fill("#hantei-sheet-thug [name='stat.spot']", "77");
      await shot(gm, "sheet-edit");
      await gm.page.click("#hantei-sheet-thug [type=submit]");
      await gm.until(() => document.querySelector("#hantei-sheet-thug [data-action=edit]") !== null);
      const { body } = gm.requests().filter(r => r.method === "PATCH").at(-1);
      assert.deepEqual([body.sheet, body.updateMask], [{ stats: [{ key: "spot", value: 77 }] }, "sheet.stats"]);
      assert.equal((await view("gm")).characters.find(c => c.id === "thug").stats.find(s => s.key === "spot").value, 77);
    });

    test("a sheet that was changed by another meanwhile is read anew, and what was typed stays", async () => {
      await gm.page.click("#hantei-sheet-thug [data-action=edit]");
      await gm.page.fill("#hantei-sheet-thug [name='stat.listen']", "66");
      await table.as("gm", "PATCH", `/v1/tables/${table.id}/characters/thug`, { sheet: { stats: [{ key: "spot", value: 12 }] } });
      await gm.page.click("#hantei-sheet-thug [type=submit]");
      await gm.until(() => document.querySelector("#hantei-sheet-thug [data-error]:not([hidden])")?.textContent);
      await shot(gm, "sheet-mismatch");
      assert.deepEqual(await gm.do(() => ["spot", "listen"].map(key => document.querySelector(`#hantei-sheet-thug [name='stat.${key}']`).value)), ["12", "66"]);
      gm.errors.length = 0; // the browser's own line on the refusal
      await gm.page.click("#hantei-sheet-thug [type=submit]");
      await gm.until(() => document.querySelector("#hantei-sheet-thug [data-action=edit]") !== null);
      const { stats } = (await view("gm")).characters.find(c => c.id === "thug");
      assert.deepEqual(["spot", "listen"].map(key => stats.find(s => s.key === key).value), [12, 66]);
    });

    test("gear is put on and taken off", async () => {
      await gm.page.click("#hantei-sheet-thug [data-action=edit]");
      await gm.page.check("#hantei-sheet-thug [name=gear][value=handgun]");
      await gm.page.uncheck("#hantei-sheet-thug [name=gear][value=knife]");
      await shot(gm, "sheet-gear");
      await gm.page.click("#hantei-sheet-thug [type=submit]");
      await gm.until(() => document.querySelector("#hantei-sheet-thug [data-action=edit]") !== null);
      const { details } = (await view("gm")).characters.find(c => c.id === "thug");
      assert.deepEqual(details.coc.weapons.map(w => w.id).sort(), ["fist", "handgun", "headbutt", "kick"]);
    });

    test("nothing went wrong in the pages", async () => assert.deepEqual(await table.faults(), {}));
  });
}
