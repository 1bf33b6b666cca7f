/**
 * The time of what is animated. By itself an animation takes no time but passes
 * through all its stages. When a test holds the clock (the driver replaces the
 * page's timers and frames), animations go by frames, and frames by the test.
 */
let held = false;
let hidden = false;

/** Called by the driver before it takes over the page's timers. */
export function hold() {
  held = true;
}

/** A hidden tab gets no frames. */
export function hide(value) {
  hidden = value;
}

const STAGES = 4;

const turn = () => new Promise(resolve => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(null);
});

/** Who waits until the tab is shown again. */
const sleeping = new Set();

export function wake() {
  for (const go of sleeping) go();
  sleeping.clear();
}

const shown = async () => {
  while (hidden) await new Promise(resolve => sleeping.add(resolve));
};

const frame = () => new Promise(resolve => requestAnimationFrame(resolve));

/**
 * Runs something from 0 to 1.
 * @param {number} duration  In milliseconds.
 * @param {(progress: number) => void} step
 * @param {AbortSignal} [signal]  Ends it where it is.
 * @returns {Promise<boolean>}  Whether it came to its end.
 */
export async function animate(duration, step, signal) {
  if (!held) {
    for (let stage = 1; stage <= STAGES; stage++) {
      await shown();
      await turn();
      if (held) return animate(duration * (1 - stage / STAGES), p => step((stage - 1 + p * (STAGES - stage + 1)) / STAGES), signal);
      if (signal?.aborted) return false;
      step(stage / STAGES);
    }
    return true;
  }
  const begin = performance.now();
  for (;;) {
    await shown();
    await frame();
    if (signal?.aborted) return false;
    const progress = Math.min(1, (performance.now() - begin) / duration);
    step(progress);
    if (progress === 1) return true;
  }
}

/** Waits for a time, as an animation does. */
export const pause = (duration, signal) => animate(duration, () => {}, signal);
