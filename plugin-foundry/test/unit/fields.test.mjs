import assert from "node:assert/strict";
import { test } from "node:test";
import { clearValues, directionTo, fieldsOf, valuesOf } from "../../scripts/inputs/fields.mjs";

const target = {
  name: "target", kind: "INPUT_KIND_CHARACTER", minCount: 1, maxCount: 1, text: "Target",
  choices: [{ value: "thug", text: "Thug" }, { value: "rat", text: "Rat" }],
};
const number = { name: "mod", kind: "INPUT_KIND_NUMBER", minCount: 0, maxCount: 1, min: -100, max: 100 };
const bool = { name: "dedicate", kind: "INPUT_KIND_BOOL", minCount: 0, maxCount: 1 };

test("a character is the one that is targeted, if it can be chosen", () => {
  const [field] = fieldsOf([target], { targets: ["nurse", "rat"] });
  assert.equal(field.control, "select");
  assert.deepEqual(field.options.filter(o => o.selected).map(o => o.value), ["rat"]);
  assert.ok(field.required);
  const [open] = fieldsOf([target], { targets: ["nurse"] });
  assert.deepEqual(open.options.find(o => o.selected)?.value, "", "nobody is chosen for the user");
});

test("the only one who can be chosen is chosen, where one must be", () => {
  const only = { ...target, choices: [{ value: "thug", text: "Thug" }] };
  assert.deepEqual(fieldsOf([only])[0].options, [{ value: "thug", text: "Thug", selected: true }]);
  assert.deepEqual(fieldsOf([{ ...only, minCount: 0 }])[0].options[0], { value: "", text: "", selected: true });
});

test("several characters are those that are targeted, as many as it takes", () => {
  const [field] = fieldsOf([{ ...target, maxCount: 2, choices: [..."abc"].map(value => ({ value, text: value })) }], { targets: ["c", "a", "b"] });
  assert.equal(field.control, "many");
  assert.deepEqual(field.options.filter(o => o.selected).map(o => o.value), ["a", "c"]);
});

test("a character without choices is any character", () => {
  const characters = [{ value: "nurse", text: "Nurse" }];
  assert.deepEqual(fieldsOf([{ ...target, choices: [] }], { characters })[0].options.map(o => o.value), ["nurse"]);
});

test("each kind has its control and its bounds", () => {
  const fields = fieldsOf([
    number, bool,
    { name: "n", kind: "INPUT_KIND_NUMBER" },
    { name: "text", kind: "INPUT_KIND_TEXT", max: 200 },
    { name: "note", kind: "INPUT_KIND_TEXT", max: 2000 },
    { name: "square", kind: "INPUT_KIND_SQUARE" },
    { name: "path", kind: "INPUT_KIND_PATH" },
    { name: "way", kind: "INPUT_KIND_DIRECTION", choices: [{ value: "n", text: "North" }] },
    { name: "seed", kind: "INPUT_KIND_UINT64" }, // more digits than a number of the browser has
  ], {}, "x.");
  assert.deepEqual(fields.map(f => f.control), ["number", "check", "number", "text", "long", "square", "path", "select", "text"]);
  assert.deepEqual([fields[0].min, fields[0].max, fields[2].min, fields[2].max], [-100, 100, null, null]);
  assert.equal(fields[0].name, "x.mod");
});

test("what choices cost stands with them, and the budget with the question", () => {
  const [field] = fieldsOf([{
    name: "items", text: "Items", kind: "INPUT_KIND_ITEM", maxCount: 3, budget: 140,
    choices: [{ value: "herb", text: "Herb", take: { cost: 20, most: 5 } }, { value: "gift", text: "Gift", take: { most: 1 } }],
  }]);
  assert.equal(field.label, "Items (≤ 140)");
  assert.deepEqual(field.options.map(o => o.text), ["Herb (20)", "Gift (0)"]);
});

test("what was filled in before stays", () => {
  const [field] = fieldsOf([number], { values: { mod: ["7"] } });
  assert.equal(field.value, "7");
});

test("a form says its values; what was left open is not sent", () => {
  const said = valuesOf([target, number, bool], [["p.target", "thug"], ["p.mod", " "], ["other", "x"]], "p.");
  assert.deepEqual(said, { values: [{ name: "target", values: ["thug"] }], missing: [] });
});

test("what must be filled in is missed", () => {
  assert.deepEqual(valuesOf([target, number], [["target", ""], ["mod", "3"]]).missing, [target]);
});

test("a check that must be answered is false where it is not set", () => {
  assert.deepEqual(valuesOf([bool], []).values, []);
  assert.deepEqual(valuesOf([{ ...bool, minCount: 1 }], []).values, [{ name: "dedicate", values: ["false"] }]);
  assert.deepEqual(valuesOf([bool], [["dedicate", "true"]]).values, [{ name: "dedicate", values: ["true"] }]);
});

test("no form is needed where it is clear what is meant", () => {
  assert.deepEqual(clearValues([target, number], { targets: ["rat"] }), [{ name: "target", values: ["rat"] }]);
  assert.equal(clearValues([target, number], {}), null);
  assert.deepEqual(clearValues([number], {}), []);
});

test("where yes and no are choices, to leave it open is neither", () => {
  const swap = { name: "swap", kind: "INPUT_KIND_BOOL", minCount: 0, maxCount: 1, choices: [{ value: "true", text: "yes" }, { value: "false", text: "no" }] };
  const [field] = fieldsOf([swap]);
  assert.deepEqual([field.control, field.required, field.options.map(o => o.value)], ["select", false, ["", "true", "false"]]);
  assert.deepEqual(valuesOf([swap], [["swap", "false"]]).values, [{ name: "swap", values: ["false"] }]);
  assert.deepEqual(valuesOf([swap], [["swap", ""]]).values, []);
});

test("a square beside another lies in one of four directions, none aslant or on another floor", () => {
  const from = { x: 2, y: 1, floor: 1 };
  const to = (x, y, floor = 1) => directionTo(from, { x, y, floor });
  assert.deepEqual([to(2, 0), to(3, 1), to(2, 2), to(1, 1)], ["up", "right", "down", "left"]);
  assert.deepEqual([to(2, 1), to(3, 2), to(4, 1), to(2, 0, 2)], ["", "", "", ""]);
  assert.equal(directionTo({}, { y: 1 }), "down", "zeros are left out");
});
