/** Foundry's hooks. An error in a listener is shown on the page and ends nothing else. */

/** @type {Map<string, {id: number, hook: string, fn: Function, once: boolean}[]>} */
const listeners = new Map();
let last = 0;

/** What listeners threw, for the driver. */
export const failures = [];

export class Hooks {
  static on(hook, fn, { once = false } = {}) {
    if (typeof fn !== "function") throw new Error(`Hooks.on("${hook}"): no function`);
    const id = ++last;
    listeners.set(hook, [...(listeners.get(hook) ?? []), { id, hook, fn, once }]);
    return id;
  }

  static once(hook, fn) {
    return this.on(hook, fn, { once: true });
  }

  static off(hook, fn) {
    listeners.set(hook, (listeners.get(hook) ?? []).filter(l => l.fn !== fn && l.id !== fn));
  }

  /**
   * Tells all; nobody can stop it.
   * @returns {true}
   */
  static callAll(hook, ...args) {
    for (const listener of [...(listeners.get(hook) ?? [])]) this.#run(listener, args);
    return true;
  }

  /** Tells one after another until one says false. */
  static call(hook, ...args) {
    for (const listener of [...(listeners.get(hook) ?? [])]) if (this.#run(listener, args) === false) return false;
    return true;
  }

  static #run({ hook, id, fn, once }, args) {
    if (once) this.off(hook, id);
    try {
      return fn(...args);
    } catch (error) {
      Hooks.onError("Hooks.#run", error, { hook });
    }
  }

  static onError(location, error, { msg = "", ...data } = {}) {
    failures.push(`${data.hook ?? location}: ${error.message}`);
    console.error(location, msg, error);
  }

  static get events() {
    return Object.fromEntries(listeners);
  }
}
