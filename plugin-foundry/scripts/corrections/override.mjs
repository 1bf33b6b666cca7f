/**
 * What the GM can correct on a sheet, as inputs of a form, and what is sent of what
 * the form says. It is made of the sheet and the ruleset's own words: it knows no
 * ruleset. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 * @import {Words} from "../apps/sheet.mjs"
 *
 * @typedef {"resource" | "stat" | "status" | "endModifier" | "position"} Kind
 *
 * @typedef {object} Labels  The words of the form.
 * @property {string} which
 * @property {string} value
 * @property {string} max
 * @property {string} ends
 * @property {string} square
 * @property {string} has    Behind a status that is there.
 */
import { modifierOf } from "../apps/sheet.mjs";
import { lastSquare, writeSquare } from "../inputs/fields.mjs";

/** @type {Kind[]} */
const KINDS = ["resource", "stat", "status", "endModifier", "position"];

/**
 * What there is to choose from of a sheet, by kind; a position is not chosen from a list.
 * @param {Api.CharacterViewJson} character
 * @param {Api.RulesetJson | null} ruleset
 * @param {Words} words
 * @param {string} has
 * @returns {Record<Kind, {value: string, text: string}[]>}
 */
function choicesOf(character, ruleset, words, has) {
  const infos = ruleset?.stats ?? [];
  const nameOf = (/** @type {string} */ key) => infos.find(info => info.key === key)?.name || key;
  // In the order of the sheet; what it says nothing of comes behind.
  const rank = (/** @type {string} */ key) => (infos.findIndex(info => info.key === key) + infos.length + 1) % (infos.length + 1);
  /** @param {{key?: string, value?: number}[]} all */
  const known = all => all.filter(one => one.value !== undefined).map(one => ({ ...one, key: one.key ?? "" })).sort((a, b) => rank(a.key) - rank(b.key));
  const resources = new Map(character.resources?.map(resource => [resource.key ?? "", resource]));
  const statuses = new Set(character.statuses?.map(status => status.key ?? ""));
  const names = new Map([...statuses].map(key => /** @type {[string, string]} */ ([key, key])));
  for (const { key = "", name } of ruleset?.statuses ?? []) names.set(key, name || key);
  return {
    resource: known([...resources.values()]).map(({ key, value }) => ({
      value: key, text: `${nameOf(key)} (${value}${resources.get(key)?.max === undefined ? "" : ` / ${resources.get(key)?.max}`})`,
    })),
    stat: known(character.stats ?? []).filter(({ key }) => !resources.has(key)).map(({ key, value }) => ({ value: key, text: `${nameOf(key)} (${value})` })),
    status: [...names].map(([key, name]) => ({ value: key, text: statuses.has(key) ? `${name} (${has})` : name })),
    endModifier: (character.modifiers ?? []).map(modifier => {
      const { to, value, reason } = modifierOf(modifier, infos, words);
      return { value: modifier.id ?? "", text: [to, value, reason].filter(Boolean).join(" ") };
    }),
    position: [],
  };
}

/**
 * The form for one kind of correction. What is chosen has the value that it has now.
 * @param {Api.CharacterViewJson} character
 * @param {Api.RulesetJson | null} ruleset
 * @param {{kind: Kind, key: string}} chosen  What is corrected; the first that there is if there is no such.
 * @param {Words & Labels} words
 * @returns {{kinds: Kind[], kind: Kind, key: string, inputs: Api.InputViewJson[], values: Record<string, string[]>}}
 */
export function overrideForm(character, ruleset, chosen, words) {
  const choices = choicesOf(character, ruleset, words, words.has);
  const kinds = KINDS.filter(kind => kind === "position" || choices[kind].length);
  const kind = kinds.includes(chosen.kind) ? chosen.kind : kinds[0];
  const key = (choices[kind].find(choice => choice.value === chosen.key) ?? choices[kind][0])?.value ?? "";
  /** @type {Api.InputViewJson[]} */
  const which = [{ name: "key", kind: "INPUT_KIND_CHOICE", minCount: 1, maxCount: 1, text: words.which, choices: choices[kind] }];
  /** @param {string} name @param {string} text @returns {Api.InputViewJson} */
  const number = (name, text) => ({ name, kind: "INPUT_KIND_NUMBER", minCount: 1, maxCount: 1, text });
  const form = { kinds, kind, key };
  switch (kind) {
    case "resource": {
      const { value, max } = character.resources?.find(one => one.key === key) ?? {};
      const bounded = max !== undefined;
      const inputs = [...which, number("value", words.value), ...bounded ? [number("max", words.max)] : []];
      return { ...form, inputs, values: { key: [key], value: [String(value)], ...(bounded && { max: [String(max)] }) } };
    }
    case "stat": {
      const { value } = character.stats?.find(one => one.key === key) ?? {};
      return { ...form, inputs: [...which, number("value", words.value)], values: { key: [key], value: [String(value)] } };
    }
    case "status": {
      const there = character.statuses?.some(one => one.key === key);
      const inputs = [...which, /** @type {Api.InputViewJson} */ ({ name: "ends", kind: "INPUT_KIND_BOOL", minCount: 0, maxCount: 1, text: words.ends })];
      return { ...form, inputs, values: { key: [key], ...(there && { ends: ["true"] }) } };
    }
    case "endModifier":
      return { ...form, inputs: which, values: { key: [key] } };
    case "position":
      return {
        ...form, inputs: [{ name: "square", kind: "INPUT_KIND_SQUARE", minCount: 0, maxCount: 1, text: words.square }],
        values: character.position ? { square: [writeSquare(character.position)] } : {},
      };
  }
}

/**
 * What is sent for what a form says; null if it says what is no number or no square.
 * @param {Api.CharacterViewJson} character  As it was when the form was made.
 * @param {Kind} kind
 * @param {Api.ValueJson[]} values
 * @returns {Api.OperationJson | null}
 */
export function operationOf(character, kind, values) {
  const of = (/** @type {string} */ name) => values.find(value => value.name === name)?.values?.[0];
  const number = (/** @type {string} */ name) => {
    const text = of(name)?.normalize("NFKC").replace("−", "-") ?? "";
    return /^-?\d+$/.test(text) ? Number(text) : undefined;
  };
  const key = of("key");
  const value = number("value");
  switch (kind) {
    case "resource": {
      const before = character.resources?.find(one => one.key === key);
      const max = number("max");
      if (value === undefined || before?.max !== undefined && max === undefined) return null;
      return { resource: { key, value, ...(max !== before?.max && { max }) } };
    }
    case "stat":
      return value === undefined ? null : { stat: { key, value } };
    case "status":
      return { status: { key, ...(of("ends") === "true" && { ends: true }) } };
    case "endModifier":
      return { endModifier: key };
    case "position": {
      const text = of("square");
      const square = text === undefined ? undefined : lastSquare(text.normalize("NFKC"));
      return square === null ? null : { position: square ? { square } : {} };
    }
  }
}
