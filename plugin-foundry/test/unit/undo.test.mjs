import assert from "node:assert/strict";
import { test } from "node:test";
import { isFenced, lastOf, undoOf } from "../../scripts/corrections/undo.mjs";

const move = { eventId: "m", name: "moved", actor: "nurse", text: { text: "Nurse moves." } };
const strike = { eventId: "s", name: "check_resolved", actor: "thug", dice: [{ sides: 100, faces: [4] }], text: { text: "Thug strikes." } };
const undo = { eventId: "u", name: "undone", undoes: ["m"], text: { text: "Taken back." } };
const restored = { eventId: "v", name: "restored", actor: "nurse", text: { text: "" } };
const nothing = () => undefined;
const gm = { gm: true, yours: () => false };
const player = { gm: false, yours: id => id === "nurse" };

test("the GM can take back any card, and an undo too", () => {
  assert.equal(undoOf([strike], nothing, false, gm), "undo");
  assert.equal(undoOf([undo, restored], id => (id === "m" ? undo : undefined), false, gm), "redo");
});

test("an undo that was taken back has nothing more to take back, and what did it has", () => {
  const redo = { ...undo, eventId: "r", undoes: [], redoes: ["m"] };
  const byUndo = id => (id === "m" ? undo : undefined);
  assert.equal(undoOf([undo, restored], nothing, false, gm), null);
  assert.equal(undoOf([redo, restored], nothing, true, gm), "redo");
  assert.equal(undoOf([redo, restored], byUndo, false, gm), null, "it was taken back again");
});

test("a player has the own last card alone", () => {
  assert.equal(undoOf([move], nothing, true, player), "undo");
  assert.equal(undoOf([move], nothing, false, player), null);
  assert.equal(undoOf([strike], nothing, true, player), null);
  assert.equal(undoOf([undo, restored], id => (id === "m" ? undo : undefined), true, player), null);
});

test("what is taken back, or says nothing to people, is not taken back", () => {
  assert.equal(undoOf([move], () => undo, true, gm), null);
  assert.equal(undoOf([restored], nothing, true, gm), null);
  assert.equal(undoOf([], nothing, true, gm), null);
});

test("dice and questions are fences", () => {
  assert.equal(isFenced([move]), false);
  assert.equal(isFenced([{ ...strike, dice: [] }]), false);
  assert.equal(isFenced([move, strike]), true);
  assert.equal(isFenced([{ ...move, name: "prompt_opened" }]), true);
});

test("the last card is the one behind which none stands; to a player undos do not count", () => {
  const told = { a: [move], b: [strike], c: [], d: [undo, restored] };
  const last = (cards, looker, undoneBy = nothing) => lastOf(cards, card => told[card], undoneBy, looker);
  assert.equal(last(["a", "b", "c"], true), "b");
  assert.equal(last(["a", "b", "d"], true), "d");
  assert.equal(last(["a", "b", "d"], false), "b");
  assert.equal(last(["a", "b"], true, id => (id === "s" ? undo : undefined)), "a");
  assert.equal(last(["a", "not known yet"], true), undefined);
  assert.equal(last([], true), undefined);
});
