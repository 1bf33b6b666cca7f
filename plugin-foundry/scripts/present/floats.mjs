/**
 * @import * as Api from "../../types/api.js"
 * @import {Lexicon} from "./card.mjs"
 * @import {Manner} from "./queue.mjs"
 */
import { tokensOf } from "../link/registry.mjs";
import { signed } from "./card.mjs";

/** How long a text rises, in milliseconds. */
const DURATION = 1600;

/**
 * What rises over tokens by an event's cues: what this seat was told. Cues that go
 * together rise together, the others one after another.
 * @param {Api.EventViewJson} event
 * @param {Lexicon} lexicon
 * @returns {{character: string, text: string, worse: boolean, together: boolean}[]}
 */
export function floatsOf({ cues = [], facts = [], actor }, lexicon) {
  return cues.flatMap(({ float, withPrevious }) => {
    const fact = float && facts.find(f => f.key === float.fact && (f.of || actor) === float.character);
    if (!float || !fact) return [];
    const text = fact.number !== undefined ? signed(fact.number) : fact.text ?? (fact.words ?? []).map(lexicon.word).join(" ");
    return text ? [{ character: float.character ?? "", text, worse: (fact.number ?? 0) < 0, together: Boolean(withPrevious) }] : [];
  });
}

/**
 * Lets texts rise over the tokens on the scene that is shown.
 * @param {ReturnType<typeof floatsOf>} floats
 * @param {Manner} manner
 */
export async function rise(floats, { instant, pace, signal }) {
  if (instant || !canvas?.ready || !canvas.interface) return;
  /** @type {Promise<unknown>[]} */
  let rising = [];
  for (const { character, text, worse, together } of floats) {
    if (!together) await Promise.all(rising);
    if (signal.aborted) return;
    if (!together) rising = [];
    for (const { object } of tokensOf(character)) {
      if (!object?.visible) continue;
      rising.push(canvas.interface.createScrollingText(object.center, text, {
        anchor: CONST.TEXT_ANCHOR_POINTS.TOP, direction: worse ? CONST.TEXT_ANCHOR_POINTS.BOTTOM : CONST.TEXT_ANCHOR_POINTS.TOP,
        duration: DURATION * pace, fontSize: 36, fill: worse ? "#ff6b5e" : "#8fe388", stroke: 0x000000, strokeThickness: 4, jitter: 0.25,
      }));
    }
  }
  await Promise.all(rising);
}
