import assert from "node:assert/strict";
import { test } from "node:test";
import { matchByName } from "../../scripts/link/match.mjs";

/** @param {string[]} documents @param {[string, string][]} characters  Each an id and a name. */
function match(documents, characters) {
  const found = matchByName(documents.map((name, i) => ({ id: `d${i}`, name })), characters.map(([id, name]) => ({ id, name })));
  return { pairs: documents.map((_, i) => found.pairs.get(`d${i}`) ?? null), documents: found.documents, characters: found.characters };
}

test("width, case and spaces make no difference", () => {
  assert.deepEqual(match(["ＮＵＲＳＥ", " old  man "], [["n", "Nurse"], ["o", "Old Man"]]), { pairs: ["n", "o"], documents: [], characters: [] });
});

test("nobody is paired twice, and those without a match are named", () => {
  assert.deepEqual(match(["Thug", "Thug", "Cat"], [["thug", "Thug"], ["dog", "Dog"]]), { pairs: ["thug", null, null], documents: ["d1", "d2"], characters: ["dog"] });
});

test("copies that differ by a number are paired in order, the exact name first", () => {
  assert.deepEqual(match(["Thug (2)", "Thug (1)", "Thug"], [["thug", "Thug"], ["thug-2", "Thug 2"], ["thug-3", "Thug 3"]]).pairs, ["thug-2", "thug-3", "thug"]);
  assert.deepEqual(match(["ちんぴら２", "ちんぴら"], [["a", "ちんぴら"], ["b", "ちんぴら 2"]]).pairs, ["b", "a"]);
});

test("a name of digits alone is a name", () => {
  assert.deepEqual(match(["47", "48"], [["a", "48"]]), { pairs: [null, "a"], documents: ["d0"], characters: [] });
});

test("an id is as good as a name", () => {
  assert.deepEqual(match(["Officer"], [["officer", "佐藤巡査"]]).pairs, ["officer"]);
});
