import assert from "node:assert/strict";
import { test } from "node:test";
import { diceOf, givenDice } from "../../scripts/prompts/given-dice.mjs";
import { alwaysChoose, withoutPolicy, withPolicy } from "../../scripts/prompts/policies.mjs";
import { answersOf, othersOf, remaining, thrownOf, windowsOf } from "../../scripts/prompts/windows.mjs";

const prompts = [
  { id: "1", window: "todo", name: "critical_benefit", character: "nurse", standing: true },
  { id: "2", window: "hit", name: "cover", character: "nurse", becauseOf: "thug", expireTime: "2026-01-01T00:00:30Z" },
  { id: "3", window: "end", name: "combat_continues" },
  { id: "4", window: "hit", name: "cover", character: "officer", expireTime: "2026-01-01T00:00:20Z" },
];

test("prompts of a window belong together, and what nothing waits for comes last", () => {
  const windows = windowsOf(prompts);
  assert.deepEqual(windows.map(w => [w.id, w.prompts.map(p => p.id)]), [["hit", ["2", "4"]], ["end", ["3"]], ["todo", ["1"]]]);
  assert.equal(windows[0].expires, Date.parse("2026-01-01T00:00:20Z"), "the first that expires");
  assert.equal(windows[0].becauseOf, "thug");
  assert.equal(windows[1].expires, null);
});

test("all answers to a window are one message", () => {
  const [hit] = windowsOf(prompts);
  const chosen = new Map([["4", { choice: "cover", values: [{ name: "square", values: ["1,2"] }] }], ["2", { choice: "decline" }]]);
  assert.deepEqual(answersOf(hit.prompts, chosen), {
    prompt: "2",
    answers: [
      { character: "nurse", choice: "decline" },
      { character: "officer", choice: "cover", values: [{ name: "square", values: ["1,2"] }] },
    ],
  });
});

test("the GM's own answer names no character, and no choice is no answer", () => {
  assert.deepEqual(answersOf([prompts[2]], new Map([["3", { choice: "end" }]])), { prompt: "3", answers: [{ choice: "end" }] });
  assert.equal(answersOf([prompts[2]], new Map([["9", { choice: "end" }]])), null);
});

test("dice thrown by hand are sent without a choice", () => {
  assert.deepEqual(thrownOf(prompts[1], "1D6=4"), { prompt: "2", answers: [{ character: "nurse" }], more: { givenDice: ["1D6=4"] } });
  assert.deepEqual(thrownOf(prompts[2], "1D6=4").answers, []);
});

test("the table waits for others where the seat is not asked, and something hangs on it", () => {
  const waiting = [{ blocking: true, seats: ["a"] }, { blocking: true, seats: ["b"] }, { blocking: false, seats: ["b"] }];
  assert.deepEqual(othersOf(waiting, "a"), [waiting[1]]);
});

test("what is left is never less than nothing", () => {
  assert.deepEqual([[9_001, 0], [720_000, 0], [93_600_000, 0], [0, 5000]].map(([to, now]) => remaining(to, now)), ["0:10", "12:00", "26:00:00", "0:00"]);
});

test("dice are read", () => {
  assert.deepEqual([diceOf("2D6"), diceOf("d4"), diceOf("2D6+1")], [{ count: 2, sides: 6 }, { count: 1, sides: 4 }, null]);
});

test("a throw is written as the server reads it", () => {
  for (const [dice, typed, given] of [
    ["1D6", "4", "1D6=4"],
    ["1D100", " 100 ", "1D100=100"],
    ["3D6", "11", "3D6=11"],
    ["3D6", "4 4 3", "3D6=11(4,4,3)"],
    ["3D6", "4,4,3", "3D6=11(4,4,3)"],
    ["3D6", "４、４、３", "3D6=11(4,4,3)"],
    ["2D6", "5+6", "2D6=11(5,6)"],
  ]) assert.equal(givenDice(dice, typed), given, `${dice} ${typed}`);
});

test("what cannot have been thrown is no throw", () => {
  for (const [dice, typed] of [["1D6", "7"], ["1D6", "0"], ["1D6", ""], ["1D6", "4 4"], ["3D6", "2"], ["3D6", "19"], ["3D6", "4 4"], ["3D6", "4 4 7"], ["1D6", "four"], ["1D6", "-1"], ["?", "1"]]) {
    assert.equal(givenDice(dice, typed), null, `${dice} ${typed}`);
  }
});

test("a policy takes the place of the one for the same character and prompt", () => {
  const before = [{ takeDefault: true }, { character: "nurse", prompt: "cover", choice: "cover" }];
  const policy = alwaysChoose(prompts[1], "decline", "POLICY_END_SCENE");
  assert.deepEqual(withPolicy(before, policy), [{ takeDefault: true }, { character: "nurse", prompt: "cover", choice: "decline", until: "POLICY_END_SCENE" }]);
  assert.deepEqual(withoutPolicy(before, { character: "", prompt: "" }), [before[1]]);
  assert.deepEqual(alwaysChoose(prompts[2], "end", "POLICY_END_UNSPECIFIED"), { prompt: "combat_continues", choice: "end", until: "POLICY_END_UNSPECIFIED" });
});
