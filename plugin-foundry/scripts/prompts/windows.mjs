/**
 * The questions that are open: which belong together, whose they are, and what is
 * sent to answer them. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 *
 * @typedef {object} PromptWindow  All that one window asks of a seat.
 * @property {string} id
 * @property {boolean} standing    Nothing waits for it.
 * @property {string} becauseOf    Whose step it is in; empty if nobody's.
 * @property {string} about
 * @property {number | null} expires  When the default is taken, in milliseconds since 1970.
 * @property {Api.PromptViewJson[]} prompts
 *
 * @typedef {object} Chosen
 * @property {string} choice
 * @property {Api.ValueJson[]} [values]
 */

/**
 * The windows of prompts: those that hold play up before those that do not, each
 * in the order in which it was asked.
 * @param {Api.PromptViewJson[]} prompts
 * @returns {PromptWindow[]}
 */
export function windowsOf(prompts) {
  /** @type {Map<string, PromptWindow>} */
  const windows = new Map();
  for (const prompt of prompts) {
    const id = prompt.window || prompt.id || "";
    let window = windows.get(id);
    if (!window) {
      window = {
        id, standing: prompt.standing ?? false,
        becauseOf: prompt.becauseOf ?? "", about: prompt.about ?? "", expires: null, prompts: [],
      };
      windows.set(id, window);
    }
    window.prompts.push(prompt);
    if (prompt.expireTime) window.expires = Math.min(window.expires ?? Infinity, Date.parse(prompt.expireTime));
  }
  return [...windows.values()].sort((a, b) => Number(a.standing) - Number(b.standing));
}

/**
 * What is sent for the choices made in a window; null if none was made.
 * @param {Api.PromptViewJson[]} prompts
 * @param {Map<string, Chosen>} chosen     By prompt id.
 * @returns {{prompt: string, answers: Api.SlotAnswerJson[]} | null}
 */
export function answersOf(prompts, chosen) {
  const answered = prompts.filter(prompt => chosen.has(prompt.id ?? ""));
  if (!answered.length) return null;
  const answers = answered.map(prompt => {
    const { choice, values = [] } = /** @type {Chosen} */ (chosen.get(prompt.id ?? ""));
    return { ...(prompt.character && { character: prompt.character }), choice, ...(values.length && { values }) };
  });
  return { prompt: answered[0].id ?? "", answers };
}

/**
 * What is sent for dice thrown by hand.
 * @param {Api.PromptViewJson} prompt
 * @param {string} given  In the server's notation.
 */
export function thrownOf(prompt, given) {
  const answers = prompt.character ? [{ character: prompt.character }] : [];
  return { prompt: prompt.id ?? "", answers, more: { givenDice: [given] } };
}

/**
 * Those whom the table waits for, but for the seat that looks: once for each
 * question and character, with the seats that may answer.
 * @param {Api.WaitingViewJson[]} waitingOn
 * @param {string} seat
 */
export function othersOf(waitingOn, seat) {
  return waitingOn.filter(waiting => waiting.blocking && !waiting.seats?.includes(seat));
}

/**
 * What is left until a time, as people read it: "0:09", "12:00", "26:00:00".
 * @param {number} expires
 * @param {number} now
 */
export function remaining(expires, now) {
  const seconds = Math.max(0, Math.ceil((expires - now) / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
