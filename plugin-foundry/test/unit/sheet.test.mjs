import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, gearOf, readable, sheetOf } from "../../scripts/apps/sheet.mjs";

const words = { yes: "yes", no: "no", any: "any check", band: band => band.toLowerCase() };
const ruleset = {
  stats: [
    { key: "hp", name: "Hit Points", group: "resources", resource: true },
    { key: "mp", name: "Magic", group: "resources", resource: true },
    { key: "str", name: "STR", group: "body", groupName: "Body" },
    { key: "dex", name: "DEX", group: "body", groupName: "Body" },
    { key: "aim", name: "Aim", group: "skills", groupName: "Skills" },
  ],
  statuses: [{ key: "prone", name: "Prone", icon: "down" }],
  words: [{ key: "pushed", text: "was pushed" }],
  gear: [{ id: "club", name: "Club" }, { id: "fist", name: "Fist", natural: true }, { id: "knife", name: "Knife" }],
  details: [
    { path: "arms", name: "Weapons" },
    { path: "arms.id", name: "Weapon", gear: true },
    { path: "arms.in_hand", name: "In hand" },
    { path: "arms.state", name: "State", values: [{ value: "STATE_OK", text: "fit" }] },
    { path: "arms.left", name: "Left" },
    { path: "body", name: "Body" },
    { path: "body.attacks", name: "Attacks" },
    { path: "body.skill", name: "Skill" },
    { path: "wounds", name: "Wounds" },
  ],
};
const character = {
  id: "x", name: "X",
  stats: [{ key: "aim", value: 40, base: 20 }, { key: "str", value: 0 }, { key: "dex" }],
  resources: [{ key: "hp", value: 5, max: 10 }, { key: "mp", band: "BAND_HURT" }],
  statuses: [{ key: "prone", causes: ["pushed", "unheard_of"] }, { key: "odd" }],
  modifiers: [{ appliesTo: "aim", op: "MODIFIER_OP_ADD", value: 10, reason: "light" }, { appliesTo: "check", op: "MODIFIER_OP_ADD", value: -5 }, { appliesTo: "#arm" }],
  details: { any: {
    round: { used: 1 },
    arms: [{ id: "club", inHand: true, state: "STATE_OK", audience: "A" }, { id: "fist", inHand: false, state: "STATE_ODD" }],
    body: { attacks: 2, skill: "aim", secret: 3 },
    wounds: [],
  } },
};

test("a sheet has the ruleset's order, and nothing for what is hidden", () => {
  const sheet = sheetOf(character, ruleset, words);
  assert.deepEqual(sheet.groups.map(g => [g.name, g.stats.map(s => [s.name, s.value])]), [["Body", [["STR", 0]]], ["Skills", [["Aim", 40]]]]);
  assert.deepEqual(sheet.bars.map(b => [b.name, b.known, b.percent, b.band]), [["Hit Points", true, 50, ""], ["Magic", false, 0, "band_hurt"]]);
  assert.deepEqual(sheet.statuses.map(s => [s.name, s.why]), [["Prone", "was pushed"], ["odd", ""]]);
  assert.deepEqual(sheet.modifiers, [
    { to: "Aim", value: "+10", reason: "light" }, { to: "any check", value: "−5", reason: "" }, { to: "Arm", value: "", reason: "" },
  ]);
});

test("details are shown as the ruleset names them: bookkeeping is not, nor an empty list", () => {
  assert.deepEqual(sheetOf(character, ruleset, words).details, [
    { key: "arms", title: "Weapons", columns: ["Weapon", "In hand", "State"], rows: [["Club", "yes", "fit"], ["Fist", "no", "STATE_ODD"]] },
    { key: "body", title: "Body", pairs: [{ name: "Attacks", value: "2" }, { name: "Skill", value: "Aim" }] },
  ]);
});

test("details that the ruleset does not name are shown by their keys", () => {
  const { details } = sheetOf(character, { ...ruleset, details: [] }, words);
  assert.deepEqual(details.map(d => d.title), ["Round", "Arms", "Body"]);
  assert.deepEqual(details[1].columns, ["Id", "In hand", "State"]);
  assert.equal(readable("death_round"), "Death round");
});

test("a sheet of which nothing may be seen is empty", () => {
  const sheet = sheetOf({ id: "x", name: "X" }, ruleset, words);
  assert.deepEqual([sheet.bars, sheet.groups, sheet.statuses, sheet.modifiers, sheet.details], [[], [], [], [], []]);
  assert.deepEqual(sheetOf(character, null, words).groups, []);
});

test("what is carried stands where the ruleset says", () => {
  assert.deepEqual(gearOf(character, ruleset), ["club", "fist"]);
  assert.deepEqual(gearOf({}, ruleset), []);
  assert.deepEqual(gearOf(character, { ...ruleset, details: [] }), []);
});

const unchanged = [["name", "X"], ["stat.aim", "40"], ["stat.str", "0"], ["value.hp", "5"], ["max.hp", "10"], ["gears", "true"], ["gear", "club"], ["gear", "fist"]];

test("an untouched form changes nothing", () => {
  assert.equal(changesOf(character, ruleset, unchanged), null);
});

test("only what was changed is sent", () => {
  const form = Object.fromEntries(unchanged);
  assert.deepEqual(changesOf(character, ruleset, Object.entries({ ...form, "stat.str": "1", "value.hp": "-2" }).filter(([k]) => !k.startsWith("gear"))), {
    sheet: { stats: [{ key: "str", value: 1 }], resources: [{ key: "hp", value: -2 }] }, updateMask: "sheet.stats,sheet.resources",
  });
  assert.deepEqual(changesOf(character, ruleset, [["name", " Y "]]), { name: "Y", updateMask: "name" });
  assert.deepEqual(changesOf(character, ruleset, [["max.hp", "12"]])?.sheet, { resources: [{ key: "hp", max: 12 }] });
});

test("what is no number, or empty, changes nothing", () => {
  assert.equal(changesOf(character, ruleset, [["stat.aim", ""], ["stat.str", "1.5"], ["value.hp", "five"], ["name", " "]]), null);
});

test("gear is the whole list, also when nothing is left of it", () => {
  assert.deepEqual(changesOf(character, ruleset, [["gears", "true"], ["gear", "fist"], ["gear", "knife"]]), { sheet: { gear: ["fist", "knife"] }, updateMask: "sheet.gear" });
  assert.deepEqual(changesOf(character, ruleset, [["gears", "true"]]), { sheet: { gear: [] }, updateMask: "sheet.gear" });
});

const said = { ...character, stats: [{ key: "aim", value: 40, speciality: "bow" }], profile: [{ label: "Age", text: "31" }, { label: "Born", text: "by the sea" }], notes: "a\nb" };

test("a sheet says what no rule reads, and what a skill is of", () => {
  const sheet = sheetOf(said, ruleset, words);
  assert.deepEqual(sheet.groups[0].stats, [{ key: "aim", name: "Aim", of: "bow", specialised: true, value: 40, base: undefined }]);
  assert.deepEqual([sheet.profile, sheet.notes], [said.profile, "a\nb"]);
  assert.deepEqual([sheetOf(character, ruleset, words).profile, sheetOf(character, ruleset, words).notes], [[], ""]);
});

test("a profile is the whole list, without empty lines; notes are as they are typed", () => {
  const lines = [["label", "Age"], ["text", "31"], ["label", "Born"], ["text", "by the sea"], ["label", " "], ["text", ""]];
  assert.equal(changesOf(said, ruleset, [...lines, ["notes", "a\r\nb"], ["of.aim", "bow "]]), null);
  assert.deepEqual(changesOf(said, ruleset, [...lines.slice(2), ["notes", ""]]), {
    sheet: { profile: [{ label: "Born", text: "by the sea" }], notes: "" }, updateMask: "sheet.profile,sheet.notes",
  });
  assert.deepEqual(changesOf(said, ruleset, [["label", ""], ["text", ""]])?.sheet, { profile: [] });
  assert.deepEqual(changesOf(said, ruleset, [["stat.aim", "40"], ["of.aim", ""]])?.sheet, { stats: [{ key: "aim", value: 40, speciality: "" }] });
});
