/**
 * An evening's growth, at a table that keeps its sheets to itself: Eri, who reads
 * Japanese, throws by hand; the GM and Jun read English.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { declare, give, openActions, shut, takeOffer } from "./declare.mjs";
import { linkAll, seated } from "./seated.mjs";

describe("an investigator grows", { skip }, () => {
  let table, gm, eri, jun;
  before(async () => {
    table = await openTable({ options: [{ key: "party_sheets", value: "hidden" }] });
    gm = await seated(table, "gm");
    await linkAll(gm);
    eri = await seated(table, "eri", { client: { "core.language": "ja" } });
    jun = await seated(table, "jun");
  });
  after(() => table?.close());

  const shot = (player, name) => player.page.screenshot({ path: picture(`growth-${name}`) });
  const SHEET = "#hantei-sheet-nurse";
  const text = (player, selector) => player.do(selector => document.querySelector(selector)?.innerText ?? "", selector);
  const marks = player => player.do(sheet => [...document.querySelectorAll(`${sheet} [data-detail=growth_marks] tbody tr`)].map(tr => [...tr.cells].map(c => c.innerText)), SHEET);
  const shows = (player, key, value) => player.until(([sheet, key, value]) => document.querySelector(`${sheet} [data-stat="${key}"] .hantei-value`)?.textContent === value, [SHEET, key, value]);
  const down = player => player.do(sheet => document.querySelector(`${sheet} .hantei-sheet-scroll`).scrollTo(0, 9999), SHEET);
  const asked = (player, choice) => player.page.waitForSelector(`.hantei-prompt button[data-choice=${choice}]:enabled`);
  /** Opens a question of the list, and answers it. */
  const answer = async (player, words, choice) => {
    await player.page.click("#hantei-badge button");
    await player.page.click(`.hantei-list button[data-action=ask]:has-text("${words}")`);
    await asked(player, choice);
    await shot(player, `asked-${choice}`);
    await player.page.click(`.hantei-prompt button[data-choice=${choice}]`);
    await player.until(() => document.querySelector(".hantei-prompt") === null);
  };
  const throwByHand = async (player, purpose, shows) => {
    await player.until(purpose => document.querySelector(".hantei-prompt")?.innerText.includes(purpose), purpose);
    await player.page.fill(".hantei-prompt [name$='.dice']", shows);
    await player.page.click(".hantei-prompt [data-action=throw]");
  };

  test("what was rolled well, and what badly, is marked on the own sheet", async () => {
    await eri.do(() => game.modules.get("hantei").api.openSheet("nurse"));
    await eri.page.waitForSelector(`${SHEET} [data-stat=spot] button`);
    await openActions(eri, "nurse");
    await declare(eri, "〈目星〉で判定", { dice: "1D100=20", told: "growth_marked" });
    await declare(eri, "〈応急手当〉で判定", { dice: "1D100=4", told: "growth_marked" });
    await declare(eri, "〈聞き耳〉で判定", { dice: "1D100=97", told: "growth_marked" });
    await declare(eri, "〈幸運〉で判定", { dice: "1D100=98", told: "growth_marked" });
    await eri.until(sheet => document.querySelectorAll(`${sheet} [data-detail=growth_marks] tbody tr`).length === 4, SHEET);
    assert.deepEqual(await marks(eri), [
      ["クリティカル", "応急手当", "応急手当", "いいえ"], ["ファンブル", "聞き耳", "聞き耳", "いいえ"], ["ファンブル", "幸運", "", "いいえ"], ["初期成功", "目星", "目星", "いいえ"],
    ]);
    await shut(eri, "hantei-actions");
    await down(eri);
    await shot(eri, "marks");
  });

  test("nobody else's sheet of it has them", async () => {
    await jun.do(() => game.modules.get("hantei").api.openSheet("nurse"));
    await jun.page.waitForSelector(SHEET);
    assert.deepEqual(await marks(jun), []);
    await shot(jun, "sheet-of-another");
    await shut(jun, "hantei-sheet-nurse");
  });

  test("the critical is declared, and for luck another skill is asked for", async () => {
    await openActions(eri, "nurse");
    await eri.page.fill("#hantei-actions [name=search]", "成長");
    await eri.until(() => document.querySelectorAll("#hantei-actions .hantei-offer").length > 4 && document.querySelectorAll("#hantei-actions .hantei-group").length === 1);
    await shot(eri, "offers");
    await declare(eri, "〈応急手当〉の成長を申告", { told: "growth_declared" });
    await declare(eri, "成長させる技能を選ぶ（ファンブル、幸運）", { fill: { skill: "心理学" }, told: "prompt_opened" });
    await eri.until(sheet => [...document.querySelectorAll(`${sheet} [data-detail=growth_marks] tbody td:last-child`)].some(td => td.innerText === "はい"), SHEET);
  });

  test("the GM finds what is to be decided, and decides some of it", async () => {
    await gm.until(() => document.querySelector("#hantei-badge button")?.innerText.includes("4"));
    await gm.page.click("#hantei-badge button");
    await gm.page.waitForSelector(".hantei-list button[data-action=ask]");
    await shot(gm, "questions");
    const open = await gm.do(() => [...document.querySelectorAll(".hantei-list button[data-action=ask]")].map(button => button.innerText));
    assert.deepEqual(open.filter(words => words.includes("fumble")).map(words => words.match(/with (\w+)/)[1]), ["Listen", "Luck"], "which is which");
    await answer(gm, "critical", "info");
    await answer(gm, "Psychology", "yes");
    await eri.until(sheet => [...document.querySelectorAll(`${sheet} [data-detail=growth_marks] tbody tr`)].some(tr => tr.innerText.includes("心理学")), SHEET);
    await shut(gm, await gm.do(() => document.querySelector(".hantei-list").closest(".application").id));
  });

  test("growth waits for the end of the scenario, which the GM offers", async () => {
    const barred = await eri.do(() => session.view.offers.filter(o => o.action.coc?.growthRoll).map(o => [o.possible ?? false, o.reasonText]));
    assert.deepEqual(barred, Array(4).fill([false, "シナリオが終わってから行います。"]));
    await openActions(gm, "");
    await gm.page.fill("#hantei-actions [name=search]", "scenario");
    await gm.until(() => [...document.querySelectorAll("#hantei-actions .hantei-group")].some(g => g.dataset.group === "group.scenario"));
    await shot(gm, "end");
    await declare(gm, "End the scenario", { told: "scenario_ended" });
    await gm.until(() => document.querySelector("#hantei-badge") === null); // the rest of the questions has its defaults
    await jun.message("scenario is over");
    await shut(gm, "hantei-actions");
  });

  test("growth is thrown by hand, again after a critical", async () => {
    await give(eri, "1D100=4");
    await takeOffer(eri, "成長判定（初期成功、目星）");
    await asked(eri, "yes");
    assert.match(await text(eri, ".hantei-prompt"), /振り直しますか/);
    await shot(eri, "reroll");
    await eri.page.click(".hantei-prompt button[data-choice=yes]");
    await throwByHand(eri, "成長判定", "90");
    await throwByHand(eri, "（成長）", "2");
    await shows(eri, "spot", "27");
    await eri.until(() => document.querySelector(".hantei-prompt") === null);
    await declare(eri, "成長判定（クリティカル、応急手当）", { dice: "1D10=5", told: "skill_changed" });
    await shows(eri, "first_aid", "80");
    await declare(eri, "成長判定（ファンブル、聞き耳）", { dice: "1D100=20 1D3=2", told: "skill_changed" });
    await shows(eri, "listen", "27");
    await declare(eri, "成長判定（ファンブル、心理学）", { dice: "1D100=50 1D10=10", told: "skill_changed" });
    await shows(eri, "psychology", "15");
    assert.deepEqual(await marks(eri), []);
    await shut(eri, "hantei-actions");
    await eri.do(sheet => document.querySelector(`${sheet} [data-group=other_skills]`).scrollIntoView(), SHEET);
    await shot(eri, "grown");
    await gm.message("Psychology");
    await shot(gm, "gm");
  });

  test("no byte that reached the other player says what was marked, rolled for it or has grown", async () => {
    const told = await jun.do(() => window.told.filter(name => /^growth_|^skill_changed/.test(name)));
    assert.deepEqual(told, []);
    for (const trace of [/"growthMarks":\[?\{/, /"name":"growth_marked"/, /"name":"growth_declared"/, /"name":"growth_skill_chosen"/, /"name":"growth_resolved"/, /"name":"skill_changed"/]) {
      assert.ok(!trace.test(jun.received()), String(trace));
      assert.ok(trace.test(eri.received()), `${trace} would have been found`);
    }
    const stats = await jun.do(() => session.character("nurse").stats ?? []);
    assert.deepEqual(stats.filter(stat => stat.value !== undefined), []);
    await shot(jun, "other");
  });

  test("nothing went wrong in the pages", async () => assert.deepEqual(await table.faults(), {}));
});
