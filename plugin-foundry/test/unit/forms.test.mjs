/** The form of what does not fit inputs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasForm, inputsOf, presetOf, requestOf } from "../../scripts/actions/forms.mjs";

const combat = { id: "c", form: true, action: { coc: { startCombat: { combatants: [], positions: [], notes: "" } } } };
const other = { id: "o", form: true, action: { coc: { somethingElse: {} } } };
const plain = { id: "p", inputs: [{ name: "n" }], action: { coc: { attack: {} } } };

const at = (x, more = {}) => ({ square: { x, y: 0, floor: 0 }, hidden: false, chosen: false, ...more });
const around = standing => ({ characters: ["a", "b", "c"].map(id => ({ id, name: id.toUpperCase() })), standing: new Map(Object.entries(standing)), words: key => key });
const fight = (ids, standing, positions = "true") => requestOf(combat, [{ name: "combatants", values: ids }, { name: "positions", values: [positions] }], around(standing)).action.coc.startCombat;

test("offers with inputs are sent as offers, and forms that nobody knows cannot be taken", () => {
  assert.deepEqual([hasForm(plain), hasForm(combat), hasForm(other)], [true, true, false]);
  assert.deepEqual(inputsOf(plain, around({})), [{ name: "n" }]);
  assert.deepEqual(requestOf(plain, [{ name: "n", values: ["1"] }], around({})), { offer: { offerId: "p", values: [{ name: "n", values: ["1"] }] } });
  assert.equal(presetOf(plain, around({ a: at(1) })), undefined);
});

test("those fight who are selected, else whom everybody sees on the map", () => {
  assert.deepEqual(presetOf(combat, around({ a: at(1), b: at(2), c: at(3, { hidden: true }) })), { combatants: ["a", "b"], positions: ["true"] });
  assert.deepEqual(presetOf(combat, around({ a: at(1), b: at(2, { chosen: true }), c: at(3, { chosen: true, hidden: true }) })), { combatants: ["b", "c"] });
  assert.deepEqual(presetOf(combat, around({})), { combatants: [] });
});

test("they stand where their tokens stand: all of them, each elsewhere, nobody hidden", () => {
  assert.deepEqual(fight(["a", "b"], { a: at(1), b: at(2) }).positions, [{ character: "a", square: { x: 1, y: 0, floor: 0 } }, { character: "b", square: { x: 2, y: 0, floor: 0 } }]);
  for (const standing of [{ a: at(1) }, { a: at(1), b: at(1) }, { a: at(1), b: at(2, { hidden: true }) }]) assert.deepEqual(fight(["a", "b"], standing).positions, []);
  assert.deepEqual(fight(["a", "b"], { a: at(1), b: at(2) }, "false").positions, []);
});
