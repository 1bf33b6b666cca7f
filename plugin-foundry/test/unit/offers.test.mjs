import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../scripts/actions/command.mjs";
import { actionName, findOffer, groupOffers, macroCommand, searchOffers, shortcutOf } from "../../scripts/actions/offers.mjs";

const ruleset = {
  stats: [
    { key: "might", group: "body", groupName: "Body" },
    { key: "aim", group: "skills", groupName: "Skills" },
    { key: "climb", group: "body", groupName: "Body" },
  ],
  actions: [{ name: "strike", text: "Strike" }, { name: "end_turn", text: "End turn" }, { name: "roll", text: "Roll" }],
};
const offers = [
  { id: "a", actor: "x", action: { any: { roll: { stat: "aim" } } }, stat: "aim", possible: true, text: "Roll Aim" },
  { id: "b", actor: "x", action: { any: { roll: { stat: "climb" } } }, stat: "climb", possible: true, text: "Roll Climb" },
  { id: "c", actor: "x", action: { any: { endTurn: {} } }, possible: true, text: "End turn" },
  { id: "d", actor: "x", action: { any: { strike: { with: "club" } } }, possible: false, text: "Strike with Club" },
  { id: "e", actor: "x", action: { any: { strike: { with: "knife" } } }, possible: false, text: "Strike with Knife" },
  { id: "f", actor: "x", action: { any: { roll: { stat: "might" } } }, stat: "might", possible: false, text: "Roll Might" },
];

test("an action's name is the ruleset's", () => {
  assert.deepEqual(offers.slice(2, 4).map(o => actionName(o.action)), ["end_turn", "strike"]);
  assert.equal(actionName(undefined), "");
});

test("actions stand before the rolls, rolls by the stats' groups, and last what cannot be done", () => {
  const groups = groupOffers(offers, ruleset).map(g => [g.title, g.offers.map(o => o.id), g.possible]);
  assert.deepEqual(groups, [["End turn", ["c"], true], ["Body", ["b", "f"], true], ["Skills", ["a"], true], ["Strike", ["d", "e"], false]]);
});

test("actions of one group stand together, where the first of them is listed", () => {
  const grouped = { stats: [], actions: [
    { name: "end_turn", text: "End turn" }, { name: "roll", group: "fight", groupName: "Fighting" },
    { name: "dance", text: "Dance" }, { name: "strike", group: "fight", groupName: "Fighting" },
  ] };
  const dance = { id: "g", action: { any: { dance: {} } }, text: "Dance", possible: true };
  const groups = groupOffers([dance, ...offers], grouped).map(g => [g.key, g.title, g.offers.map(o => o.id)]);
  assert.deepEqual(groups, [
    ["action.end_turn", "End turn", ["c"]], ["group.fight", "Fighting", ["a", "b", "d", "e", "f"]], ["action.dance", "Dance", ["g"]],
  ]);
});

test("without a ruleset, and with an action that it does not list, all are there", () => {
  const groups = groupOffers([...offers, { id: "g", action: { any: { dance: {} } }, text: "Dance", possible: true }], null);
  assert.deepEqual(groups.flatMap(g => g.offers.map(o => o.id)).sort(), ["a", "b", "c", "d", "e", "f", "g"]);
});

test("all words that are searched for must be there, however they are written", () => {
  assert.deepEqual(searchOffers(offers, "with ＫＮ").map(o => o.id), ["e"]);
  assert.equal(searchOffers(offers, " ").length, offers.length);
  assert.deepEqual(searchOffers(offers, "strike aim"), []);
});

test("a shortcut finds its offer under another id, and with its empty fields left out", () => {
  const shortcut = JSON.parse(JSON.stringify(shortcutOf(offers[4])));
  const now = [
    { id: "1", actor: "y", action: { any: { strike: { with: "knife" } } }, text: "Strike with Knife" },
    { id: "2", actor: "x", action: { any: { strike: { with: "club" } } }, text: "Strike with Club" },
    { id: "3", actor: "x", action: { any: { strike: { hard: false, targets: [], with: "knife", times: 0 } } }, text: "ナイフで攻撃" },
  ];
  assert.equal(findOffer(now, shortcut)?.id, "3");
});

test("a shortcut finds an action that has new fields by its words, and none of another kind", () => {
  const shortcut = shortcutOf(offers[4]);
  const newer = { id: "1", actor: "x", action: { any: { strike: { with: "knife", stance: "high" } } }, text: "Strike with Knife" };
  const other = { id: "2", actor: "x", action: { any: { parry: { with: "knife" } } }, text: "Strike with Knife" };
  assert.equal(findOffer([other, newer], shortcut)?.id, "1");
  assert.equal(findOffer([other], shortcut), undefined);
});

test("a macro has the action and no offer's id, and no text breaks out of it", () => {
  const seen = [];
  const command = macroCommand({ ...shortcutOf(offers[4]), text: `"); alert("x` });
  const game = { modules: new Map([["hantei", { api: { act: shortcut => seen.push(shortcut) } }]]) };
  const run = new Function("game", `return (async () => { ${command} })()`);
  return run(game).then(() => assert.deepEqual(seen, [{ actor: "x", action: offers[4].action, text: `"); alert("x` }]));
});

test("chat commands are read", () => {
  for (const [message, command] of [
    ["/hantei", { kind: "open", search: "" }],
    ["/hantei act first aid", { kind: "open", search: "first aid" }],
    ["/Hantei roll 2d6+3", { kind: "roll", formula: "2d6+3", text: "", secret: false }],
    ["/hantei roll 2D6 + 3 how long it lasts", { kind: "roll", formula: "2D6+3", text: "how long it lasts", secret: false }],
    ["/hantei secret １d100", { kind: "roll", formula: "1d100", text: "", secret: true }],
    ["/hantei roll d6", { kind: "roll", formula: "d6", text: "", secret: false }],
    ["/hantei roll", { kind: "help" }],
    ["/hantei roll dodge", { kind: "help" }],
    ["/hantei questions", { kind: "questions" }],
    ["/hantei always", { kind: "policies" }],
    ["/hantei what?", { kind: "help" }],
    ["/hanteiroll 1d6", null],
    ["hello /hantei", null],
  ]) assert.deepEqual(commandOf(message), command, message);
});
