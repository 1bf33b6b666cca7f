/**
 * What an offer or a choice leaves to its sender, as fields of a form, and what a
 * form says as values to send. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 *
 * @typedef {{x: number, y: number, floor: number}} Square
 *
 * How a field is shown.
 * @typedef {"select" | "many" | "number" | "text" | "long" | "check" | "square" | "path"} Control
 *
 * @typedef {object} Field
 * @property {string} name       Its name in the form.
 * @property {string} label
 * @property {Control} control
 * @property {{value: string, text: string, selected: boolean}[]} options
 * @property {string} value      What it is filled in with; "true" for a check that is set.
 * @property {boolean} required
 * @property {number | null} min
 * @property {number | null} max
 * @property {string} from       The square from which a path begins.
 * @property {Record<string, boolean>} is  The control again, for templates.
 *
 * @typedef {object} Around      What fields are filled in from.
 * @property {string[]} [targets]                          The characters that are targeted.
 * @property {{value: string, text: string}[]} [characters]  All characters, for inputs that take any.
 * @property {Record<string, string[]>} [values]           What was filled in before, by the input's name.
 */

/** Longer texts get more room than a line. */
const LINE = 200;

/**
 * The fields of inputs, filled in as far as it is known what is meant.
 * @param {Api.InputViewJson[]} inputs
 * @param {Around} [around]
 * @param {string} [prefix]  Goes before the fields' names, where several forms are one.
 * @returns {Field[]}
 */
export function fieldsOf(inputs, around = {}, prefix = "") {
  return inputs.map(input => {
    const choices = choicesOf(input, around);
    const given = around.values?.[input.name ?? ""] ?? guess(input, choices, around);
    const control = controlOf(input, choices);
    const required = (input.minCount ?? 0) > 0;
    const options = choices.map(choice => ({ value: choice.value, text: choice.text, selected: given.includes(choice.value) }));
    if (control === "select" && (!required || !given.length)) options.unshift({ value: "", text: "", selected: !given.length });
    return {
      name: prefix + input.name,
      label: `${input.text || input.name || ""}${input.budget ? ` (≤ ${input.budget})` : ""}`,
      control,
      options,
      value: given.join(" "),
      required: required && control !== "many" && control !== "check",
      ...boundsOf(input),
      from: input.reach?.from ? writeSquare(input.reach.from) : "",
      is: { [control]: true },
    };
  });
}

/**
 * The squares from one to another, one step after the other, aslant first; the first
 * is left out, the last is the other. Free of Foundry, as squares of offers are.
 * @param {Square} from
 * @param {Square} to
 * @returns {Square[]}
 */
export function stepsTo(from, to) {
  const steps = [];
  for (let { x, y } = from; x !== to.x || y !== to.y;) {
    x += Math.sign(to.x - x);
    y += Math.sign(to.y - y);
    steps.push({ ...to, x, y });
  }
  return steps;
}

/** The directions, as they are sent, by the step that each is. */
const DIRECTIONS = new Map([["0,-1", "up"], ["1,0", "right"], ["0,1", "down"], ["-1,0", "left"]]);

/**
 * The direction in which a square lies beside another; "" if it does not.
 * @param {Api.SquareJson} from
 * @param {Api.SquareJson} to
 */
export function directionTo({ x = 0, y = 0, floor = 0 }, to) {
  return (to.floor ?? 0) === floor && DIRECTIONS.get(`${(to.x ?? 0) - x},${(to.y ?? 0) - y}`) || "";
}

/**
 * A square as it is written in a form, and sent.
 * @param {Api.SquareJson} square
 */
export function writeSquare({ x = 0, y = 0, floor = 0 }) {
  return `${x},${y}${floor ? `,${floor}` : ""}`;
}

/**
 * The square that is written last in a form; null if none is.
 * @param {string} text
 * @returns {Square | null}
 */
export function lastSquare(text) {
  const [x, y, floor = 0] = (text.trim().split(/\s+/).at(-1) ?? "").split(",").map(Number);
  return Number.isInteger(x) && Number.isInteger(y) ? { x, y, floor } : null;
}

/**
 * @param {Api.InputViewJson} input
 * @param {Around} around
 */
function choicesOf(input, { characters = [] }) {
  const choices = (input.choices ?? []).map(({ value = "", text, take }) =>
    ({ value, text: `${text || value}${take ? ` (${take.cost ?? 0})` : ""}` }));
  return !choices.length && input.kind === "INPUT_KIND_CHARACTER" ? characters : choices;
}

/**
 * What can be meant but one thing, or was pointed at.
 * @param {Api.InputViewJson} input
 * @param {{value: string}[]} choices
 * @param {Around} around
 */
function guess(input, choices, { targets = [] }) {
  const most = input.maxCount || 1;
  if (input.kind === "INPUT_KIND_CHARACTER") {
    const meant = targets.filter(id => choices.some(choice => choice.value === id)).slice(0, most);
    if (meant.length) return meant;
  }
  return choices.length === 1 && (input.minCount ?? 0) > 0 ? [choices[0].value] : [];
}

/**
 * @param {Api.InputViewJson} input
 * @param {object[]} choices
 * @returns {Control}
 */
function controlOf(input, choices) {
  // Left open is something else than no where both are choices.
  if (input.kind === "INPUT_KIND_BOOL" && !choices.length) return "check";
  if (choices.length) return (input.maxCount ?? 1) > 1 ? "many" : "select";
  switch (input.kind) {
    case "INPUT_KIND_NUMBER": return "number";
    case "INPUT_KIND_SQUARE": return "square";
    case "INPUT_KIND_PATH": return "path";
    default: return (input.max ?? 0) > LINE ? "long" : "text";
  }
}

/**
 * No number is asked for between 0 and 0: then there are no bounds.
 * @param {Api.InputViewJson} input
 */
function boundsOf({ min = 0, max = 0 }) {
  return min || max ? { min, max } : { min: null, max: null };
}

/**
 * The values to send of what a form says, and the inputs that are still to be
 * filled in. An input that was left open is not sent.
 * @param {Api.InputViewJson[]} inputs
 * @param {Iterable<[string, unknown]>} entries  Of the form's FormData.
 * @param {string} [prefix]
 * @returns {{values: Api.ValueJson[], missing: Api.InputViewJson[]}}
 */
export function valuesOf(inputs, entries, prefix = "") {
  const form = [...entries];
  /** @type {Api.ValueJson[]} */
  const values = [];
  const missing = [];
  for (const input of inputs) {
    const given = form.filter(([name]) => name === prefix + input.name).map(([, value]) => String(value).trim()).filter(Boolean);
    if (input.kind === "INPUT_KIND_BOOL" && !given.length && (input.minCount ?? 0) > 0) given.push("false");
    if (given.length < (input.minCount ?? 0)) missing.push(input);
    else if (given.length) values.push({ name: input.name, values: given.slice(0, input.maxCount || 1) });
  }
  return { values, missing };
}

/**
 * The values that need no form: those that are clear from what is around. null if
 * something has to be filled in by hand.
 * @param {Api.InputViewJson[]} inputs
 * @param {Around} around
 * @returns {Api.ValueJson[] | null}
 */
export function clearValues(inputs, around) {
  /** @type {[string, string][]} */
  const entries = inputs.flatMap(input => {
    const given = guess(input, choicesOf(input, around), around);
    return given.map(value => /** @type {[string, string]} */ ([input.name ?? "", value]));
  });
  const { values, missing } = valuesOf(inputs, entries);
  return missing.length ? null : values;
}
