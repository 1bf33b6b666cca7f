/** An investigator is made: by a player who reads Japanese, for a GM who reads English. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { declare, fillIn, openActions, refusal, send, shut, takeOffer } from "./declare.mjs";
import { linkAll, seated } from "./seated.mjs";

describe("an investigator is made", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable();
    gm = await seated(table, "gm");
    await linkAll(gm);
    eri = await seated(table, "eri", { client: { "core.language": "ja" } });
  });
  after(() => table?.close());

  const shot = (player, name) => player.page.screenshot({ path: picture(`creation-${name}`) });
  const SHEET = "#hantei-sheet-pc";
  /** What the sheet says: of a stat, or of a part of the details. */
  const stat = (player, key) => player.do(([sheet, key]) => document.querySelector(`${sheet} [data-stat="${key}"] .hantei-value`).textContent, [SHEET, key]);
  const detail = (player, key) => player.do(([sheet, key]) => document.querySelector(`${sheet} [data-detail="${key}"]`)?.innerText ?? "", [SHEET, key]);
  const shows = (player, key, value) => player.until(([sheet, key, value]) => document.querySelector(`${sheet} [data-stat="${key}"] .hantei-value`)?.textContent === value, [SHEET, key, value]);
  const text = (player, selector) => player.do(selector => document.querySelector(selector)?.innerText ?? "", selector);
  const groups = player => player.do(() => [...document.querySelectorAll("#hantei-actions .hantei-group > summary")].map(s => s.textContent.trim()));
  const seat = player => player.page.click(".hantei-badge:not(.hantei-questions)");

  test("from the window of the own seat it is begun, and its sheet opens", async () => {
    await seat(eri);
    await eri.page.click("#hantei-connection [data-action=draft]");
    await eri.page.fill("dialog [name=name]", "藤原 凛");
    await shot(eri, "begin");
    await eri.page.click("dialog [data-action=ok]");
    await eri.page.waitForSelector(`${SHEET} [data-action=act]`);
    assert.match(await text(eri, `${SHEET} .hantei-instead`), /作成中/);
    await eri.until(() => document.querySelector("#hantei-connection dd button:nth-child(2)")?.innerText.includes("作成中"));
    await shot(eri, "begun");
    await shut(eri, "hantei-connection");
  });

  test("what makes it stands before all else, and what cannot be done yet says why", async () => {
    await eri.page.click(`${SHEET} [data-action=act]`);
    await eri.page.waitForSelector("#hantei-actions .hantei-offer");
    const all = await groups(eri);
    assert.equal(all.length, 1, "a draft does nothing else, and has no points before the characteristics");
    assert.match(all[0], /^探索者の作成/);
    const submit = await eri.do(() => [...document.querySelectorAll("#hantei-actions .hantei-offer")].find(o => o.innerText.includes("提出")).innerText);
    assert.match(submit, /先に能力値を振ってください/);
    await shot(eri, "actions");
  });

  test("characteristics are rolled by hand, one again, and two change places", async () => {
    await declare(eri, "能力値を振る", { dice: "3D6=11(4,4,3) 3D6=10(2,3,5) 3D6=12(6,5,1) 3D6=9(3,3,3) 3D6=14(5,4,5) 2D6=9(4,5) 2D6=7(1,6) 3D6=12(6,4,2)", told: "characteristics_rolled" });
    await shows(eri, "str", "11");
    assert.deepEqual(await Promise.all(["con", "pow", "dex", "app", "siz", "int", "edu", "dodge", "own_language"].map(key => stat(eri, key))), ["10", "12", "9", "14", "15", "13", "15", "18", "75"]);
    assert.match(await text(eri, `${SHEET} [data-resource=hp]`), /13 \/ 13/);
    await declare(eri, "1つ振り直す（残り3回）", { fill: { characteristic: "DEX" }, dice: "3D6=13(6,4,3)", told: "rerolled" });
    await shows(eri, "dex", "13");
    assert.equal(await stat(eri, "dodge"), "26");
    await declare(eri, "STRを入れ替える", { fill: { with: "POW" }, told: "swapped" });
    await shows(eri, "str", "12");
    assert.equal(await stat(eri, "pow"), "11");
    assert.match(await text(eri, `${SHEET} [data-resource=san]`), /55 \/ 99/);
    assert.match(await detail(eri, "rerolls"), /DEX\s+1/);
    await eri.page.fill("#hantei-actions [name=search]", "");
    await eri.until(() => document.querySelectorAll("#hantei-actions .hantei-group").length === 2);
    assert.match((await groups(eri))[1], /^技能ポイント/);
    await shot(eri, "rolled");
  });

  test("an occupation, in the words of the pack", async () => {
    await takeOffer(eri, "職業を決める（サンプル）");
    await fillIn(eri, { sample: "警備員" });
    await shot(eri, "occupation");
    await send(eri);
    await eri.until(sheet => document.querySelector(`${sheet} [data-detail=occupation]`)?.innerText.includes("警備員"), SHEET);
    assert.match(await detail(eri, "occupation"), /法律[^]*目星/);
  });

  test("skill points are spent, and what is above the cap is refused with words", async () => {
    await takeOffer(eri, "〈目星〉にポイント（職業");
    await fillIn(eri, { points: 56 });
    await send(eri);
    assert.match(await refusal(eri), /ポイント[^]*0～55にしてください/);
    await shot(eri, "cap");
    eri.errors.length = 0; // the browser's own line on the refusal
    await fillIn(eri, { points: 55 });
    await send(eri);
    await shows(eri, "spot", "80");
    await declare(eri, "〈聞き耳〉にポイント（趣味、残り130）", { fill: { points: 50 }, told: "points_assigned" });
    await shows(eri, "listen", "75");
    assert.match(await detail(eri, "skill_points"), /目星\s+55\s+0[^]*|聞き耳\s+0\s+50/);
    await eri.message("残り80点");
  });

  test("a trait of the supplement that the player owns", async () => {
    await declare(eri, "所持サプリメント", { fill: { owns_2015: true }, told: "supplements_declared" });
    await takeOffer(eri, "特徴を取る");
    await fillIn(eri, { trait: "鋭い目" });
    await send(eri);
    await shows(eri, "spot", "90");
    assert.match(await detail(eri, "traits"), /鋭い目/);
    await eri.do(sheet => document.querySelector(`${sheet} .hantei-sheet-scroll`).scrollTo(0, 9999), SHEET);
    await shot(eri, "sheet");
  });

  test("what is beyond the books is asked of the GM, in English", async () => {
    await declare(eri, "相談", { fill: { text: "古武術の道場に通っていた", skill: "武道" }, told: "extra_requested" });
    await gm.until(() => document.querySelector(".hantei-badge .hantei-mine, #hantei-badge button") !== null);
    await gm.page.click("#hantei-badge button");
    await gm.page.waitForSelector(".hantei-prompt button[data-choice=yes]");
    assert.match(await text(gm, ".hantei-prompt"), /古武術の道場に通っていた/);
    await shot(gm, "extra");
    await gm.page.click(".hantei-prompt button[data-choice=yes]");
    await eri.until(sheet => document.querySelector(`${sheet} [data-detail=extras]`)?.innerText.includes("武道"), SHEET);
    await declare(eri, "〈武道〉にポイント（趣味", { fill: { points: 20 }, told: "points_assigned" });
  });

  test("it is handed in, the GM sees it waiting, looks at it and approves", async () => {
    await declare(eri, "提出", { told: "sheet_submitted" });
    await eri.until(sheet => document.querySelector(`${sheet} .hantei-instead`)?.innerText.includes("承認待ち"), SHEET);
    await shot(eri, "submitted");
    await seat(eri);
    await eri.until(() => document.querySelector("#hantei-connection [data-character=pc]")?.innerText.includes("承認待ち"));
    await shot(eri, "seat");
    await shut(eri, "hantei-connection");
    await gm.message("藤原 凛");
    await gm.do(() => game.modules.get("hantei").api.openSheet("pc"));
    await gm.page.waitForSelector(`${SHEET} .hantei-instead`);
    assert.match(await text(gm, `${SHEET} .hantei-instead`), /waits for the GM/);
    await shot(gm, "waiting");
    await gm.do(sheet => document.querySelector(`${sheet} .hantei-sheet-scroll`).scrollTo(0, 9999), SHEET);
    assert.match(await detail(gm, "occupation"), /Guard/i);
    await shot(gm, "review-sheet");
    await openActions(gm, "");
    const [first] = await groups(gm);
    assert.match(first, /^Review of sheets/);
    await shot(gm, "review");
    await declare(gm, "Approve 藤原 凛", { told: "sheet_reviewed" });
    await eri.until(sheet => document.querySelector(`${sheet} .hantei-instead`) === null, SHEET);
    await eri.message("審査が済んだ");
    await shot(eri, "approved");
  });

  test("a special scenario allows no swaps and one trait, and leaves the rest as it is", async () => {
    await declare(gm, "Start a scenario", { fill: { swap: "no", traits_max: 1 }, told: "scenario_started" });
    const { body } = gm.requests().filter(r => r.path.endsWith(":act")).at(-1);
    assert.deepEqual(body.offer.values, [{ name: "swap", values: ["false"] }, { name: "traits_max", values: ["1"] }]);
    await eri.message("シナリオ開始");
    await shot(eri, "scenario");
    await shot(gm, "scenario-gm");
  });

  test("nothing went wrong in the pages", async () => assert.deepEqual(await table.faults(), {}));
});
