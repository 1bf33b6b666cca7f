import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, HanteiError, newRequestId } from "../../scripts/api/client.mjs";
import { Session } from "../../scripts/api/session.mjs";
import { Stream } from "../../scripts/api/stream.mjs";
import { noServer, startServer } from "./server.mjs";

// The timers of AbortSignal.timeout do not keep Node alive.
const alive = setInterval(() => {}, 1000);
after(() => clearInterval(alive));

const soon = () => sleep(5);

/**
 * A server of which a test says what it answers.
 * @param {(path: string, init: any) => Response | Promise<Response>} answer
 */
function scripted(answer) {
  /** @type {{path: string, init: any}[]} */
  const calls = [];
  const fetch = async (/** @type {string} */ url, /** @type {any} */ init) => {
    const path = url.slice("http://test".length);
    calls.push({ path, init });
    return answer(path, init);
  };
  return { calls, client: new Client({ url: "http://test", token: "t", fetch: /** @type {any} */ (fetch) }) };
}

/** @param {unknown[]} lines @param {AbortSignal} [signal]  Stays open until then. */
function ndjson(lines, signal) {
  return new Response(new ReadableStream({
    start(controller) {
      const text = lines.map(l => JSON.stringify(l) + "\n").join("");
      if (text) controller.enqueue(new TextEncoder().encode(text));
      if (signal) signal.addEventListener("abort", () => { try { controller.error(signal.reason); } catch { /* it was read to its end */ } });
      else controller.close();
    },
  }), { headers: { "Content-Type": "application/x-ndjson" } });
}

/** @param {number} status @param {object} body */
const refuse = (status, body) => Response.json({ code: 0, status: "X", message: "no", ...body }, { status });

describe("client", () => {
  test("what is no Hantei's is called so", async () => {
    for (const response of [() => new Response("<html>", { status: 200 }), () => new Response("<html>", { status: 404 }), () => Response.json({ error: "no" }, { status: 500 })]) {
      const { client } = scripted(response);
      await assert.rejects(client.call("GET", "/v1/x"), { reason: "NOT_HANTEI" });
      await assert.rejects(client.open("/v1/watch", new AbortController().signal), { reason: "NOT_HANTEI" });
    }
  });

  test("an answer that does not come is UNREACHABLE, a call that was called off is not", async () => {
    const { client } = scripted((_, init) => new Promise((_resolve, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason))));
    const patient = new Client({ url: "http://test", patience: 20, fetch: /** @type {any} */ ((/** @type {any} */ _url, /** @type {any} */ init) => new Promise((_r, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)))) });
    await assert.rejects(patient.call("GET", "/v1/x"), { reason: "UNREACHABLE", transient: true });
    const off = new AbortController();
    const call = client.call("GET", "/v1/x", undefined, { signal: off.signal });
    off.abort();
    await assert.rejects(call, { name: "AbortError" });
  });

  test("a request id needs no secure page", () => {
    assert.match(newRequestId(), /^[0-9a-f]{32}$/);
    assert.notEqual(newRequestId(), newRequestId());
  });
});

describe("stream", () => {
  test("goes on from the last frame that was handled, and never gives up", async () => {
    const { client, calls } = scripted((path, init) => {
      switch (calls.length) {
        case 1: return ndjson([{ result: { cursor: "b", events: [{}] } }, { result: { cursor: "c" } }]);
        case 2: throw new TypeError("network error");
        case 3: return new Response("<html>Bad gateway", { status: 502 });
        case 4: return ndjson([{ result: { cursor: "d", events: [{}] } }, { error: { status: "RESOURCE_EXHAUSTED", reason: "TOO_SLOW", message: "-" } }]);
        default: return ndjson([], init.signal);
      }
    });
    /** @type {string[]} */
    const seen = [], states = [];
    let pauses = 0;
    const stream = new Stream(client, "t1", "a", {
      onFrame: frame => { seen.push(frame.cursor ?? ""); },
      onState: error => { states.push(error?.reason ?? "open"); },
      pause: async () => { pauses++; },
    });
    const run = stream.run();
    while (calls.length < 5) await soon();
    stream.stop();
    assert.equal(await run, null);
    assert.deepEqual(seen, ["b", "d"]);
    assert.deepEqual(calls.map(c => new URLSearchParams(c.path.split("?")[1]).get("cursor")), ["a", "c", "c", "c", "d"]);
    assert.deepEqual(states.slice(0, 7), ["open", "UNREACHABLE", "UNREACHABLE", "NOT_HANTEI", "open", "TOO_SLOW", "open"]);
    assert.equal(pauses, 4);
  });

  test("ends where trying again cannot help", async () => {
    for (const [answer, reason] of /** @type {[() => Response, string][]} */ ([
      [() => refuse(401, { reason: "TOKEN_UNKNOWN" }), "TOKEN_UNKNOWN"],
      [() => refuse(403, { reason: "SOMETHING_NEW" }), "SOMETHING_NEW"],
      [() => ndjson([{ error: { status: "UNAUTHENTICATED", reason: "TOKEN_UNKNOWN", message: "-" } }]), "TOKEN_UNKNOWN"],
      [() => ndjson([{ result: { cursor: "z", endReason: "TABLE_DELETED" } }]), "TABLE_DELETED"],
    ])) {
      const { client } = scripted(answer);
      const error = await new Stream(client, "t1", "", { onFrame() {}, pause: () => assert.fail("it waits") }).run();
      assert.equal(error?.reason, reason);
    }
  });

  test("a frame that is shown for long is no silence, but silence is", async () => {
    const { client, calls } = scripted((_, init) => ndjson(calls.length === 1 ? [{ result: { cursor: "b", events: [{}] } }] : [], init.signal));
    let shown = false;
    const stream = new Stream(client, "t1", "a", {
      silence: 40, pause: async () => {},
      onFrame: async () => {
        await sleep(120);
        assert.equal(calls.length, 1, "the connection was given up while a frame was shown");
        shown = true;
      },
    });
    const run = stream.run();
    while (calls.length < 2) await soon();
    assert.ok(shown);
    stream.stop();
    await run;
  });

  test("retry ends a pause, and a connection that has been silent for too long", async () => {
    const { client, calls } = scripted((_, init) => {
      if (calls.length === 1) throw new TypeError("network error");
      return ndjson([], init.signal);
    });
    const stream = new Stream(client, "t1", "a", { silence: 200, onFrame() {}, pause: (_, signal) => new Promise(resolve => signal.addEventListener("abort", () => resolve())) });
    const run = stream.run();
    while (calls.length < 1) await soon();
    await soon();
    stream.retry();
    while (calls.length < 2) await soon();
    await soon();
    stream.retry();
    await sleep(30);
    assert.equal(calls.length, 2, "what is fresh stays");
    await sleep(100);
    stream.retry(); // cuts it
    await sleep(30);
    stream.retry(); // ends the pause
    while (calls.length < 3) await soon();
    stream.stop();
    assert.equal(await run, null);
  });
});

describe("session", () => {
  const view = { tableId: "t1", ruleset: "coc", seatId: "s1", cursor: "now", seats: [{ id: "s1", role: "SEAT_ROLE_GM" }], prompts: [{ id: "p1" }] };
  /** @param {(path: string, init: any) => Response | null} stream */
  const table = stream => (/** @type {string} */ path, /** @type {any} */ init) => {
    if (path.startsWith("/v1/watch")) return stream(path, init) ?? ndjson([], init.signal);
    if (path.startsWith("/v1/rulesets/")) return Response.json({ ruleset: { name: "coc" } });
    return Response.json({ view: structuredClone(view) });
  };

  test("begins once the table is read, and before anything is told", async () => {
    const { client } = scripted(table(() => null));
    /** @type {string[]} */
    const told = [];
    const session = new Session({ client, table: "t1", begin: () => {
      told.push("begin");
      assert.equal(session.isGM, true);
      session.on("view", () => told.push("view"));
      session.on("prompts", () => told.push("prompts"));
    } });
    await session.start();
    assert.deepEqual(told, ["begin", "view", "prompts"]);
    session.stop();
    assert.equal(session.state, "off");
  });

  test("waits for a server that is away at the start", async () => {
    let tries = 0;
    const answer = table(() => null);
    const { client } = scripted((path, init) => {
      if (++tries < 4) throw new TypeError("network error");
      return answer(path, init);
    });
    /** @type {string[]} */
    const states = [];
    const session = new Session({ client, table: "t1", pause: async () => {} });
    session.on("state", ({ state }) => states.push(state));
    await session.start();
    await sleep(20);
    assert.deepEqual(states, ["connecting", "away", "live"]);
    session.stop();
  });

  test("is refused with a token that nobody holds", async () => {
    const { client } = scripted(() => refuse(401, { reason: "TOKEN_UNKNOWN" }));
    const session = new Session({ client, table: "t1", begin: () => assert.fail("it begins") });
    await assert.rejects(session.start(), { reason: "TOKEN_UNKNOWN" });
    assert.equal(session.state, "refused");
    assert.equal(session.error?.reason, "TOKEN_UNKNOWN");
  });

  test("forgets a cursor that the server does not take", async () => {
    /** @type {(string | null)[]} */
    const cursors = [], kept = [];
    const { client } = scripted(table(path => {
      cursors.push(new URLSearchParams(path.split("?")[1]).get("cursor"));
      return cursors.at(-1) === "old" ? refuse(400, { reason: "BAD_CURSOR" }) : null;
    }));
    const session = new Session({ client, table: "t1", cursor: "old", keep: cursor => kept.push(cursor) });
    await session.start();
    while (cursors.length < 2) await soon();
    assert.deepEqual(cursors, ["old", "now"]);
    assert.deepEqual(kept, [""]);
    session.stop();
  });

  test("is refused if not even a fresh cursor is taken", async () => {
    const { client, calls } = scripted(table(() => refuse(400, { reason: "BAD_CURSOR" })));
    const session = new Session({ client, table: "t1", cursor: "old" });
    await session.start();
    while (session.state !== "refused") await soon();
    assert.equal(calls.filter(c => c.path.startsWith("/v1/watch")).length, 2);
  });

  test("hands on what was missed at once, and what happens now when the last is shown", async () => {
    const frames = [
      { result: { cursor: "1", events: [{ eventId: "a" }] } },
      { result: { cursor: "2", events: [{ eventId: "b" }], promptsTold: true, prompts: [] } },
      { result: { cursor: "3", events: [{ eventId: "c" }], promptsTold: true, prompts: [] } },
    ];
    let opened = 0;
    const { client } = scripted(table((_, init) => ++opened === 1 ? ndjson(frames, init.signal) : null));
    /** @type {(string | undefined)[]} */
    const told = [];
    /** @type {(() => void)[]} */
    const shown = [];
    const session = new Session({ client, table: "t1", cursor: "0", begin: () => {
      session.on("events", ({ events }) => {
        told.push(events[0].eventId);
        return new Promise(resolve => shown.push(() => resolve(null)));
      });
    } });
    await session.start();
    while (told.length < 2) await soon();
    for (let i = 0; i < 5; i++) await soon();
    assert.deepEqual(told, ["a", "b"]);
    shown[1]();
    while (told.length < 3) await soon();
    session.stop();
    for (const done of shown) done();
  });

  test("tells what happened before what came of it, and reads the view once for all that was missed", async () => {
    const frames = [
      { result: { cursor: "1", events: [{ eventId: "a" }], offersChanged: true } },
      { result: { cursor: "2", events: [{ eventId: "b" }], offersChanged: true } },
      { result: { cursor: "3", events: [{ eventId: "c" }], offersChanged: true, promptsTold: true, prompts: [] } },
      { result: { cursor: "4", promptsTold: true, prompts: [{ id: "p9" }] } },
    ];
    let opened = 0;
    const { client, calls } = scripted(table((_, init) => ++opened === 1 ? ndjson(frames, init.signal) : null));
    /** @type {string[]} */
    const told = [];
    const session = new Session({ client, table: "t1", cursor: "0", begin: () => {
      session.on("events", async ({ events, cursor }) => {
        await sleep(20);
        told.push(`${events[0].eventId}@${cursor}`);
      });
      session.on("prompts", prompts => told.push(`prompts ${prompts.map(p => p.id)}`));
    } });
    await session.start();
    while (!told.includes("prompts p9")) await soon();
    assert.deepEqual(told, ["prompts p1", "a@1", "b@2", "c@3", "prompts p1", "prompts p9"]);
    assert.equal(calls.filter(c => c.path.endsWith("/view")).length, 2);
    session.stop();
  });

  test("sends a command under one request id until there is an answer", async () => {
    let sent = 0;
    const { client, calls } = scripted(() => {
      switch (++sent) {
        case 1: throw new TypeError("network error");
        case 2: return new Response("<html>Bad gateway", { status: 502 });
        case 3: return refuse(429, { reason: "TOO_MANY_REQUESTS" });
        default: return Response.json({ outcome: {} });
      }
    });
    const session = new Session({ client, table: "t1", pause: async () => {} });
    await session.act({ actor: "nurse" });
    const ids = calls.map(c => JSON.parse(c.init.body).requestId);
    assert.equal(ids.length, 4);
    assert.equal(new Set(ids).size, 1);

    const refused = scripted(() => refuse(400, { reason: "PROMPT_CLOSED" }));
    await assert.rejects(new Session({ client: refused.client, table: "t1" }).answer("p1", []), { reason: "PROMPT_CLOSED" });
    assert.equal(refused.calls.length, 1, "a refusal is an answer");
  });
});

describe("with a real server", { skip: noServer }, () => {
  test("nothing is missed and nothing comes twice when the server dies", async () => {
    const { mkdtempSync, rmSync } = await import("node:fs");
    const folder = mkdtempSync("/tmp/hantei-session-");
    const db = `${folder}/x.db`;
    let server = await startServer({ db });
    const url = new URL(server.url);
    const { table, gm } = server;
    const session = new Session({ client: new Client({ url: url.origin, token: gm, language: "ja" }), table, pause: () => sleep(50) });
    /** @type {string[]} */
    const seen = [], states = [];
    session.on("state", ({ state }) => states.push(state));
    session.on("events", ({ events }) => { for (const e of events) if (e.name === "rolled") seen.push(e.eventId ?? ""); });
    await session.start();
    while (session.state !== "live") await soon();
    assert.equal(session.ruleset?.name, "coc");
    const rolls = [];
    const roll = () => session.send("POST", `/v1/tables/${table}:roll`, { formula: "1d6" });
    rolls.push(await roll());
    await server.stop("SIGKILL");
    const pending = roll(); // while it is away
    while (session.state !== "away") await soon();
    server = await startServer({ db, http: url.host });
    rolls.push(await pending, await roll());
    const made = rolls.map(r => r.outcome.events.find((/** @type {any} */ e) => e.name === "rolled").eventId);
    while (seen.length < made.length) await soon();
    assert.deepEqual(seen, made);
    assert.deepEqual(states.filter(s => s !== "away"), ["connecting", "live", "live"]);
    session.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a revoked seat is told so at once, and not tried again", async () => {
    const server = await startServer();
    try {
      const gm = new Client({ url: server.url, token: server.gm });
      const session = new Session({ client: new Client({ url: server.url, token: server.nurse }), table: server.table });
      await session.start();
      while (session.state !== "live") await soon();
      await gm.call("POST", `/v1/tables/${server.table}/seats/${session.seat?.id}:revoke`, {});
      while (session.state !== "refused") await soon();
      assert.equal(session.error?.reason, "TOKEN_UNKNOWN");
      session.stop();
    } finally {
      await server.stop();
    }
  });

  test("a refusal has the words of the language", async () => {
    const server = await startServer();
    try {
      const ja = new Client({ url: server.url, token: server.nurse, language: "ja" });
      await assert.rejects(ja.call("GET", "/v1/tables/elsewhere"), error => {
        assert.ok(error instanceof HanteiError);
        assert.equal(error.status, 404);
        assert.match(error.message, /[ぁ-ん]/);
        return true;
      });
    } finally {
      await server.stop();
    }
  });
});
