import assert from "node:assert/strict";
import { test } from "node:test";
import { operationOf, overrideForm } from "../../scripts/corrections/override.mjs";

const ruleset = {
  stats: [
    { key: "might", name: "Might", group: "a" }, { key: "wits", name: "Wits", group: "a" },
    { key: "blood", name: "Blood", group: "r", resource: true },
  ],
  statuses: [{ key: "prone", name: "Prone" }, { key: "asleep", name: "Asleep" }],
};
const sheet = {
  stats: [{ key: "wits", value: 9, base: 7 }, { key: "might", value: 12 }, { key: "odd", value: 1 }, { key: "hidden" }],
  resources: [{ key: "blood", value: -2, max: 11 }, { key: "ink", band: "BAND_HURT" }],
  statuses: [{ key: "asleep" }],
  modifiers: [{ id: "m1", appliesTo: "might", op: "MODIFIER_OP_ADD", value: -20, reason: "fog" }],
  position: { x: 3, y: 4, floor: 1 },
};
const words = { yes: "yes", no: "no", any: "any", band: b => b, which: "Which", value: "Value", max: "Max", ends: "Ends", square: "Square", has: "in force" };
const form = (kind, key = "", character = sheet) => overrideForm(character, ruleset, { kind, key }, words);
const options = kind => form(kind).inputs[0].choices.map(({ value, text }) => [value, text]);

test("what can be corrected is on the sheet, in its order and with its values; what is hidden is not offered", () => {
  assert.deepEqual(options("resource"), [["blood", "Blood (-2 / 11)"]]);
  assert.deepEqual(options("stat"), [["might", "Might (12)"], ["wits", "Wits (9)"], ["odd", "odd (1)"]]);
  assert.deepEqual(options("status"), [["asleep", "Asleep (in force)"], ["prone", "Prone"]]);
  assert.deepEqual(options("endModifier"), [["m1", "Might −20 fog"]]);
});

test("a form is filled in with what is so now", () => {
  assert.deepEqual(form("resource").values, { key: ["blood"], value: ["-2"], max: ["11"] });
  assert.deepEqual(form("stat", "wits").values, { key: ["wits"], value: ["9"] });
  assert.deepEqual(form("status", "asleep").values, { key: ["asleep"], ends: ["true"] });
  assert.deepEqual(form("status", "prone").values, { key: ["prone"] });
  assert.deepEqual(form("position").values, { square: ["3,4,1"] });
});

test("what is chosen and not there gives way to the first that is", () => {
  assert.equal(form("stat", "gone").key, "might");
  const bare = form("resource", "", {});
  assert.deepEqual([bare.kinds, bare.kind], [["status", "position"], "status"]);
  assert.deepEqual(form("endModifier", "", {}).kind, "status");
});

test("a form becomes an operation", () => {
  const values = entries => Object.entries(entries).map(([name, value]) => ({ name, values: [value] }));
  const operation = (kind, entries) => operationOf(sheet, kind, values(entries));
  assert.deepEqual(operation("resource", { key: "blood", value: "７", max: "11" }), { resource: { key: "blood", value: 7 } });
  assert.deepEqual(operation("resource", { key: "blood", value: "−3", max: "12" }), { resource: { key: "blood", value: -3, max: 12 } });
  assert.deepEqual(operation("stat", { key: "wits", value: "0" }), { stat: { key: "wits", value: 0 } });
  assert.deepEqual(operation("status", { key: "prone" }), { status: { key: "prone" } });
  assert.deepEqual(operation("status", { key: "asleep", ends: "true" }), { status: { key: "asleep", ends: true } });
  assert.deepEqual(operation("endModifier", { key: "m1" }), { endModifier: "m1" });
  assert.deepEqual(operation("position", { square: "5，6" }), { position: { square: { x: 5, y: 6, floor: 0 } } });
  assert.deepEqual(operation("position", {}), { position: {} });
});

test("what is no number or no square is none", () => {
  const values = (name, value) => [{ name: "key", values: ["blood"] }, { name, values: [value] }];
  assert.equal(operationOf(sheet, "resource", values("value", "many")), null);
  assert.equal(operationOf(sheet, "resource", values("value", "3")), null, "the most is gone");
  assert.equal(operationOf(sheet, "stat", values("value", "1.5")), null);
  assert.equal(operationOf(sheet, "position", values("square", "here")), null);
});
