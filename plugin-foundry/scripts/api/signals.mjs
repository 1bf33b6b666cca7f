/**
 * Tells listeners what happens, one after another.
 * @template {Record<string, any>} T  What is told, by name.
 */
export class Signals {
  /** @type {Map<keyof T, Set<(value: any) => unknown>>} */
  #listeners = new Map();

  /**
   * Listens; returns what ends it.
   * @template {keyof T} K
   * @param {K} name
   * @param {(value: T[K]) => unknown} listener
   */
  on(name, listener) {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(listener));
    return () => { all.delete(listener); };
  }

  /**
   * Tells all who listen now, each when the promise of the one before is settled.
   * @template {keyof T} K
   * @param {K} name
   * @param {T[K]} value
   */
  async emit(name, value) {
    const all = this.#listeners.get(name) ?? new Set();
    for (const listener of [...all]) {
      if (!all.has(listener)) continue; // it went meanwhile
      try {
        await listener(value);
      } catch (error) {
        console.error("hantei |", error); // one listener's mistake is not the others'
      }
    }
  }
}
