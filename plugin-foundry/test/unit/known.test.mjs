import assert from "node:assert/strict";
import { test } from "node:test";
import { knownChanges, knownState } from "../../scripts/present/known.mjs";

const hp = (character, value) => ({ resource: { character, after: { key: "hp", ...(value === undefined ? { band: "BAND_HURT" } : { value }) } } });
const status = key => ({ status: { character: "nurse", after: { key } } });

test("a change that one seat was not told is not known", () => {
  const nurse = [{ eventId: "a", changes: [hp("nurse", 7), status("plus10"), hp("thug")] }, { eventId: "b", changes: [hp("nurse", 6)] }];
  const student = [{ eventId: "a", changes: [hp("nurse", 7), hp("thug")] }];
  assert.deepEqual([...knownChanges([nurse, student])], [["a", [hp("nurse", 7), hp("thug")]], ["b", []]]);
});

test("a value that is shown to one and as a band to another is not known", () => {
  const known = knownChanges([[{ eventId: "a", changes: [hp("nurse", 7)] }], [{ eventId: "a", changes: [hp("nurse")] }]]);
  assert.deepEqual(known.get("a"), []);
});

test("of an encounter that is known in which all agree", () => {
  const change = (...order) => [{ eventId: "a", changes: [{ encounter: { removed: false, after: { round: 1, order, roster: order, turn: order.slice(0, 1) } } }] }];
  assert.deepEqual(knownChanges([change("cultist", "nurse"), change("nurse")]).get("a"),
    [{ encounter: { removed: false, after: { round: 1, order: ["nurse"], roster: ["nurse"], turn: [] } } }]);
  assert.deepEqual(knownChanges([change("nurse"), [{ eventId: "a", changes: [] }]]).get("a"), []);
  const over = [{ eventId: "a", changes: [{ encounter: { removed: true } }] }];
  assert.deepEqual(knownChanges([over, over]).get("a"), over[0].changes);
});

test("without anybody to be told, nothing is known", () => {
  assert.equal(knownChanges([]).size, 0);
  assert.deepEqual(knownState([]), { characters: new Map(), encounter: null });
});

test("of the table as it is, that is known in which all views agree", () => {
  const view = (more, encounter) => ({
    characters: [{ id: "nurse", position: { x: 1, y: 2 }, statuses: [{ key: "down" }, ...(more ? [{ key: "plus10" }] : [])],
      resources: [{ key: "hp", ...(more ? { value: 7 } : {}) }, { key: "mp", value: 3 }] },
    ...(more ? [{ id: "cultist" }] : [])],
    encounter,
  });
  const { characters, encounter } = knownState([
    view(true, { round: 2, order: ["nurse", "cultist"], roster: ["nurse", "cultist"], turn: ["cultist"] }),
    view(false, { round: 2, order: ["nurse"], roster: ["nurse"], turn: [] }),
  ]);
  assert.deepEqual([...characters.keys()], ["nurse"]);
  const nurse = characters.get("nurse");
  assert.deepEqual(nurse.position, { x: 1, y: 2 });
  assert.deepEqual([...nurse.statuses], ["down"]);
  assert.deepEqual([...nurse.resources], [["mp", 3]]);
  assert.deepEqual(encounter, { round: 2, order: ["nurse"], roster: ["nurse"], turn: [] });
});

test("a position that differs between views is not known", () => {
  const at = x => ({ characters: [{ id: "a", position: x === null ? undefined : { x, y: 0 } }] });
  assert.equal(knownState([at(1), at(2)]).characters.get("a").position, null);
  assert.equal(knownState([at(1), at(null)]).characters.get("a").position, null);
});

test("an encounter that one does not know of is not known", () => {
  assert.equal(knownState([{ encounter: { round: 1 } }, {}]).encounter, null);
});
