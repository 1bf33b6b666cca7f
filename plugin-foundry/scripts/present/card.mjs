/**
 * What stands on a card: made of events as the seat was told them, and of the
 * ruleset's own words. It knows no ruleset and no Foundry.
 *
 * @import * as Api from "../../types/api.js"
 *
 * @typedef {"triumph" | "success" | "failure" | "disaster"} Grade
 *
 * @typedef {object} Lexicon
 * @property {(key: string) => string} word          A word of the rules, for people.
 * @property {(key: string) => Grade | null} grade   How good a word is.
 * @property {(id: string) => string} name           What a character is called.
 *
 * @typedef {object} Throw
 * @property {string} label       What was thrown for.
 * @property {boolean} again      Whether the throw before was for the same.
 * @property {string} formula     For example "2D6".
 * @property {number} sides
 * @property {string} shape       Of the die, for the style.
 * @property {number[]} faces
 * @property {number} total
 * @property {boolean} several
 * @property {boolean} given      Thrown by hand.
 *
 * @typedef {object} WorkingLine
 * @property {string} label
 * @property {string} sum         For example "+10".
 * @property {number | undefined} result
 * @property {string} rule
 * @property {boolean} suppressed
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} name
 * @property {string} text
 * @property {string} rule
 * @property {"roll" | "plain" | "aside"} kind
 * @property {Grade | null} grade
 * @property {string} gradeText
 * @property {Throw[]} dice
 * @property {WorkingLine[]} working
 * @property {boolean} secret     Not everybody was told: for the GM alone, who must not read it out.
 * @property {boolean} undone     It was taken back: it is no fact any more.
 *
 * @typedef {object} Card
 * @property {string} actor       Who acts in what it begins with; "" if nobody does.
 * @property {Row[]} rows
 * @property {string[]} undoneBy  By what rows were taken back, in words.
 *
 * What has taken an event back; undefined if it stands.
 * @typedef {(id: string) => Api.EventViewJson | undefined} UndoneBy
 */

/** The core's events that only say how far the table is. */
const ASIDES = new Set(["prompt_opened", "prompt_answered", "prompt_withdrawn", "step_taken"]);

/** The core's events that the map shows: a line for every drag of a token would bury the rest. */
const ON_MAP = new Set(["placed", "unplaced"]);

/** Dice that have a shape of their own. */
const SHAPES = new Set([4, 6, 8, 10, 12, 20, 100]);

/** @type {Record<string, string>} */
const SIGNS = {
  MODIFIER_OP_SET: "=", MODIFIER_OP_MULTIPLY: "×", MODIFIER_OP_DIVIDE: "÷", MODIFIER_OP_FLOOR: "≥", MODIFIER_OP_CAP: "≤",
};

/** @type {Record<string, Grade>} */
const GRADES = { GRADE_TRIUMPH: "triumph", GRADE_SUCCESS: "success", GRADE_FAILURE: "failure", GRADE_DISASTER: "disaster" };

/**
 * The words of a ruleset, and the names at a table.
 * @param {Api.RulesetJson | null} ruleset
 * @param {(id: string) => string} name
 * @returns {Lexicon}
 */
export function lexiconOf(ruleset, name) {
  const words = new Map((ruleset?.words ?? []).map(word => [word.key, word]));
  return {
    word: key => words.get(key)?.text || key,
    grade: key => GRADES[words.get(key)?.grade ?? ""] ?? null,
    name,
  };
}

/**
 * Whether an event stands on cards: whether it says anything to people that they
 * do not see elsewhere.
 * @param {Api.EventViewJson} event
 */
export function isForCards({ name = "", text, facts, changes }) {
  if (!text?.text || ON_MAP.has(name)) return false;
  // A square that becomes known is seen on the scene, and there are many.
  if (changes?.length && changes.every(change => change.dungeonSquare)) return false;
  // Who lets the server throw is no news: the dice are.
  return !(ASIDES.has(name) && facts?.some(fact => fact.key === "prompt" && fact.words?.[0] === "dice"));
}

/**
 * The card of a step.
 * @param {Api.EventViewJson[]} events
 * @param {Lexicon} lexicon
 * @param {UndoneBy} [undoneBy]
 * @returns {Card}
 */
export function cardOf(events, lexicon, undoneBy = () => undefined) {
  const told = events.filter(isForCards);
  const actor = told[0]?.actor;
  const undoes = told.map(event => undoneBy(event.eventId ?? ""));
  return {
    actor: actor ? lexicon.name(actor) : "",
    rows: told.map((event, i) => ({ ...rowOf(event, lexicon), undone: undoes[i] !== undefined })),
    undoneBy: [...new Set(undoes.flatMap(undo => undo?.text?.text ?? []))],
  };
}

/**
 * @param {Api.EventViewJson} event
 * @param {Lexicon} lexicon
 * @returns {Omit<Row, "undone">}
 */
function rowOf(event, lexicon) {
  const dice = (event.dice ?? []).filter(die => die.faces?.length).map(die => throwOf(die, lexicon, event.actor));
  dice.forEach((one, i) => { one.again = one.label === dice[i - 1]?.label; });
  const graded = gradeOf(event, lexicon);
  return {
    id: event.eventId ?? "",
    name: event.name ?? "",
    text: event.text?.text ?? "",
    rule: event.rule ?? "",
    kind: ASIDES.has(event.name ?? "") ? "aside" : dice.length || graded ? "roll" : "plain",
    grade: graded ? lexicon.grade(graded) : null,
    gradeText: graded ? lexicon.word(graded) : "",
    dice,
    working: (event.trace ?? []).map(line => lineOf(line, lexicon)),
    secret: Boolean(event.toldTo?.length),
  };
}

/**
 * The word for how well it went: the first that is a grade, of the actor's before
 * others'.
 * @param {Api.EventViewJson} event
 * @param {Lexicon} lexicon
 */
function gradeOf({ facts = [], actor }, lexicon) {
  const own = facts.filter(fact => !fact.of || fact.of === actor);
  for (const fact of [...own, ...facts]) {
    const word = fact.words?.find(w => lexicon.grade(w));
    if (word) return word;
  }
  return null;
}

/**
 * @param {Api.DieJson} die
 * @param {Lexicon} lexicon
 * @param {string} [actor]
 * @returns {Throw}
 */
function throwOf({ label = "", of, sides = 0, faces = [], given }, lexicon, actor) {
  const purpose = lexicon.word(label.split("/")[0]);
  return {
    label: of && of !== actor ? `${lexicon.name(of)}: ${purpose}` : purpose,
    again: false,
    formula: `${faces.length}D${sides}`,
    sides,
    shape: SHAPES.has(sides) ? `d${sides}` : "other",
    faces,
    total: faces.reduce((sum, face) => sum + face, 0),
    several: faces.length > 1,
    given: Boolean(given),
  };
}

/**
 * @param {Api.TraceLineJson} line
 * @param {Lexicon} lexicon
 * @returns {WorkingLine}
 */
function lineOf({ label = "", op, value, result, rule = "", suppressed }, lexicon) {
  let sum = "";
  if (value !== undefined) sum = op === "MODIFIER_OP_ADD" ? signed(value) : `${SIGNS[op ?? ""] ?? ""}${value}`;
  return { label: lexicon.word(label), sum, result, rule, suppressed: Boolean(suppressed) };
}

/**
 * A number with its sign, for a change.
 * @param {number} value
 */
export function signed(value) {
  return value > 0 ? `+${value}` : String(value).replace("-", "−");
}
