import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, oddsOf } from "../../scripts/odds/odds.mjs";

const names = { character: id => `<${id}>`, stat: key => `stat ${key}`, status: key => `status ${key}`, label: label => `label ${label}` };
const half = { fraction: "1/2", decimal: "0.500000" };
const event = (name, text, fraction, decimal) => ({ event: { name, actor: "a", targets: [], text: { text } }, probability: { fraction, decimal } });

test("what is possible is never 0 %, what is not certain never 100 %", () => {
  const percent = (fraction, decimal) => chanceOf({ fraction, decimal }).percent;
  assert.equal(percent("9/20", "0.450000"), "45 %");
  assert.equal(percent("2593/9600", "0.270104"), "27 %");
  assert.equal(percent("1/8", "0.125000"), "12.5 %");
  assert.equal(percent("1/3000", "0.000333"), "< 0.1 %");
  assert.equal(percent("1/9000000", "0.000000"), "< 0.1 %");
  assert.equal(percent("2999/3000", "0.999667"), "> 99.9 %");
  assert.equal(percent("1", "1.000000"), "100 %");
  assert.equal(percent("0", "0.000000"), "0 %");
});

test("ways to end of the same roll stand together; what hardly happens stands apart, without a sentence it does not stand", () => {
  const { outcomes } = oddsOf({
    leaves: 7,
    events: [
      event("roll", "well", "1/2", "0.500000"), event("hit", "hit", "1/2", "0.500000"),
      event("roll", "badly", "1/2", "0.500000"), event("roll", "worst", "1/200", "0.005000"), event("silent", "", "1", "1.000000"),
    ],
  }, names);
  assert.deepEqual(outcomes.likely.map(row => row.text), ["well", "badly", "hit"]);
  assert.deepEqual(outcomes.rare.map(row => [row.text, row.percent, row.fraction]), [["worst", "0.5 %", "1/200"]]);
  assert.deepEqual(outcomes.method, { samples: 0, leaves: 7, margin: "" });
});

test("resources, statuses and stops have names", () => {
  const { outcomes } = oddsOf({
    samples: 10_000, margin: { fraction: "1/100", decimal: "0.010000" }, truncated: { fraction: "1/400", decimal: "0.002500" },
    stops: [{ character: "thug", label: "defend", probability: half }, { label: "luck", probability: half }],
    resources: [{ character: "thug", key: "hp", before: 9, values: [{ value: 8, probability: half }, { value: 9, probability: half }], mean: { fraction: "17/2", decimal: "8.500000" } }],
    statuses: [{ character: "thug", key: "prone", lost: true, probability: half }],
  }, names);
  assert.deepEqual(outcomes.stops.map(stop => [stop.who, stop.label, stop.percent]), [["<thug>", "label defend", "50 %"], ["", "label luck", "50 %"]]);
  assert.deepEqual(outcomes.resources[0].values.map(v => [v.value, v.now, v.width]), [[8, false, 50], [9, true, 50]]);
  assert.equal(outcomes.resources[0].mean, "8.5");
  assert.deepEqual(outcomes.statuses.map(s => [s.who, s.name, s.lost]), [["<thug>", "status prone", true]]);
  assert.deepEqual(outcomes.method, { samples: 10_000, leaves: 0, margin: "±1 %" });
  assert.equal(outcomes.truncated, "0.3 %");
});

test("each answer to the question has its own odds; without any there is no question", () => {
  const question = {
    prompt: "defend", character: "thug", probability: half, defaultChoice: "none", text: { text: "Defend?" },
    choices: [{ choice: "dodge", text: "Dodge", odds: { events: [event("miss", "miss", "1", "1.000000")] } }, { choice: "none", text: "", odds: {} }, { choice: "run", text: "Run" }],
  };
  const odds = oddsOf({ question }, names);
  assert.deepEqual([odds.question.text, odds.question.who, odds.question.asked.percent], ["Defend?", "<thug>", "50 %"]);
  assert.deepEqual(odds.question.answers.map(a => [a.id, a.text, a.isDefault, a.outcomes.likely.map(row => row.text)]), [["dodge", "Dodge", false, ["miss"]], ["none", "none", true, []]]);
  assert.equal(oddsOf({ question: { ...question, choices: [{ choice: "run" }] } }, names).question, null);
  assert.equal(oddsOf({}, names).question, null);
});
