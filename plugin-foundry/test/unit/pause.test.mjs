import assert from "node:assert/strict";
import { test } from "node:test";
import { aborted, timer } from "../../scripts/api/pause.mjs";

/** Longer than any test may take: only a signal ends it. */
const FOREVER = 2 ** 31 - 1;

test("a wait that is called off ends", async () => {
  const end = new AbortController();
  const waiting = timer(FOREVER, end.signal);
  end.abort();
  await waiting;
});

test("what was called off before is noticed", async () => {
  await timer(FOREVER, AbortSignal.abort());
  await aborted(AbortSignal.abort());
});

test("a wait that is not called off ends by itself", async () => {
  const { signal } = new AbortController();
  await timer(0, signal);
  assert.equal(signal.aborted, false);
});
