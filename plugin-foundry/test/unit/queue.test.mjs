import assert from "node:assert/strict";
import { test } from "node:test";
import { Queue } from "../../scripts/present/queue.mjs";

/** A clock that goes only when told. */
function testClock() {
  let now = 0;
  const timers = [];
  return {
    wait: (ms, signal) => new Promise(resolve => {
      const timer = { at: now + ms, resolve };
      timers.push(timer);
      signal.addEventListener("abort", () => { timers.splice(timers.indexOf(timer), 1); resolve(); }, { once: true });
    }),
    async advance(ms) {
      now += ms;
      for (const timer of timers.filter(t => t.at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.resolve();
      }
      await turn();
    },
    get timers() { return timers.length; },
  };
}

/** Lets everything happen that can happen without the clock. */
const turn = () => new Promise(resolve => setImmediate(resolve));

const batch = (cursor, ...names) => ({ cursor, events: names.map(name => ({ name })) });

/** A queue that writes down what it does; each event has the steps "dice" and "card". */
function recording(options = {}) {
  const log = [];
  const clock = testClock();
  const step = (name, run) => ({ name, deadline: 1000, run: run ?? (m => { log.push(m.instant ? `${name}!` : name); }) });
  const queue = new Queue({
    steps: event => [step(`${event.name}.dice`), step(`${event.name}.card`)],
    settle: events => [step(`settle ${events.map(e => e.name).join("+")}`)],
    presented: cursor => log.push(`=${cursor}`),
    limit: () => 10, away: () => false, pace: () => 1, pause: clock.wait,
    report: (name, error) => log.push(`? ${name}: ${error.message}`),
    ...options,
  });
  return { queue, log, clock, step };
}

test("steps are shown in order, and the cursor is told when its batch was", async () => {
  const { queue, log, clock } = recording();
  queue.push(batch("1", "a", "b"));
  queue.push(batch("2", "c"));
  await queue.idle();
  assert.deepEqual(log, ["a.dice", "a.card", "b.dice", "b.card", "=1", "c.dice", "c.card", "=2"]);
  assert.equal(clock.timers, 0, "a deadline is still running");
});

test("an event waits until the one before is shown", async () => {
  let finish;
  const { queue, log, step } = recording({
    steps: event => [step(event.name, event.name === "a" ? () => new Promise(resolve => { finish = resolve; }) : undefined)],
  });
  queue.push(batch("1", "a"));
  queue.push(batch("2", "b"));
  await turn();
  assert.deepEqual(log, []);
  finish();
  await queue.idle();
  assert.deepEqual(log, ["=1", "b", "=2"]);
});

test("a step that hangs is left at its deadline, and told so", async () => {
  let signal;
  const { queue, log, clock, step } = recording({
    steps: event => [step(event.name, event.name === "a" ? m => { signal = m.signal; return new Promise(() => {}); } : undefined)],
  });
  queue.push(batch("1", "a", "b"));
  await turn();
  await clock.advance(999);
  assert.deepEqual(log, []);
  assert.equal(signal.aborted, false);
  await clock.advance(1);
  await queue.idle();
  assert.equal(signal.aborted, true);
  assert.deepEqual(log, ["? a: not done after 1000 ms", "b", "=1"]);
});

test("a step that fails, or cannot be planned, keeps nothing from going on", async () => {
  const { queue, log, step } = recording({
    steps: event => {
      if (event.name === "a") throw new Error("no plan");
      return [step(event.name, event.name === "b" ? () => { throw new Error("broken"); } : undefined)];
    },
  });
  queue.push(batch("1", "a", "b", "c"));
  await queue.idle();
  assert.deepEqual(log, ["? plan: no plan", "? b: broken", "c", "=1"]);
});

test("a backlog above the limit is settled at once, with one cursor", async () => {
  let finish;
  const { queue, log, step } = recording({
    limit: () => 2,
    steps: event => [step(event.name, event.name === "a" ? () => new Promise(resolve => { finish = resolve; }) : undefined)],
  });
  queue.push(batch("1", "a"));
  queue.push(batch("2", "b", "c"));
  queue.push(batch("3", "d"));
  await turn();
  assert.equal(queue.backlog, 3);
  finish();
  await queue.idle();
  assert.deepEqual(log, ["=1", "settle b+c+d!", "=3"]);
});

test("two events are no backlog where three are", async () => {
  const { queue, log } = recording({ limit: () => 2 });
  queue.push(batch("1", "a", "b"));
  await queue.idle();
  assert.equal(log.includes("settle a+b!"), false);
  queue.push(batch("2", "a", "b", "c"));
  await queue.idle();
  assert.deepEqual(log.slice(-2), ["settle a+b+c!", "=2"]);
});

test("what comes while nobody looks is settled", async () => {
  let away = true;
  const { queue, log } = recording({ away: () => away });
  queue.push(batch("1", "a"));
  await queue.idle();
  away = false;
  queue.push(batch("2", "b"));
  await queue.idle();
  assert.deepEqual(log, ["settle a!", "=1", "b.dice", "b.card", "=2"]);
});

test("skipping ends the step that runs, and the rest of the batch has no motion", async () => {
  const { queue, log, step } = recording({
    steps: event => [step(event.name, event.name !== "a" ? undefined : ({ signal }) => new Promise(resolve => {
      signal.addEventListener("abort", () => { log.push("a ends"); resolve(); });
    }))],
  });
  queue.push(batch("1", "a", "b"));
  queue.push(batch("2", "c"));
  await turn();
  queue.skip();
  await queue.idle();
  assert.deepEqual(log, ["a ends", "b!", "=1", "c", "=2"]);
});

test("without motion every step is instant", async () => {
  const { queue, log } = recording({ pace: () => 0 });
  queue.push(batch("1", "a"));
  await queue.idle();
  assert.deepEqual(log, ["a.dice!", "a.card!", "=1"]);
});

test("after stop nothing is shown, and nothing reported as shown", async () => {
  let finish;
  const { queue, log, clock, step } = recording({ steps: event => [step(event.name, () => new Promise(resolve => { finish = resolve; }))] });
  queue.push(batch("1", "a"));
  queue.push(batch("2", "b"));
  await turn();
  queue.stop();
  finish();
  await queue.idle();
  queue.push(batch("3", "c"));
  await turn();
  assert.deepEqual(log, []);
  assert.equal(clock.timers, 0);
});
