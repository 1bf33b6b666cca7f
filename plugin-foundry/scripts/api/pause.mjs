import { HanteiError } from "./client.mjs";

/** The shortest and the longest pause before another try, in milliseconds. */
const LEAST = 500;
const MOST = 30_000;

/**
 * Waits, or until it is told to stop waiting.
 * @typedef {(ms: number, signal: AbortSignal) => Promise<void>} Sleep
 */

/** The pauses between tries, each twice as long as the one before, until one succeeds. */
export class Pauses {
  #sleep;
  #next = LEAST;
  #hurry = new AbortController();
  #ended = false;

  /** @param {Sleep} [sleep]  For tests. */
  constructor(sleep = timer) {
    this.#sleep = sleep;
  }

  /**
   * Waits for as long as it is time to.
   * @param {number} [atLeast]  Seconds, if the server said so.
   */
  async wait(atLeast = 0) {
    if (this.#ended) return;
    this.#hurry = new AbortController();
    // Clients that lost the same server shall not all come back at once.
    const ms = Math.max(atLeast * 1000, this.#next * (0.5 + Math.random() / 2));
    this.#next = Math.min(this.#next * 2, MOST);
    await this.#sleep(ms, this.#hurry.signal);
  }

  /** Says that a try has succeeded: the next pause is short again. */
  reset() {
    this.#next = LEAST;
  }

  /** Ends the pause that there is. */
  hurry() {
    this.#hurry.abort();
  }

  /** Ends this pause and all that would come. */
  end() {
    this.#ended = true;
    this.hurry();
  }
}

/** How often a call is made before it counts as lost; the pauses add up to some 15 seconds. */
const TRIES = 6;

/**
 * Makes a call until there is an answer to it, be it a refusal.
 * @template T
 * @param {() => Promise<T>} call
 * @param {Sleep} [sleep]  For tests.
 * @returns {Promise<T>}
 */
export async function persist(call, sleep) {
  const pauses = new Pauses(sleep);
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof HanteiError && error.transient) || tries === TRIES) throw error;
      await pauses.wait(error.retryAfter);
    }
  }
}

/** Waits in real time. @type {Sleep} */
export async function timer(ms, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timeout;
  await Promise.race([aborted(signal), new Promise(resolve => { timeout = setTimeout(resolve, ms); })]);
  clearTimeout(timeout);
}

/**
 * Resolves when a signal is aborted, at once if that has been.
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function aborted(signal) {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
