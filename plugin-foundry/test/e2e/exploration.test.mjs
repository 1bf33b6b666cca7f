/**
 * A party of four explores a generated dungeon from the entrance to the escape, by the
 * module's own windows and by their tokens. Each knows for himself: what each page draws
 * is what that seat knows, and no page receives anything else. Jun reads Japanese.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isForCards } from "../../scripts/present/card.mjs";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";
import { openActions, shut } from "./declare.mjs";
import { groundOf, iconsOf } from "./drawn.mjs";
import { Explorer } from "./explorer.mjs";
import { seated } from "./seated.mjs";

/** Who plays whom, in which order they look around, and who goes by the own token too, now and then, instead of by the window. */
const PARTY = [
  { user: "eri", own: "a", name: "Aoi", first: ["up", "right", "down", "left"], drags: true },
  { user: "jun", own: "b", name: "Bunta", first: ["right", "down", "left", "up"], drags: false },
  { user: "kei", own: "c", name: "Chiharu", first: ["down", "left", "up", "right"], drags: true },
  { user: "rin", own: "d", name: "Daigo", first: ["left", "up", "right", "down"], drags: false },
];

/** What the dungeon is made from. */
const SEED = { seed: "7", dungeonLevel: 20, moon: "MOON_HALF", weather: "WEATHER_CLEAR", floors: 2, width: 4, height: 3 };

/** Where floors lie on their scenes: on a square there is room for four. And what is looked at, a square beyond each edge too. */
const LINK = { x: 1, y: 1, scale: 2 };
const PART = { columns: [-1, 4], rows: [-1, 3] };

/** After so many commands they are lost. */
const MOST = 150;

/** Numbers that are found wherever they stand: no other is as long. */
const ID = 730_000_000, MACCA = 5_500_000;

const id = word => word.padEnd(16, "0");
const key = ({ x = 0, y = 0, floor = 0 }) => `${x},${y},${floor}`;
const titled = word => word.split("_").map(part => part[0].toUpperCase() + part.slice(1)).join(" ");

/** The squares of which some JSON tells what they are. */
function drawnIn(json) {
  if (typeof json !== "object" || json === null) return [];
  return [...json.square && json.terrain ? [key(json.square)] : [], ...Object.values(json).flatMap(drawnIn)];
}

describe("a party of four in a generated dungeon", { skip }, () => {
  let table, gm, party, dungeon, whole;
  let commands = 0, thrown = 0, floor = 1;
  const names = [], pictures = ["parted", "deeper"];

  before(async () => {
    table = await openTable({
      ruleset: "persona", canvas: { width: 600, height: 450 }, samples: Object.fromEntries(PARTY.map(({ user, own }) => [user, own])),
      options: [{ key: "knowledge_scope", value: "individual" }, { key: "party_sheets", value: "hidden" }],
    });
    const { world, things } = table;
    for (const user of ["kei", "rin"]) things.users[user] = world.make("User", { _id: id(user), name: titled(user), role: 1 });
    const actors = PARTY.map(({ user, own, name }) => world.make("Actor", {
      _id: id(name), name, type: "character", ownership: { default: 0, [things.users[user]._id]: 3 }, flags: { hantei: { character: own } },
    }));
    world.perform({ action: "update", name: "Scene", data: [{ _id: things.scene._id, active: false }] }, null);
    for (const number of [1, 2]) world.make("Scene", {
      _id: id(`floor${number}`), name: `Floor ${number}`, active: number === 1, width: 1200, height: 900, backgroundColor: "#7a7466", ownership: { default: 2 },
      flags: { hantei: { map: { floor: number, ...LINK } } },
      tokens: actors.map((actor, n) => ({ _id: id(`token${n}floor${number}`), name: actor.name, actorId: actor._id, actorLink: true, x: 1000, y: 100 * n, displayName: 50, disposition: 1 })),
    });
    // Nobody falls, whatever the dice are.
    for (const { own: character } of PARTY) for (const operation of [{ stat: { key: "hp_max", value: 90 } }, { resource: { key: "hp", value: 90, max: 90 } }]) {
      await table.as("gm", "POST", `/v1/tables/${table.id}:override`, { character, operation, requestId: crypto.randomUUID() });
    }
    gm = { user: "gm", page: await seated(table, "gm") };
    party = await Promise.all(PARTY.map(async member => ({
      ...member, moves: 0, explorer: new Explorer(member.own, member.first),
      page: await seated(table, member.user, { client: member.user === "jun" ? { "core.language": "ja" } : {} }),
    })));
    for (const seat of [gm, ...party]) seat.since = (await viewOf(seat)).cursor;
  });
  after(() => table?.close());

  const language = ({ user }) => (user === "jun" ? "ja" : "en");
  const shot = (seat, name) => seat.page.screenshot(picture(`exploration-${name}-${seat.user}`));

  /** What a seat knows, over REST. */
  const viewOf = async seat => (await table.as(seat.user, "GET", `/v1/tables/${table.id}/view`, undefined, language(seat))).view;

  /** What people read of what a seat was told since the pages are open, over REST. */
  async function textsFor(seat) {
    const events = [];
    for (let page = { more: true, cursor: seat.since }; page.more; events.push(...page.events ?? [])) {
      page = await table.as(seat.user, "GET", `/v1/tables/${table.id}/events?page_size=500&cursor=${encodeURIComponent(page.cursor)}`, undefined, language(seat));
    }
    return events.filter(isForCards).map(({ text }) => text.text);
  }

  /** The view of a seat, once its page offers the same. */
  async function seenBy(seat) {
    const view = await viewOf(seat);
    await seat.page.until(offers => JSON.stringify(session.view?.offers) === offers, JSON.stringify(view.offers));
    return view;
  }

  /** Waits until something is as it should be. */
  async function becomes(what, wanted, where) {
    let is = await what();
    for (const end = Date.now() + 8000; JSON.stringify(is) !== JSON.stringify(wanted) && Date.now() < end;) is = await what();
    assert.deepEqual(is, wanted, where);
  }

  /** Does something by a page that sends a command, and waits until the server has answered it. */
  async function commanding({ page }, work) {
    const answered = page.page.waitForResponse(response => /:(act|answer)$/.test(new URL(response.url()).pathname) && response.request().method() === "POST", { timeout: 60_000 });
    const [response] = await Promise.all([answered, work()]);
    const { outcome, message } = await response.json();
    assert.equal(response.status(), 200, message);
    names.push(...(outcome.events ?? []).map(event => event.name));
    commands++;
  }

  /** Answers a question in its window. */
  async function answer(seat, prompt) {
    const slot = `.hantei-prompt fieldset[data-prompt="${prompt.id}"]`;
    await seat.page.page.waitForSelector(slot);
    await commanding(seat, async () => {
      if (prompt.dice) {
        const [count, sides] = prompt.dice.split("D").map(Number);
        await seat.page.page.fill(`${slot} [name$=".dice"]`, Array.from({ length: count }, () => 1 + (thrown++ * 7) % sides).join(" "));
        await seat.page.page.click(`${slot} [data-action=throw]`);
        return;
      }
      const choice = seat === gm ? (prompt.name === "gm_event" ? "done" : prompt.defaultChoice) : seat.explorer.answer(await viewOf(seat), prompt);
      await seat.page.page.click(`${slot} button[data-choice="${choice}"]`);
    });
    await seat.page.until(slot => document.querySelector(slot) === null, slot);
  }

  /** Takes an offer in the window of actions. */
  async function take(seat, offer, values = {}) {
    await openActions(seat.page, seat.own);
    await commanding(seat, async () => {
      const line = `#hantei-actions .hantei-offer[data-offer="${offer.id}"]`;
      // A group that is folded is opened by hand.
      await seat.page.do(line => { document.querySelector(line).closest("details").open = true; }, line);
      await seat.page.page.click(`${line} [data-action=take]`);
      if (!offer.inputs?.length) return;
      for (const [name, value] of Object.entries(values)) await seat.page.page.selectOption(`${line} [name$=".${name}"]`, value);
      await seat.page.page.click(`${line} [data-action=send]`);
    });
    await shut(seat.page, "hantei-actions");
  }

  /** Drags the own token to where there is room on the square in a direction. */
  async function drag(seat, word) {
    const by = await seat.page.until(([name, own, word, { x, y, scale }]) => {
      const { position } = session.character(own);
      const { size } = canvas.grid;
      const token = canvas.tokens.placeables.find(t => t.document.name === name);
      const corner = (column, row) => ({ x: (column * scale + x) * size, y: (row * scale + y) * size });
      const stand = corner(position.x, position.y);
      if (token.x < stand.x || token.y < stand.y || token.x >= stand.x + scale * size || token.y >= stand.y + scale * size) return null; // on its way still
      const step = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] }[word];
      const to = corner(position.x + step[0], position.y + step[1]);
      const places = [0, 1, 2, 3].map(n => ({ x: to.x + (n % 2) * size, y: to.y + Math.floor(n / 2) * size }));
      const free = places.find(p => !canvas.tokens.placeables.some(t => t !== token && t.x === p.x && t.y === p.y));
      return { columns: (free.x - token.x) / size, rows: (free.y - token.y) / size };
    }, [seat.name, seat.own, word, LINK]);
    await commanding(seat, () => seat.page.drag(seat.name, by));
  }

  /** Somebody does something who is asked, or has the turn. False when the exploration is over. */
  async function next() {
    const now = await viewOf(gm);
    if (!now.encounter) return false;
    whole = now;
    const waiting = (whole.waitingOn ?? []).find(({ blocking }) => blocking);
    if (waiting) {
      const seat = [...party, gm].find(({ user }) => waiting.seats.includes(table.seats[user].id));
      await answer(seat, (await viewOf(seat)).prompts.find(({ standing }) => !standing));
      return true;
    }
    for (const seat of party.filter(({ own }) => whole.encounter.turn.includes(own))) {
      const { move, offer } = seat.explorer.turn(await seenBy(seat));
      if (!offer) continue;
      if (!move) await take(seat, offer);
      else if (seat.drags && ++seat.moves % 5 === 1) await drag(seat, move);
      else await take(seat, offer, { direction: move });
      return true;
    }
    assert.fail(`nobody has anything to do: ${JSON.stringify(whole.encounter)}`);
  }

  /** They play on until something is so. */
  async function play(until) {
    while (!await until() && await next()) assert.ok(commands < MOST, `${commands} commands and still inside`);
  }

  /** The floor as a view has it. */
  function ground({ dungeon }, all) {
    const told = new Map((dungeon?.squares ?? []).map(({ square, terrain }) => [key(square), terrain === "TERRAIN_WALL" ? "#" : "."]));
    const rows = all ? dungeon.floors.find(({ number }) => number === floor).rows : [];
    const sign = (x, y) => told.get(key({ x, y, floor })) ?? { ".": ",", "#": "%" }[rows[y]?.[x]] ?? (all ? "~" : " ");
    const from = ([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
    return from(PART.rows).map(y => from(PART.columns).map(x => sign(x, y)).join(""));
  }

  /** What lies on the floor as a view has it. */
  const things = ({ dungeon }, all) => (all ? dungeon.features.map(({ feature }) => feature).filter(({ gone }) => !gone) : (dungeon?.marks ?? []).map(({ mark }) => mark))
    .filter(({ square }) => square.floor === floor).map(({ square: { x = 0, y = 0 } }) => `${x},${y}`).sort();

  /** Where the party is seen. */
  const standing = seat => seat.page.do(({ x, y, scale }) => {
    const square = (at, begin) => Math.floor((at / canvas.grid.size - begin) / scale);
    return Object.fromEntries(canvas.tokens.placeables.filter(t => t.visible).map(t => [t.document.name, `${square(t.x, x)},${square(t.y, y)}`]).sort());
  }, LINK);

  /** What stands on the cards of a page, without the ids of rules. */
  const cards = seat => seat.page.do(() => [...document.querySelectorAll(".chat-log > .message:not(.hantei-untold) .hantei-card .row > .text")].map(line => {
    const text = line.cloneNode(true);
    for (const rule of text.querySelectorAll(".rule")) rule.remove();
    return text.textContent.trim();
  }));

  /** Compares what the pages draw with what their seats know. */
  async function compare(where) {
    for (const seat of [gm, ...party]) {
      const view = await viewOf(seat);
      const at = `${seat.user}, ${where}`;
      await becomes(() => groundOf(seat.page, LINK, PART), ground(view, seat === gm), at);
      await becomes(() => iconsOf(seat.page, LINK), things(view, seat === gm), at);
      const positions = view.characters.filter(({ position }) => position?.floor === floor).map(({ id, position: { x = 0, y = 0 } }) => [PARTY.find(({ own }) => own === id)?.name, `${x},${y}`]);
      await becomes(() => standing(seat), Object.fromEntries(positions.sort()), at);
      await becomes(() => cards(seat), await textsFor(seat), at);
      if (pictures.includes(where)) await shot(seat, where);
    }
  }

  test("they go in, all of them by the same door", async () => {
    await table.act("gm", { persona: { generateDungeon: SEED } });
    dungeon = (await viewOf(gm)).details.persona.blueprint;
    for (const feature of dungeon.features) {
      feature.id += ID;
      if (feature.stairs?.stairs) feature.stairs.stairs += ID;
      if (feature.item) Object.assign(feature.item, { macca: MACCA + feature.id % 1000, container: `strongbox-${feature.id % 1000}` });
      if (feature.event) feature.event.key = "the-idol-wakes";
    }
    await table.act("gm", { persona: { startSession: { level: 20 } } });
    await table.act("gm", { persona: { startExploration: { party: PARTY.map(({ own }) => own), dungeon } } });
    await play(async () => (await viewOf(gm)).encounter.turn.length);
    await compare("begun");
  });

  test("they part, and each sees what he has found himself", async () => {
    await play(() => commands >= 16);
    await compare("parted");
    const known = await Promise.all(party.map(async seat => JSON.stringify(ground(await viewOf(seat)))));
    assert.ok(new Set(known).size > 1, "they know different things");
  });

  test("they meet on the stairs, and the GM shows the next floor", async () => {
    await play(() => names.includes("floor_changed"));
    await gm.page.do(() => game.scenes.getName("Floor 2").activate());
    floor = 2;
    for (const { page } of [gm, ...party]) await page.until(() => canvas.ready && canvas.scene.name === "Floor 2");
    await compare("below");
  });

  test("they find the way out", async () => {
    await play(() => commands >= 75);
    await compare("deeper");
    await play(() => false);
    assert.equal(names.at(-1), "exploration_ended");
    for (const name of ["floor_changed", "item_gained", "trap_triggered", "battle_ended", "event_fired"]) assert.ok(names.includes(name), `${name} never happened`);
    for (const { page } of [gm, ...party]) await page.until(() => !canvas.primary.children.some(c => c.name === "hantei-dungeon"));
    for (const seat of [gm, ...party]) await becomes(() => cards(seat), await textsFor(seat), seat.user);
    for (const seat of [gm, ...party]) await shot(seat, "out");
  });

  /** Every byte of the table that a page received, line by line: all words of the rules are no secret. */
  const received = seat => table.recorder.exchanges.filter(({ user, path }) => user === seat.page.id && path.startsWith("/v1/tables/")).flatMap(({ body }) => body.split("\n"));

  test("no page received what its seat does not know, and no document has it", () => {
    // What tells of something that lies in the dungeon, and of what.
    const secrets = new Map([["strongbox", []], ["the-idol-wakes", []], [String(ID).slice(0, 5), []]]);
    for (const { id, item, trap, enemy } of dungeon.features) {
      const kind = trap?.kind ?? enemy?.name;
      for (const text of [item && String(item.macca), kind, kind && titled(kind)]) if (text) secrets.set(text, [...secrets.get(text) ?? [], id]);
    }
    const documents = JSON.stringify(table.world.log);
    for (const text of secrets.keys()) assert.ok(!documents.includes(text), `a document has ${text}`);
    let kept = 0;
    for (const seat of party) {
      const bytes = received(seat);
      const knows = id => whole.dungeon.features.find(({ feature }) => feature.id === id)?.feature.known?.some(({ of, detail }) => of === seat.own && detail === "MARK_DETAIL_DATA");
      for (const [text, of] of secrets) {
        if (of.some(knows)) continue;
        kept++;
        assert.equal(bytes.find(line => line.includes(text)), undefined, `${seat.name} was sent ${text}`);
      }
      const squares = new Set(whole.dungeon.squares.filter(({ of }) => of === seat.own).map(({ square }) => key(square)));
      for (const square of bytes.filter(line => line.includes('"terrain"')).flatMap(line => drawnIn(JSON.parse(line)))) assert.ok(squares.has(square), `${seat.name} was sent ${square}`);
    }
    assert.ok(kept > 12, "somebody has missed something");
    assert.ok([...secrets.keys()].every(text => received(gm).some(line => line.includes(text))), "it would have been found");
  });

  test("nothing went wrong in the pages", async () => assert.deepEqual(await table.faults(), {}));
});
