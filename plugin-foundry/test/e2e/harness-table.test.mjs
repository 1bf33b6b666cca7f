/** What the driver promises: a real Hantei, its failures, the network, the clock, the versions. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { selfSigned } from "../harness/certificate.mjs";
import { fixture } from "../harness/fixture.mjs";
import { Hantei } from "../harness/hantei.mjs";
import { skip } from "../harness/skip.mjs";
import { openTable } from "../harness/table.mjs";

describe("a table", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable({ modules: fixture });
    [gm, eri] = [await table.join("gm"), await table.join("eri")];
  });
  after(() => table?.close());

  /** Calls Hantei from a page, as the module does. */
  const ask = (player, path, token) => player.do(({ url, token }) => fetch(url, { headers: { Authorization: `Bearer ${token}` } }).then(r => r.json(), e => ({ failed: e.message })), { url: table.url + path, token });

  test("each user reads the table as their seat sees it, and what reached whom is known", async () => {
    const view = async (player, name) => (await ask(player, `/v1/tables/${table.id}/view`, table.seats[name].token)).view;
    const of = (v, id) => v.characters.find(c => c.id === id);
    const [keeper, player] = [await view(gm, "gm"), await view(eri, "eri")];
    assert.equal(of(player, "nurse").yours, true);
    const secret = JSON.stringify(of(keeper, "thug").stats);
    assert.ok(secret?.length > 20 && gm.received().includes(secret));
    assert.ok(!eri.received().includes(secret));
    assert.deepEqual(eri.requests().map(r => [r.method, r.status]), [["GET", 200]]);
  });

  test("a stream reaches the page line by line, breaks when it is cut, and Hantei comes back as it was", async () => {
    await eri.do(({ url, token }) => {
      window.lines = [];
      window.broken = fetch(url, { headers: { Authorization: `Bearer ${token}` } }).then(async response => {
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return "ended";
          window.lines.push(...value.split("\n").filter(Boolean));
        }
      }).catch(error => error.message);
    }, { url: `${table.url}/v1/watch?table_id=${table.id}`, token: table.seats.eri.token });
    await eri.until(() => window.lines.length > 0);
    await table.act("gm", { coc: { startCombat: { combatants: ["nurse", "thug"] } } });
    await eri.until(() => window.lines.some(l => l.includes("combat_declared")));
    await table.hantei.kill();
    assert.match(await eri.do(() => window.broken), /network error|ended/);
    await table.hantei.start();
    const { view } = await table.as("eri", "GET", `/v1/tables/${table.id}/view`);
    assert.ok(view.encounter, "the fight goes on");
  });

  test("the recorder can refuse, and answer otherwise", async () => {
    table.recorder.offline();
    assert.match((await ask(eri, "/v1/server", "")).failed, /Failed to fetch/);
    table.recorder.online();
    table.recorder.answer = ({ path }) => (path === "/v1/server" ? { status: 200, body: { version: "99" } } : null);
    assert.equal((await ask(eri, "/v1/server", "")).version, "99");
    table.recorder.answer = null;
    table.recorder.without = ["access-control-allow-origin"];
    assert.match((await ask(eri, "/v1/server", "")).failed, /Failed to fetch/);
    table.recorder.without = [];
    assert.equal((await ask(eri, `/v1/tables/${table.id}/view`, table.seats.eri.token)).view.id ?? table.id, table.id);
  });

  test("dice are those that the test gives", async () => {
    const { outcome } = await table.act("eri", { coc: { endTurn: {} } }, { actor: "nurse" });
    assert.equal(outcome.events.at(-1).name, "turn_started");
    const struck = await table.act("gm", { coc: { attack: { weapon: "knife", target: "nurse" } } }, { actor: "thug", dice: ["1D100=12"] });
    assert.equal(struck.outcome.state, "STEP_STATE_WAITING");
    const answered = await table.answer("eri", "nurse", "none");
    assert.ok(answered.outcome.events.some(e => e.name === "attack_hit"));
  });
});

describe("the network", { skip }, () => {
  test("an https world, and Hantei on http, on https and on no known certificate", async () => {
    const tls = await selfSigned();
    const table = await openTable({ modules: fixture, hantei: false, tls: { ...tls, host: "foundry.test" }, browserFlags: ["--host-resolver-rules=MAP *.test 127.0.0.1"] });
    const hantei = await new Hantei({ origins: [table.origin], tls }).start();
    const plain = await new Hantei({ origins: [table.origin] }).start();
    try {
      const eri = await table.join("eri");
      const ask = url => eri.do(url => fetch(`${url}/v1/server`, { headers: { Authorization: "Bearer x" } }).then(r => r.status, e => e.message), url);
      assert.equal(await eri.do(() => location.protocol), "https:");
      assert.equal(typeof (await ask(`https://hantei.test:${hantei.port}`)), "number");
      assert.equal(typeof (await ask(`http://127.0.0.1:${plain.port}`)), "number", "loopback is no mixed content");
      assert.equal(await ask(`http://hantei.test:${plain.port}`), "Failed to fetch", "another host is");
      const strict = await table.join("jun", { ignoreHTTPSErrors: false }).catch(error => error.message);
      assert.match(strict, /CERT/, "a browser that checks does not even open the world");
    } finally {
      await Promise.all([table.close(), hantei.stop(), plain.stop()]);
    }
  });

  test("a page from the internet needs leave to call this machine", async () => {
    const table = await openTable({ modules: fixture });
    await table.browser.close();
    const { openBrowser } = await import("../harness/browser.mjs");
    table.browser = await openBrowser([`--ip-address-space-overrides=127.0.0.1:${new URL(table.origin).port}=public`]);
    try {
      const eri = await table.join("eri");
      const ask = () => eri.do(url => fetch(`${url}/v1/server`).then(r => r.status, e => e.message), table.url);
      assert.equal(await ask(), "Failed to fetch");
      await eri.context.grantPermissions(["local-network-access"], { origin: table.origin });
      assert.equal(typeof (await ask()), "number");
    } finally {
      await table.close();
    }
  });
});

describe("versions and dice", { skip }, () => {
  for (const generation of [13, 14]) {
    test(`Foundry ${generation}: statuses and the promise of a walk`, async () => {
      const table = await openTable({ modules: fixture, hantei: false, generation });
      try {
        const gm = await table.join("gm");
        assert.equal(await gm.do(() => game.release.generation), generation);
        assert.equal(await gm.do(() => Array.isArray(CONFIG.statusEffects)), generation === 13);
        const x = await gm.do(async id => {
          const document = canvas.scene.tokens.get(id);
          await document.move([{ x: 300, y: 300, checkpoint: true }, { x: 600, y: 300 }]);
          return document._source.x;
        }, table.things.tokens.nurse._id);
        assert.equal(x, generation === 13 ? 300 : 600, "13 answers at the first checkpoint");
        await gm.until(id => canvas.scene.tokens.get(id).x === 600, table.things.tokens.nurse._id);
        await gm.do(() => CONFIG.statusEffects[0] ?? CONFIG.statusEffects.dead);
        assert.equal(await gm.do(() => game.actors.contents[0].toggleStatusEffect("dead", { active: true }).then(e => e.name)), "Dead");
      } finally {
        await table.close();
      }
    });
  }

  test("Dice So Nice hides a card until its dice rest; off, it says that none will fall; stuck, it never ends", async () => {
    for (const dice of ["on", "off", "stuck"]) {
      const table = await openTable({ modules: fixture, hantei: false, dice });
      try {
        const gm = await table.join("gm");
        await gm.do(() => {
          window.told = [];
          Hooks.on("diceSoNiceMessageProcessed", (_id, { willTrigger3DRoll }) => window.told.push(willTrigger3DRoll));
          Hooks.on("diceSoNiceRollComplete", () => window.told.push("complete"));
        });
        const die = { class: "Die", number: 1, faces: 100, results: [{ result: 42, active: true }], evaluated: true };
        await gm.do(die => ChatMessage.create({ content: "Thrown", rolls: [Roll.fromData({ class: "Roll", formula: "1d100", terms: [die], total: 42, evaluated: true })] }), die);
        if (dice === "stuck") {
          await gm.until(() => document.querySelector(".chat-log > .dsn-hide"));
          assert.deepEqual(await gm.do(() => window.told), [true]);
          assert.deepEqual(await gm.chat(), []);
          continue;
        }
        await gm.message("Thrown");
        assert.deepEqual(await gm.do(() => window.told), dice === "on" ? [true, "complete"] : [false]);
      } finally {
        await table.close();
      }
    }
  });

  test("a held clock lets a walk stop half way, and timers wait", async () => {
    const table = await openTable({ modules: fixture, hantei: false });
    try {
      const gm = await table.join("gm", { clock: "held" });
      await gm.do(id => {
        window.timer = 0;
        setTimeout(() => { window.timer = 1; }, 5000);
        void canvas.scene.tokens.get(id).move({ x: 800, y: 300 });
      }, table.things.tokens.nurse._id);
      await gm.until(id => canvas.tokens.get(id).movementAnimationPromise !== null, table.things.tokens.nurse._id);
      await gm.advance(500);
      const half = (await gm.tokens()).Nurse.x;
      assert.ok(half > 400 && half < 600, `six squares take a second: after half of it ${half}`);
      await gm.advance(600);
      assert.equal((await gm.tokens()).Nurse.x, 800);
      assert.equal(await gm.do(() => window.timer), 0);
      await gm.advance(5000);
      assert.equal(await gm.do(() => window.timer), 1);
    } finally {
      await table.close();
    }
  });

  test("a hidden tab gets no frames until it is shown again", async () => {
    const table = await openTable({ modules: fixture, hantei: false });
    try {
      const [gm, eri] = [await table.join("gm"), await table.join("eri")];
      await eri.hide();
      await gm.do(async id => {
        await canvas.scene.tokens.get(id).move({ x: 800, y: 300 });
        await canvas.tokens.get(id).movementAnimationPromise;
      }, table.things.tokens.nurse._id);
      await eri.until(id => canvas.scene.tokens.get(id)._source.x === 800, table.things.tokens.nurse._id);
      assert.equal((await eri.tokens()).Nurse.x, 200);
      await eri.hide(false);
      await eri.until(id => canvas.tokens.get(id).x === 800, table.things.tokens.nurse._id);
    } finally {
      await table.close();
    }
  });

  test("the language is the user's, and a text that is missing is named", async () => {
    const table = await openTable({ modules: fixture, hantei: false, language: "ja" });
    try {
      const gm = await table.join("gm");
      assert.equal(await gm.do(() => game.i18n.format("PROOF.Title", { what: "舞台" })), "舞台の証明");
      await gm.do(() => [game.i18n.localize("PROOF.Nowhere"), game.i18n.format("PROOF.Count", {})]);
      assert.deepEqual((await gm.faults()).sort(), ["no text: PROOF.Count: {n} is not given", "no text: PROOF.Nowhere"]);
    } finally {
      await table.close();
    }
  });
});
