/** Questions: who is asked, how they are answered, and that they are gone everywhere afterwards. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { fightUntil, linkAll, seated, serverRolls, sit } from "./seated.mjs";

for (const language of ["en", "ja"]) {
  describe(`questions in ${language}`, { skip }, () => {
    let table, gm, eri, jun;
    before(async () => {
      table = await openTable({ language });
      gm = await seated(table, "gm");
      await linkAll(gm);
      [eri, jun] = [await seated(table, "eri"), await seated(table, "jun")];
      await fightUntil(table, "thug");
      await serverRolls(table, "eri", false);
    });
    after(() => table?.close());

    const shot = (player, name) => player.page.screenshot({ path: picture(`${name}-${language}`) });
    const asked = (player, choice) => player.until(id => document.querySelector(`.hantei-prompt button[data-choice="${id}"]`) !== null, choice);
    const notAsked = player => player.until(() => document.querySelector(".hantei-prompt") === null);
    const answers = player => player.requests().filter(r => r.path.endsWith(":answer"));

    test("the one who is asked gets a window, nobody else does", async () => {
      await table.act("gm", { coc: { attack: { weapon: "knife", target: "nurse" } } }, { actor: "thug", dice: ["1D100=12"] });
      await asked(jun, "cover");
      await shot(jun, "prompt-cover");
      assert.equal(await gm.do(() => document.querySelector(".hantei-prompt")), null);
      assert.equal(await eri.do(() => document.querySelector(".hantei-prompt")), null);
      const text = await jun.do(() => document.querySelector(".hantei-prompt").innerText);
      for (const name of ["Officer", "Thug", "Nurse"]) assert.match(text, new RegExp(name), "who, by whom, about whom");
    });

    test("a window that was closed is brought back by the badge", async () => {
      await jun.page.click(".hantei-prompt [data-action=close]");
      await notAsked(jun);
      await jun.page.click("#hantei-badge button");
      await asked(jun, "cover");
    });

    test("the GM sees who is waited for, and what they are asked", async () => {
      await gm.until(() => document.querySelector("#hantei-badge button") !== null);
      await gm.page.click("#hantei-badge button");
      await gm.until(() => document.querySelector("#hantei-questions [data-action=instead]") !== null);
      await shot(gm, "questions");
      await gm.page.click("#hantei-questions [data-action=instead]");
      await asked(gm, "decline");
      await shot(gm, "prompt-instead");
      assert.equal(await gm.do(() => document.querySelector(".hantei-prompt [name$='.always']")), null, "another seat's policies are not the GM's");
    });

    test("a number answers, and the question is gone for whoever had it open", async () => {
      await jun.page.locator(".hantei-prompt legend").focus();
      await jun.page.keyboard.press("2");
      await Promise.all([notAsked(jun), notAsked(gm)]);
      assert.deepEqual(answers(jun).map(a => a.body.answers), [[{ character: "officer", choice: "decline" }]]);
    });

    test("it does not come up over what somebody writes, and comes back after a reload", async () => {
      await asked(eri, "dodge");
      let write;
      const writing = new Promise(resolve => { write = resolve; });
      await eri.page.route(url => url.pathname.endsWith("/view"), async route => {
        await writing;
        await route.continue();
      });
      await eri.reload();
      await eri.page.locator("textarea").first().focus();
      write();
      await sit(eri);
      await asked(eri, "dodge");
      assert.equal(await eri.do(() => document.activeElement.tagName), "TEXTAREA");
      await eri.page.keyboard.type("2");
      assert.ok(await eri.do(() => document.querySelector(".hantei-prompt")), "what is typed answers nothing");
      await shot(eri, "prompt-defend");
    });

    test("what the server refuses stands in the window, in its words", async () => {
      await table.as("gm", "PATCH", `/v1/tables/${table.id}`, { paused: true });
      await eri.page.click(".hantei-prompt button[data-choice=dodge]");
      const error = await eri.until(() => document.querySelector(".hantei-prompt [data-error]:not([hidden])")?.textContent);
      const words = await table.as("eri", "POST", `/v1/tables/${table.id}/prompts/-:answer`, { answers: [{ character: "nurse", choice: "dodge" }] }, language).catch(refused => refused.message);
      assert.match(words, /TABLE_PAUSED/);
      assert.ok(words.includes(error), `${words} has: ${error}`);
      eri.errors.length = 0; // the browser's own line on the refusal
      await shot(eri, "prompt-refused");
      await table.as("gm", "PATCH", `/v1/tables/${table.id}`, { paused: false });
    });

    test("two presses are one answer, and it may hold from now on", async () => {
      const before = answers(eri).length;
      await eri.page.check(".hantei-prompt [name$='.always']");
      await eri.page.selectOption(".hantei-prompt [name$='.until']", "POLICY_END_SCENE");
      await eri.do(() => {
        const button = document.querySelector(".hantei-prompt button[data-choice=dodge]");
        button.click();
        button.click();
      });
      await eri.until(() => session.seat.policies.length === 1);
      assert.equal(answers(eri).length - before, 1);
      const { view } = await table.as("eri", "GET", `/v1/tables/${table.id}/view`);
      const { policies } = view.seats.find(s => s.id === table.seats.eri.id);
      assert.deepEqual(policies.map(p => [p.character, p.prompt, p.choice, p.until]), [["nurse", "defend", "dodge", "POLICY_END_SCENE"]]);
    });

    test("dice that were thrown by hand are sent as they fell, and impossible ones are not", async () => {
      await asked(eri, "server_rolls");
      await shot(eri, "prompt-dice");
      const before = answers(eri).length;
      await eri.page.fill(".hantei-prompt [name$='.dice']", "101");
      await eri.page.click(".hantei-prompt [data-action=throw]");
      assert.match(await eri.until(() => document.querySelector(".hantei-prompt [data-error]:not([hidden])")?.textContent), /1D100/);
      assert.equal(answers(eri).length, before);
      await eri.page.fill(".hantei-prompt [name$='.dice']", "7");
      await eri.page.click(".hantei-prompt [data-action=throw]");
      await notAsked(eri);
      assert.deepEqual(answers(eri).at(-1).body.givenDice, ["1D100=7"]);
    });

    test("automatic answers are listed, and removed", async () => {
      await eri.say("/hantei always");
      await eri.until(() => document.querySelector("#hantei-policies .hantei-policy") !== null);
      assert.match(await eri.do(() => document.querySelector(".hantei-policy").innerText), language === "en" ? /Nurse[^]*Always “Dodge”[^]*scene/ : /Nurse[^]*常に「回避する」[^]*シーン/);
      await shot(eri, "policies");
      await eri.page.click("#hantei-policies [data-action=remove]");
      await eri.until(() => document.querySelector("#hantei-policies .hantei-policy") === null);
      const { view } = await table.as("eri", "GET", `/v1/tables/${table.id}/view`);
      assert.deepEqual(view.seats.find(s => s.id === table.seats.eri.id).policies, []);
    });

    test("nothing went wrong in the pages", async () => assert.deepEqual(await table.faults(), {}));
  });
}

describe("a question for several", { skip }, () => {
  let table, gm;
  before(async () => {
    table = await openTable();
    gm = await seated(table, "gm");
    await table.as("gm", "POST", `/v1/tables/${table.id}/characters`, { sample: "thug", count: 2 });
    await fightUntil(table, "officer", ["thug-2", "thug-3"]);
  });
  after(() => table?.close());

  test("is one window, and its answers are one message", async () => {
    await table.act("jun", { coc: { attack: { weapon: "baton", target: "thug" } } }, { actor: "officer", dice: ["1D100=20"] });
    await gm.until(() => document.querySelectorAll(".hantei-prompt .hantei-slot").length === 2);
    assert.equal(await gm.do(() => document.querySelectorAll(".hantei-prompt").length), 1);
    await gm.page.click(".hantei-prompt [data-action=send]");
    assert.match(await gm.until(() => document.querySelector(".hantei-prompt [data-error]:not([hidden])")?.textContent), /Choose/);
    const decline = gm.page.locator(".hantei-prompt button[data-choice=decline]");
    await decline.nth(0).click();
    await decline.nth(1).click();
    assert.equal(await gm.do(() => document.querySelectorAll(".hantei-prompt button[aria-pressed=true]").length), 2);
    await gm.page.screenshot({ path: picture("prompt-several") });
    await gm.page.click(".hantei-prompt [data-action=send]");
    await gm.until(() => document.querySelector(".hantei-prompt button[data-choice=none]") !== null);
    const sent = gm.requests().filter(r => r.path.endsWith(":answer"));
    assert.deepEqual(sent.map(r => r.body.answers), [[{ character: "thug-2", choice: "decline" }, { character: "thug-3", choice: "decline" }]]);
  });

  test("nothing went wrong in the page", async () => assert.deepEqual(await table.faults(), {}));
});
