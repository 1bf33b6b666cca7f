import assert from "node:assert/strict";
import { test } from "node:test";
import { cardOf, isForCards, lexiconOf, signed } from "../../scripts/present/card.mjs";

const ruleset = {
  words: [
    { key: "attack", text: "Attack" }, { key: "club", text: "Club" }, { key: "initiative", text: "order" },
    { key: "mod", text: "modifier" }, { key: "success", text: "success", grade: "GRADE_SUCCESS" },
    { key: "fumble", text: "Patzer", grade: "GRADE_DISASTER" },
  ],
};
const lexicon = lexiconOf(ruleset, id => ({ officer: "Officer Ito", thug: "Thug" })[id]);

// As the server writes it, with all that it leaves empty.
const check = {
  eventId: "e1", name: "check_resolved", rule: "COC-CHK-01", cause: "", actor: "officer", targets: ["thug"], stepId: "s1", toldTo: [],
  facts: [
    { key: "skill", of: "", words: ["club"], squares: [], characters: [] },
    { key: "value", of: "", number: 60, words: [], squares: [], characters: [] },
    { key: "result", of: "", words: ["success"], squares: [], characters: [] },
  ],
  dice: [{ label: "attack", of: "officer", sides: 100, faces: [23], given: false }],
  trace: [
    { of: "officer", label: "club", rule: "COC-CHK-04", op: "MODIFIER_OP_SET", value: 60, result: 60, suppressed: false },
    { of: "officer", label: "mod", rule: "", op: "MODIFIER_OP_ADD", value: -10, result: 50, suppressed: true },
  ],
  changes: [], cues: [], text: { key: "check_resolved", text: "Officer: Club (60): 23, success." },
};

test("a roll has its sentence, dice, grade and working", () => {
  const { actor, rows: [row] } = cardOf([check], lexicon);
  assert.equal(actor, "Officer Ito");
  assert.deepEqual(row, {
    id: "e1", name: "check_resolved", text: "Officer: Club (60): 23, success.", rule: "COC-CHK-01", kind: "roll",
    grade: "success", gradeText: "success", secret: false, undone: false,
    dice: [{ label: "Attack", again: false, formula: "1D100", sides: 100, shape: "d100", faces: [23], total: 23, several: false, given: false }],
    working: [
      { label: "Club", sum: "=60", result: 60, rule: "COC-CHK-04", suppressed: false },
      { label: "modifier", sum: "−10", result: 50, rule: "", suppressed: true },
    ],
  });
});

test("what was not told is not there, and nothing stands in its place", () => {
  const { rows: [row] } = cardOf([{ eventId: "e", name: "hp_changed", actor: "thug", text: { text: "Thug: hit points change." } }], lexicon);
  assert.equal(row.kind, "plain");
  assert.equal(row.grade, null);
  assert.deepEqual([row.gradeText, row.dice, row.working], ["", [], []]);
});

test("an event without a sentence is none for people", () => {
  assert.deepEqual(cardOf([{ eventId: "e", name: "step_taken", text: { text: "" } }, { eventId: "f", name: "x" }], lexicon), { actor: "", rows: [], undoneBy: [] });
});

test("what the map shows is on no card", () => {
  assert.deepEqual(cardOf([{ ...check, name: "placed" }, { ...check, name: "unplaced" }], lexicon).rows, []);
});

test("the actor's grade comes before others'", () => {
  const event = {
    ...check,
    facts: [{ key: "result", of: "thug", words: ["fumble"] }, { key: "result", of: "officer", words: ["success"] }],
  };
  assert.equal(cardOf([event], lexicon).rows[0].grade, "success");
  event.facts.pop();
  assert.equal(cardOf([event], lexicon).rows[0].gradeText, "Patzer");
});

test("dice of somebody else say whose they are; an odd die has no shape", () => {
  const event = { ...check, actor: "", dice: [{ label: "initiative/thug/1", of: "thug", sides: 3, faces: [2, 3] }] };
  assert.deepEqual(cardOf([event], lexicon).rows[0].dice[0], {
    label: "Thug: order", again: false, formula: "2D3", sides: 3, shape: "other", faces: [2, 3], total: 5, several: true, given: false,
  });
});

test("dice for the same say so once", () => {
  const die = (label, ...faces) => ({ label, of: "officer", sides: 6, faces });
  const { rows: [row] } = cardOf([{ ...check, dice: [die("attack", 1), die("attack", 2), die("mod", 3), die("mod"), die("attack", 4)] }], lexicon);
  assert.deepEqual(row.dice.map(d => [d.label, d.again, d.total]), [["Attack", false, 1], ["Attack", true, 2], ["modifier", false, 3], ["Attack", false, 4]]);
});

test("a card is headed by who acts in what it begins with", () => {
  assert.equal(cardOf([{ ...check, actor: "" }, check], lexicon).actor, "");
});

test("what not everybody was told is marked for the GM", () => {
  assert.equal(cardOf([{ ...check, toldTo: ["gm"] }], lexicon).rows[0].secret, true);
});

test("unknown words, characters and grades stand for themselves", () => {
  const bare = lexiconOf(null, id => id);
  const { actor, rows: [row] } = cardOf([check], bare);
  assert.equal(actor, "officer");
  assert.equal(row.grade, null);
  assert.equal(row.working[0].label, "club");
});

test("the core's asides are told apart", () => {
  assert.equal(cardOf([{ ...check, name: "prompt_opened", dice: [] }], lexicon).rows[0].kind, "aside");
});

test("what was taken back is marked, and by what is said once; its dice are there", () => {
  const undo = { eventId: "u", name: "undone", text: { text: "The GM takes it back." } };
  const events = [check, { ...check, eventId: "e2" }, { ...check, eventId: "e3" }];
  const { rows, undoneBy } = cardOf(events, lexicon, id => (id === "e3" ? undefined : undo));
  assert.deepEqual(rows.map(row => row.undone), [true, true, false]);
  assert.deepEqual(rows[0].dice[0].faces, [23]);
  assert.deepEqual(undoneBy, ["The GM takes it back."]);
});

test("squares that become known are on no card: the scene shows them", () => {
  const square = { dungeonSquare: { after: { square: { x: 1 } } } };
  assert.equal(isForCards({ ...check, changes: [square] }), false);
  assert.equal(isForCards({ ...check, changes: [square, { position: {} }] }), true);
});

test("numbers of a change have a sign", () => {
  assert.deepEqual([signed(3), signed(0), signed(-8)], ["+3", "0", "−8"]);
});
