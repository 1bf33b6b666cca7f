/** What went wrong is put right: cards are taken back, sheets corrected; and odds are told to who asks. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { openActions, shut } from "./declare.mjs";
import { linkAll, seated, serverRolls, sit } from "./seated.mjs";

/** What the tests look for, in each language. */
const WORDS = {
  en: { undo: "Take back to before this", redo: "Undo this taking back", correct: "Correct…", dice: /dice were thrown/, hidden: /hidden from you/ },
  ja: { undo: "これより前に戻す", redo: "この取り消しを元に戻す", correct: "訂正…", dice: /ダイスを振っています/, hidden: /伏せられています/ },
};

const HP = "system.attribs.hp.value";
const endTurn = { coc: { endTurn: {} } };
const SQUARES = { nurse: [7, 4], officer: [9, 4], thug: [8, 4] };

for (const [generation, language] of [[13, "en"], [14, "ja"]]) {
  describe(`put right in ${language}, in Foundry ${generation}`, { skip }, () => {
    const say = WORDS[language];
    let table, gm, eri;
    before(async () => {
      table = await openTable({ language, generation, system: "CoC7" });
      table.setting("hantei.bars", { character: { hp: HP } });
      gm = await seated(table, "gm");
      await linkAll(gm);
      eri = await seated(table, "eri");
      const positions = Object.entries(SQUARES).map(([character, [x, y]]) => ({ character, square: { x, y } }));
      await table.act("gm", { coc: { startCombat: { combatants: Object.keys(SQUARES), positions } } }, { dice: ["1D100=10", "1D100=90"] });
      // The tracker begins with the first of the order, before who shoots has the turn.
      for (const player of [gm, eri]) await player.until(() => game.combat?.round === 1 && game.combat.combatant?.name === "Officer");
      await table.act("jun", endTurn, { actor: "officer" });
      await turn("nurse");
      for (const player of [gm, eri]) await player.until(() => game.combat?.round === 1 && game.combat.combatant?.name === "Nurse" && canvas.tokens.placeables.find(t => t.document.name === "Nurse").document.x === 700);
    });
    after(() => table?.close());
    afterEach(async () => {
      for (const player of [gm, eri]) player.errors = player.errors.filter(e => !/Failed to load resource/.test(e)); // the browser's own line about a refusal
      assert.deepEqual(await table.faults(), {});
    });

    const shot = (player, name) => player.screenshot(picture(`trust-${name}-${language}`));
    const turn = who => Promise.all([gm, eri].map(player => player.until(who => session.view.encounter?.turn?.[0] === who && session.view.encounter.step === "actions", who)));
    /** The cards that a user sees: what is struck on them, and what not. */
    const cards = player => player.do(() => [...document.querySelectorAll(".chat-log > .hantei-message")].filter(m => m.checkVisibility()).map(m => ({
      id: m.dataset.messageId, rows: [...m.querySelectorAll(".row")].map(row => row.querySelector(".text").innerText),
      struck: [...m.querySelectorAll(".row.undone")].length, by: m.querySelector(".undone-by")?.innerText.trim() ?? "", dice: m.querySelectorAll(".undone .die").length,
      button: m.querySelector("[data-hantei=undo]")?.innerText.trim() ?? "",
    })));
    /** Opens the menu of a card, the last unless said; returns its entries. */
    const menu = async (player, id) => {
      const card = id ?? (await cards(player)).at(-1).id;
      await player.page.click(`.chat-log [data-message-id="${card}"] .row .text >> nth=0`, { button: "right" });
      await player.page.waitForSelector("#context-menu", { state: "attached" });
      return player.do(() => [...document.querySelectorAll("#context-menu .context-item")].map(item => item.textContent.trim()));
    };
    const press = (player, entry) => player.page.click(`#context-menu .context-item span:text-is("${entry}")`);
    const close = player => player.do(() => document.getElementById("context-menu")?.remove());
    const gone = (player, window) => player.until(window => document.querySelector(window) === null, window);
    const takeBack = async (player, reason) => {
      await player.page.fill(".hantei-undo [name=reason]", reason);
      await player.page.click(".hantei-undo [type=submit]");
    };
    /** What Foundry's documents and the sheet say of the nurse, and of the turn. */
    const state = player => player.do(path => {
      const token = canvas.tokens.placeables.find(t => t.document.name === "Nurse").document;
      return {
        bar: foundry.utils.getProperty(token.actor, path), hp: session.character("nurse").resources.find(r => r.key === "hp").value, x: token.x, y: token.y,
        statuses: [...token.actor.statuses].filter(s => s.startsWith("hantei-")), round: game.combat?.round, turn: game.combat?.combatant?.name,
        known: session.character("nurse").statuses.map(s => s.key),
      };
    }, HP);

    test("a player takes back the own move, by the button on the last card", async () => {
      const before = await state(eri);
      await table.act("eri", { coc: { move: { path: [{ x: 6, y: 4 }, { x: 5, y: 4 }] } } }, { actor: "nurse" });
      await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").document.x === 500);
      await eri.until(() => document.querySelector("[data-hantei=undo]") !== null);
      assert.deepEqual((await cards(eri)).map(card => card.button).filter(Boolean), [say.undo]);
      await eri.page.click("[data-hantei=undo]");
      await eri.page.waitForSelector(".hantei-undo [name=reason]");
      assert.equal(await eri.do(() => document.querySelectorAll(".hantei-undone-list li").length), 1);
      await takeBack(eri, "");
      await gone(eri, ".hantei-undo");
      await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").document.x === 700);
      await eri.until(() => document.querySelector(".hantei-card .undone") !== null);
      assert.deepEqual(await state(eri), before);
      assert.equal((await cards(eri)).at(-2).struck, 1);
    });

    test("after a roll the player's menu says in the server's words why not", async () => {
      await table.act("eri", { coc: { check: { skill: "spot" } } }, { actor: "nurse", dice: ["1D100=44"] });
      await eri.message("44");
      await eri.until(() => document.querySelectorAll(".chat-log .hantei-message .die").length > 0);
      assert.deepEqual((await cards(eri)).map(card => card.button).filter(Boolean), [], "no button where it is sure to be refused");
      const first = (await cards(eri))[0].id;
      assert.deepEqual((await menu(eri, first)).filter(e => [say.undo, say.correct].includes(e)), [], "not what others did, or long ago");
      await close(eri);
      assert.ok((await menu(eri)).includes(say.undo));
      await press(eri, say.undo);
      await eri.page.waitForSelector(".hantei-undo [name=reason]");
      await takeBack(eri, "too hasty");
      const refusal = await eri.until(() => document.querySelector(".hantei-undo [data-error]:not([hidden])")?.textContent);
      assert.match(refusal, say.dice);
      assert.equal(await eri.do(() => document.querySelector(".hantei-undo [name=reason]").value), "too hasty");
      await shot(eri, "undo-refused");
      await eri.page.click(".hantei-undo [data-action=cancel]");
      await gone(eri, ".hantei-undo");
    });

    test("odds: the player's end where something is hidden, and nothing is asked before the button is pressed", async () => {
      await eri.do(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").setTarget(true));
      await openActions(eri, "nurse");
      assert.deepEqual(eri.requests().filter(r => r.path.endsWith(":preview") && r.method === "POST"), []);
      await eri.page.click(`#hantei-actions .hantei-offer:not(.hantei-barred) [data-action=take][aria-expanded] >> nth=0`);
      await eri.page.waitForSelector("#hantei-actions .hantei-form");
      await shot(eri, "actions");
      await eri.page.click("#hantei-actions .hantei-form [data-action=odds]");
      await eri.page.waitForSelector("#hantei-odds .hantei-outcomes");
      assert.match(await eri.do(() => document.querySelector("#hantei-odds .hantei-stop").innerText), say.hidden);
      await shot(eri, "odds-player");
      assert.equal(await eri.do(() => document.querySelectorAll("#hantei-odds [data-choice=dodge], #hantei-odds .hantei-values").length), 0, "how the thug defends himself");
      await shut(eri, "hantei-odds");
      await shut(eri, "hantei-actions");
    });

    test("odds: where the GM is asked, what each answer comes to with the dice as they lie", async () => {
      await table.act("eri", { coc: { attack: { weapon: "fist", target: "thug" } } }, { actor: "nurse", dice: ["1D100=20"] });
      await gm.page.click(".hantei-prompt [data-action=odds]");
      await gm.page.waitForSelector("#hantei-odds .hantei-answer");
      const answers = await gm.do(() => [...document.querySelectorAll("#hantei-odds .hantei-answer")].map(a => [a.dataset.choice, a.innerText]));
      assert.ok(answers.length > 1 && answers.some(([choice]) => choice === "dodge"), JSON.stringify(answers));
      assert.equal(await gm.do(() => document.querySelectorAll("#hantei-odds .hantei-stop").length), 0);
      await shot(gm, "odds-prompt");
      await shut(gm, "hantei-odds");
      await table.as("gm", "POST", `/v1/tables/${table.id}/prompts/-:answer`, { givenDice: ["1D100=20"], answers: [{ character: "thug", choice: "dodge" }] });
      await gone(gm, ".hantei-prompt");
    });

    test("odds: the GM's have each answer to the first question, and what resources come to", async () => {
      await table.act("eri", endTurn, { actor: "nurse" });
      await table.act("jun", endTurn, { actor: "officer" });
      await turn("thug");
      // What has nothing to fill in has a button of its own.
      await gm.do(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").setTarget(true));
      await openActions(gm, "thug");
      await gm.page.click("#hantei-actions .hantei-odds-of >> nth=0");
      await gm.page.waitForSelector("#hantei-odds .hantei-odds-body");
      await shut(gm, "hantei-odds");
      await gm.page.click(`#hantei-actions .hantei-offer:not(.hantei-barred) [data-action=take][aria-expanded] >> nth=0`);
      await gm.page.waitForSelector("#hantei-actions .hantei-form");
      await gm.page.click("#hantei-actions .hantei-form [data-action=odds]");
      await gm.page.waitForSelector("#hantei-odds .hantei-answer");
      const seen = await gm.do(() => ({
        answers: [...document.querySelectorAll("#hantei-odds .hantei-answer")].map(a => [a.dataset.choice, a.open]),
        values: document.querySelectorAll("#hantei-odds .hantei-answer[open] .hantei-values tr").length,
        stops: document.querySelectorAll("#hantei-odds .hantei-stop").length,
        first: document.querySelector("#hantei-odds .hantei-answer[open] td").dataset.tooltip,
      }));
      assert.ok(seen.answers.length > 1 && seen.answers.some(([choice]) => choice === "dodge"), JSON.stringify(seen.answers));
      assert.equal(seen.answers.filter(([, open]) => open).length, 1, "the default");
      assert.ok(seen.values > 1);
      assert.equal(seen.stops, 0);
      assert.match(seen.first, /^\d+\/\d+$/);
      await shot(gm, "odds-gm");
      await table.as("eri", "POST", `/v1/tables/${table.id}:roll`, { actor: "nurse", formula: "1D100", text: "meanwhile", givenDice: ["1D100=7"] });
      await gm.until(() => document.querySelector("#hantei-odds [data-stale]:not([hidden])") !== null);
      await shut(gm, "hantei-odds");
      await shut(gm, "hantei-actions");
    });

    test("the GM takes an attack back from its card: points, token and tracker are as before, the card is struck, also after a reload", async () => {
      await turn("thug");
      for (const name of ["gm", "eri"]) await serverRolls(table, name);
      const before = await state(gm);
      await table.act("gm", { coc: { attack: { weapon: "knife", target: "nurse" } } }, { actor: "thug", dice: ["1D100=12"] });
      const attack = await gm.until(() => [...document.querySelectorAll(".hantei-card")].findLast(c => /12/.test(c.innerText))?.closest(".message").dataset.messageId);
      await table.answer("eri", "nurse", "dodge", { dice: ["1D100=80"] });
      await table.act("gm", endTurn, { actor: "thug" });
      await table.answer("gm", "", "continue"); // COC-CMB-08: the GM says whether the fight goes on
      await gm.until(hp => session.character("nurse").resources.find(r => r.key === "hp").value < hp, before.hp);
      await gm.until(([path, hp]) => foundry.utils.getProperty(canvas.tokens.placeables.find(t => t.document.name === "Nurse").actor, path) < hp, [HP, before.bar]);
      await gm.until(() => game.combat.round === 2);
      const [hurt, standing] = [await state(gm), await cards(gm)];
      assert.ok(hurt.hp < before.hp && hurt.bar < before.bar);
      assert.ok((await menu(gm, attack)).includes(say.undo));
      await shot(gm, "menu");
      await press(gm, say.undo);
      await gm.page.waitForSelector(".hantei-undo [name=reason]");
      await gm.page.fill(".hantei-undo [name=reason]", "out of reach");
      await shot(gm, "undo");
      await takeBack(gm, "out of reach");
      await gone(gm, ".hantei-undo");
      for (const player of [gm, eri]) {
        await player.message("out of reach");
        await player.until(([path, hp]) => foundry.utils.getProperty(canvas.tokens.placeables.find(t => t.document.name === "Nurse").actor, path) === hp, [HP, before.bar]);
        await player.until(() => game.combat.round === 1 && game.combat.combatant?.name === "Thug");
        await player.until(hp => session.character("nurse").resources.find(r => r.key === "hp").value === hp, before.hp);
      }
      assert.deepEqual(await state(gm), before);
      const struck = (await cards(gm)).filter(card => card.by.includes("out of reach"));
      assert.ok(struck.length >= 3 && struck.every(card => card.struck === card.rows.length), JSON.stringify(struck));
      assert.ok(struck.some(card => card.dice > 0), "dice stay to be read");
      for (const card of struck) assert.deepEqual(card.rows, standing.find(was => was.id === card.id).rows, "and so does what was said");
      assert.equal((await menu(gm, struck[0].id)).includes(say.undo), false, "what is taken back is not taken back again");
      await close(gm);
      await shot(gm, "struck");
      await shot(eri, "struck-player");
      const seen = [await cards(gm), await cards(eri)];
      for (const [i, player] of [gm, eri].entries()) {
        await player.reload();
        await sit(player);
        await player.message("out of reach");
        await player.until(n => document.querySelectorAll(".row.undone").length === n, seen[i].reduce((sum, card) => sum + card.struck, 0));
        assert.deepEqual(await cards(player), seen[i]);
      }
    });

    test("the GM takes the taking back back, from its card", async () => {
      await menu(gm);
      await press(gm, say.redo);
      await gm.page.waitForSelector(".hantei-undo [type=submit]");
      await gm.page.click(".hantei-undo [type=submit]");
      await gone(gm, ".hantei-undo");
      await gm.until(() => game.combat.round === 2);
      for (const player of [gm, eri]) await player.until(() => document.querySelectorAll(".hantei-card .undone-by").length === 1); // the nurse's move alone
      await eri.until(() => session.character("nurse").resources.find(r => r.key === "hp").value < session.character("nurse").resources.find(r => r.key === "hp").max);
      const told = (await cards(gm)).find(card => card.rows.some(row => row.includes("out of reach"))).id;
      assert.equal((await menu(gm, told)).includes(say.redo), false, "that was taken back by now");
      await close(gm);
      assert.ok((await menu(gm)).includes(say.redo), "and this can be in turn");
      await close(gm);
    });

    test("the GM corrects a sheet from it and from a card, also while somebody is asked", async () => {
      await gm.do(() => game.modules.get("hantei").api.openSheet("nurse"));
      await gm.page.click("#hantei-sheet-nurse [data-action=correct]");
      await gm.page.waitForSelector("#hantei-override [name='now.value']");
      await gm.page.fill("#hantei-override [name='now.value']", "5");
      await gm.page.fill("#hantei-override [name=reason]", "a fall");
      await shot(gm, "override");
      await gm.page.click("#hantei-override [type=submit]");
      await gone(gm, "#hantei-override");
      await eri.until(path => foundry.utils.getProperty(canvas.tokens.placeables.find(t => t.document.name === "Nurse").actor, path) === 5, HP);
      await gm.message("a fall");
      await shut(gm, "hantei-sheet-nurse");

      // A question is open: the nurse's player is to throw the dice.
      await serverRolls(table, "eri", false);
      await table.act("gm", { coc: { sanCheck: { targets: ["nurse"], loss: "0/1D4" } } });
      await gm.until(() => session.view.waitingOn.some(w => w.blocking));
      const card = (await cards(gm)).at(-1).id;
      assert.ok((await menu(gm, card)).includes(say.correct));
      await press(gm, say.correct);
      await gm.page.waitForSelector("#hantei-override");
      await gm.page.selectOption("#hantei-override [name=character]", "nurse");
      await gm.page.selectOption("#hantei-override [name=kind]", "status");
      await gm.page.selectOption("#hantei-override [name='now.key']", "knocked_down");
      await gm.page.waitForSelector("#hantei-override [name='now.ends']");
      await gm.page.click("#hantei-override [type=submit]");
      await gone(gm, "#hantei-override");
      await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").actor.statuses.has("hantei-knocked_down"));
      assert.ok(await gm.do(() => session.view.waitingOn.some(w => w.blocking)), "it is still asked");

      // What no rule allows is refused in the window.
      await menu(gm, card);
      await press(gm, say.correct);
      await gm.page.waitForSelector("#hantei-override");
      await gm.page.selectOption("#hantei-override [name=character]", "nurse");
      await gm.page.selectOption("#hantei-override [name=kind]", "resource");
      await gm.page.selectOption("#hantei-override [name='now.key']", "mp");
      await gm.page.fill("#hantei-override [name='now.value']", "-1");
      await gm.page.click("#hantei-override [type=submit]");
      assert.ok(await gm.until(() => document.querySelector("#hantei-override [data-error]:not([hidden])")?.textContent));
      await shot(gm, "override-refused");
      await shut(gm, "hantei-override");
    });
  });
}
