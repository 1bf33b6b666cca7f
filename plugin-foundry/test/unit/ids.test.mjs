import assert from "node:assert/strict";
import { test } from "node:test";
import { documentId } from "../../scripts/present/ids.mjs";

test("an id is one of Foundry's, and always the same", () => {
  assert.match(documentId("card", "uhc3zxcxuqatqauz", "SAUALA_R3tRG9ENU33uaHA"), /^[A-Za-z0-9]{16}$/);
  // Written down: documents of a world that is older than this version must be found again.
  assert.equal(documentId("card", "t", "s"), "FfxudvQRZbYSFPD9");
});

test("where parts begin and end makes a difference", () => {
  assert.notEqual(documentId("a", "bc"), documentId("ab", "c"));
  assert.notEqual(documentId("a"), documentId("a", ""));
});

test("a long play has no two that are alike", () => {
  const ids = new Set();
  for (let i = 0; i < 200_000; i++) ids.add(documentId("card", "table", String(i)));
  assert.equal(ids.size, 200_000);
});
