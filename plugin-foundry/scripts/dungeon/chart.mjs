/**
 * @import * as Api from "../../types/api.js"
 */

/**
 * What a seat knows of the dungeon that is explored: what its view has, and what
 * the stream has changed since. Changes say what is so afterwards, so that one that
 * comes twice does no harm. It knows no Foundry.
 */
export class Chart {
  /** The floors as they are, by number: the GM's alone. @type {Map<number, string[]>} */
  floors = new Map();
  /** @type {Map<string, Api.DungeonSquareJson>} */
  #squares = new Map();
  /** @type {Map<string, Api.MarkViewJson>} */
  #marks = new Map();
  /** @type {Map<number, Api.FeatureViewJson>} */
  #features = new Map();

  /** Whether anything is known. */
  get begun() {
    return this.floors.size + this.#squares.size + this.#marks.size + this.#features.size > 0;
  }

  get squares() {
    return [...this.#squares.values()];
  }

  get marks() {
    return [...this.#marks.values()];
  }

  get features() {
    return [...this.#features.values()];
  }

  /** The numbers of the floors of which anything is known, sorted. */
  get numbers() {
    const all = [...this.floors.keys(), ...this.squares.map(({ square }) => square?.floor ?? 0)];
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /**
   * Takes over what a view says.
   * @param {Api.DungeonViewJson | undefined} view  Undefined if the seat knows of none.
   */
  read(view) {
    this.#clear();
    for (const { number = 0, rows = [] } of view?.floors ?? []) this.floors.set(number, rows);
    for (const square of view?.squares ?? []) this.#squares.set(keyOfSquare(square), square);
    for (const mark of view?.marks ?? []) this.#marks.set(keyOfMark(mark.mark), mark);
    for (const feature of view?.features ?? []) this.#features.set(feature.feature?.id ?? 0, feature);
  }

  /**
   * Applies a change.
   * @param {Api.ChangeJson} change
   * @returns {boolean}  Whether it is one of the dungeon.
   */
  apply({ dungeon, dungeonSquare, dungeonMark, dungeonFeature }) {
    if (dungeon) {
      const { floors, squares, marks = [], features = [] } = dungeon.after ?? {};
      this.read({ floors, squares, marks: marks.map(mark => ({ mark })), features: features.map(feature => ({ feature })) });
    } else if (dungeonSquare?.after) {
      put(this.#squares, keyOfSquare(dungeonSquare.after), dungeonSquare.removed ? null : dungeonSquare.after);
    } else if (dungeonMark?.after) {
      const { after: mark, removed } = dungeonMark;
      put(this.#marks, keyOfMark(mark), removed ? null : { mark, text: sameText(this.#marks.get(keyOfMark(mark)), "mark", mark) });
    } else if (dungeonFeature?.after) {
      const { after: feature } = dungeonFeature;
      const { id = 0 } = feature;
      this.#features.set(id, { feature, text: sameText(this.#features.get(id), "feature", feature) });
    } else {
      return false;
    }
    return true;
  }

  #clear() {
    for (const part of [this.floors, this.#squares, this.#marks, this.#features]) part.clear();
  }
}

/**
 * @template K, V
 * @param {Map<K, V>} map
 * @param {K} key
 * @param {V | null} value  null to take it away.
 */
function put(map, key, value) {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

/**
 * A change brings no words; those of before hold while what is known is the same,
 * else the next view has them.
 * @template {"mark" | "feature"} K
 * @param {{[k in K]?: Api.DungeonMarkJson | Api.DungeonFeatureJson} & {text?: Api.TextJson} | undefined} before
 * @param {K} name
 * @param {Api.DungeonMarkJson | Api.DungeonFeatureJson} after
 */
function sameText(before, name, after) {
  const said = (/** @type {Api.DungeonMarkJson | Api.DungeonFeatureJson | undefined} */ thing) => JSON.stringify([thing?.kind, thing?.facts]);
  return before && said(before[name]) === said(after) ? before.text : undefined;
}

/** @param {Api.DungeonSquareJson} square */
function keyOfSquare({ of = "", square = {} }) {
  return `${of} ${placeOf(square)}`;
}

/** @param {Api.DungeonMarkJson | undefined} mark */
function keyOfMark(mark) {
  return `${mark?.of ?? ""} ${mark?.number ?? 0}`;
}

/** A square as a key. @param {Api.SquareJson} square */
export function placeOf({ x = 0, y = 0, floor = 0 }) {
  return `${x},${y},${floor}`;
}
