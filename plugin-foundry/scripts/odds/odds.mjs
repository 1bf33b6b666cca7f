/**
 * What can come of an action, as rows to read: made of the odds that the server tells
 * the seat, and of the ruleset's own words. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 *
 * @typedef {object} Chance
 * @property {string} percent   For people, for example "45 %" or "< 0.1 %".
 * @property {number} width     Of its bar, 0 to 100.
 * @property {string} fraction  As it is exactly, or was counted.
 *
 * @typedef {object} Names
 * @property {(id: string) => string} character  What a character is called.
 * @property {(key: string) => string} stat      What a resource is called.
 * @property {(key: string) => string} status
 * @property {(label: string) => string} label   What a throw is for, or a question asks.
 *
 * @typedef {{text: string} & Chance} Row
 *
 * @typedef {object} Outcomes  What comes of it with one answer, or without a question.
 * @property {{samples: number, leaves: number, margin: string}} method  No samples: all ways were gone through.
 * @property {({who: string, label: string} & Chance)[]} stops  Where it ends for this seat.
 * @property {Row[]} likely
 * @property {Row[]} rare
 * @property {{who: string, name: string, before: number, mean: string, values: ({value: number, now: boolean} & Chance)[]}[]} resources
 * @property {({who: string, name: string, lost: boolean} & Chance)[]} statuses
 * @property {string} truncated  How probable it is that it goes on and on; "" for not at all.
 *
 * @typedef {object} Question
 * @property {string} text
 * @property {string} who      Who is asked; "" for the GM.
 * @property {Chance} asked    How probable it is that it is asked.
 * @property {{id: string, text: string, isDefault: boolean, outcomes: Outcomes}[]} answers
 */

/** Below that it is told apart: a hundred things that hardly ever happen hide the others. */
const RARE = 0.01;

/**
 * The outcomes and, if anybody is asked, those with each answer.
 * @param {Api.OddsViewJson} odds
 * @param {Names} names
 * @returns {{outcomes: Outcomes, question: Question | null}}
 */
export function oddsOf(odds, names) {
  const { question } = odds;
  const answers = (question?.choices ?? []).flatMap(({ choice = "", text, odds: its }) => (its ? [{
    id: choice, text: text || choice, isDefault: choice === question?.defaultChoice, outcomes: outcomesOf(its, names),
  }] : []));
  return {
    outcomes: outcomesOf(odds, names),
    question: question && answers.length ? {
      text: question.text?.text || question.prompt || "",
      who: question.character ? names.character(question.character) : "",
      asked: chanceOf(question.probability),
      answers,
    } : null,
  };
}

/**
 * @param {Api.OddsViewJson} odds
 * @param {Names} names
 * @returns {Outcomes}
 */
function outcomesOf(odds, names) {
  const told = sorted(odds.events ?? []).filter(({ event }) => event?.text?.text);
  const row = (/** @type {Api.EventOddsJson} */ { event, probability }) => ({ text: event?.text?.text ?? "", ...chanceOf(probability) });
  return {
    method: {
      samples: odds.samples ?? 0, leaves: odds.leaves ?? 0, margin: odds.margin ? points(odds.margin) : "",
    },
    stops: (odds.stops ?? []).map(({ character, label = "", probability }) => ({
      who: character ? names.character(character) : "", label: names.label(label), ...chanceOf(probability),
    })),
    likely: told.filter(({ probability }) => number(probability) >= RARE).map(row),
    rare: told.filter(({ probability }) => number(probability) < RARE).map(row),
    resources: (odds.resources ?? []).map(({ character = "", key = "", before = 0, values = [], mean }) => ({
      who: names.character(character), name: names.stat(key), before, mean: String(Math.round(number(mean) * 10) / 10),
      values: values.map(({ value = 0, probability }) => ({ value, now: value === before, ...chanceOf(probability) })),
    })),
    statuses: (odds.statuses ?? []).map(({ character = "", key = "", lost, probability }) => ({
      who: names.character(character), name: names.status(key), lost: Boolean(lost), ...chanceOf(probability),
    })),
    truncated: number(odds.truncated) > 0 ? chanceOf(odds.truncated).percent : "",
  };
}

/**
 * Events of the same kind stand together, where the first of them stands: the ways a
 * roll can end, one below the other.
 * @param {Api.EventOddsJson[]} events
 */
function sorted(events) {
  /** @type {Map<string, Api.EventOddsJson[]>} */
  const kinds = new Map();
  for (const odds of events) {
    const { name, rule, actor, targets } = odds.event ?? {};
    const kind = JSON.stringify([name, rule, actor, targets]);
    kinds.set(kind, [...kinds.get(kind) ?? [], odds]);
  }
  return [...kinds.values()].flat();
}

/**
 * A probability for people. What is possible is never 0 %, and what is not certain
 * never 100 %.
 * @param {Api.FractionJson | undefined} probability
 * @returns {Chance}
 */
export function chanceOf(probability) {
  const p = number(probability);
  const fraction = probability?.fraction ?? "0";
  const certain = fraction === "1";
  const tenths = Math.round(p * 1000);
  let percent = `${tenths / 10} %`;
  if (tenths === 0 && fraction !== "0") percent = "< 0.1 %";
  if (tenths === 1000 && !certain) percent = "> 99.9 %";
  return { percent, width: Math.round(p * 1000) / 10, fraction };
}

/** How far off samples may be, in points of per cent. @param {Api.FractionJson} margin */
function points(margin) {
  return `±${Math.ceil(number(margin) * 1000) / 10} %`;
}

/** @param {Api.FractionJson | undefined} fraction */
function number(fraction) {
  return Number(fraction?.decimal ?? 0);
}
