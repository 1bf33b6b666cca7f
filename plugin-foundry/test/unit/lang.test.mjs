import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = new URL("../..", import.meta.url).pathname;
/** @param {string} lang @returns {Map<string, string>} */
function texts(lang) {
  /** @type {Map<string, string>} */
  const all = new Map();
  /** @param {any} node @param {string} path */
  const walk = (node, path) => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "string") all.set(path + key, value);
      else walk(value, `${path}${key}.`);
    }
  };
  walk(JSON.parse(readFileSync(join(ROOT, "lang", `${lang}.json`), "utf8")), "");
  return all;
}
const en = texts("en");
const ja = texts("ja");

/** All that may name a key: scripts and templates. */
const sources = ["scripts", "templates"].flatMap(folder => readdirSync(join(ROOT, folder), { recursive: true })
  .map(name => join(ROOT, folder, String(name))).filter(path => /\.(mjs|hbs)$/.test(path)))
  .map(path => ({ path, text: readFileSync(path, "utf8") }));

test("both languages have the same keys", () => {
  assert.deepEqual([...ja.keys()].sort(), [...en.keys()].sort());
  assert.ok(en.size > 100);
});

test("both languages fill in the same words, and none is empty", () => {
  const places = (/** @type {string} */ text) => [...new Set(text.match(/\{\w+\}/g))].sort();
  for (const [key, text] of en) {
    assert.ok(text.trim() && ja.get(key)?.trim(), key);
    assert.deepEqual(places(ja.get(key) ?? ""), places(text), key);
  }
});

test("Japanese is Japanese", () => {
  for (const [key, text] of ja) assert.ok(/[ぁ-んァ-ヶ一-龠、・]/.test(text) || /^(GM|HP|\{\w+\})$/.test(text), `${key}: ${text}`);
});

/** The keys that a source names: whole, or by their beginning where the rest is filled in. */
function named() {
  /** @type {{path: string, key: string}[]} */
  const whole = [];
  /** @type {string[]} */
  const beginnings = [];
  for (const { path, text } of sources) {
    for (const [, key] of text.matchAll(/["'`](HANTEI\.[\w.]+)["'`]/g)) whole.push({ path, key });
    for (const [, key] of text.matchAll(/\bwords\([^()"'`]*["'`]([\w.]+)["'`]/g)) whole.push({ path, key: `HANTEI.${key}` });
    for (const [, key] of text.matchAll(/\? "([A-Z]\w+\.\w+)" : "[A-Z]\w+\.\w+"\)/g)) whole.push({ path, key: `HANTEI.${key}` });
    for (const [, key] of text.matchAll(/\? "[A-Z]\w+\.\w+" : "([A-Z]\w+\.\w+)"\)/g)) whole.push({ path, key: `HANTEI.${key}` });
    for (const [, key] of text.matchAll(/`(HANTEI\.[\w.]*)\$\{/g)) beginnings.push(key);
    for (const [, key] of text.matchAll(/\bwords\(`([\w.]+)\$\{/g)) beginnings.push(`HANTEI.${key}`);
  }
  return { whole, beginnings: beginnings.filter(b => b !== "HANTEI.") };
}

test("every key that is named is there", () => {
  for (const { path, key } of named().whole) assert.ok(en.has(key) || [...en.keys()].some(k => k.startsWith(`${key}.`)), `${path}: ${key}`);
});

test("every key is named somewhere", () => {
  const { whole, beginnings } = named();
  const used = new Set(whole.map(w => w.key));
  for (const key of en.keys()) assert.ok(used.has(key) || beginnings.some(b => key.startsWith(b)), `nobody says ${key}`);
});

test("every finding has words", () => {
  const { text } = sources.find(s => s.path.endsWith("diagnose.mjs")) ?? { text: "" };
  const others = sources.filter(s => /address\.mjs|connection\.mjs/.test(s.path)).map(s => s.text).join("\n");
  const keys = new Set([
    ...[...text.matchAll(/finding\("([A-Z_]{2,})"/g)].map(m => m[1]),
    ...[...text.matchAll(/\? "([A-Z_]{2,})" : "([A-Z_]{2,})"/g)].flatMap(m => [m[1], m[2]]),
    ...[...text.matchAll(/[A-Z_]+: "([A-Z_]+)"/g)].map(m => m[1]),
    ...[...others.matchAll(/(?:key: |wrong\()"([A-Z_]+)"/g)].map(m => m[1]),
  ]);
  assert.ok(keys.size > 25, `only ${keys.size} were found`);
  for (const key of keys) for (const part of ["title", "todo"]) assert.ok(en.has(`HANTEI.Diagnosis.${key}.${part}`), key);
  for (const key of en.keys()) {
    const [, , finding] = key.split(".");
    if (key.startsWith("HANTEI.Diagnosis.")) assert.ok(keys.has(finding) || new RegExp(`"${finding}"`).test(text), `nobody finds ${finding}`);
  }
});
