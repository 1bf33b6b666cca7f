import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { refuseAddress } from "../../scripts/api/address.mjs";
import { HanteiError } from "../../scripts/api/client.mjs";
import { diagnose, findingOf } from "../../scripts/api/diagnose.mjs";
import { browserFetch } from "./browser.mjs";
import { noServer, startServer } from "./server.mjs";

const HTTPS = "https://vtt.example";
const HTTP = "http://vtt.example:30000";
const LOCAL = "http://localhost:30000";

test("an address is refused before anything is sent", () => {
  for (const [url, situation, key] of /** @type {[string, any, string | undefined][]} */ ([
    ["", { origin: LOCAL }, "ADDRESS_EMPTY"],
    ["   ", { origin: LOCAL }, "ADDRESS_EMPTY"],
    ["engine.example:8080", { origin: LOCAL }, "ADDRESS_NO_SCHEME"],
    ["localhost:8080", { origin: LOCAL }, "ADDRESS_NO_SCHEME"],
    ["http://", { origin: LOCAL }, "ADDRESS_MALFORMED"],
    ["http://engine example", { origin: LOCAL }, "ADDRESS_MALFORMED"],
    ["http://127.0.0.1:99999", { origin: LOCAL }, "ADDRESS_MALFORMED"],
    ["http://me:secret@127.0.0.1:8080", { origin: LOCAL }, "ADDRESS_MALFORMED"],
    ["https://engine.example/?a=1", { origin: LOCAL }, "ADDRESS_MALFORMED"],
    ["ws://127.0.0.1:8080", { origin: LOCAL }, "ADDRESS_SCHEME"],

    ["http://127.0.0.1:8080", { origin: HTTPS }, undefined],
    ["http://localhost:8080", { origin: HTTPS }, undefined],
    ["http://[::1]:8080", { origin: HTTPS }, undefined],
    ["https://engine.example/hantei/", { origin: HTTPS }, undefined],
    ["http://engine.example", { origin: HTTPS }, "MIXED_CONTENT"],
    ["http://engine.example", { origin: HTTPS, plain: true }, "MIXED_CONTENT"],
    ["http://192.168.1.5:8080", { origin: HTTPS }, "MIXED_CONTENT"],
    ["http://192.168.1.5:8080", { origin: HTTPS, place: "local" }, undefined],
    ["http://127.0.0.1.evil.example", { origin: HTTPS }, "MIXED_CONTENT"],

    ["http://engine.example", { origin: HTTP }, "PLAIN_HTTP"],
    ["http://engine.example", { origin: HTTP, plain: true }, undefined],
    ["http://192.168.1.5:8080", { origin: HTTP }, undefined],
    ["http://nas:8080", { origin: HTTP }, undefined],
    ["http://192.168.1.5.evil.example", { origin: HTTP }, "PLAIN_HTTP"],

    ["http://127.0.0.1:8080", { origin: HTTP, gm: false }, "ADDRESS_OF_GM"],
    ["http://127.0.0.1:8080", { origin: HTTP, gm: true }, undefined],
    ["http://127.0.0.1:8080", { origin: LOCAL, gm: false }, undefined],
  ])) {
    assert.equal(refuseAddress(url, situation)?.key, key, `${url} from ${JSON.stringify(situation)}`);
  }
});

test("a refused address is never called", async () => {
  const finding = await diagnose({ url: "http://engine.example", origin: HTTPS, fetch: () => assert.fail("it was called") });
  assert.equal(finding.key, "MIXED_CONTENT");
  assert.equal(finding.data.host, "engine.example");
});

/**
 * A server that is no Hantei.
 * @param {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void} answer
 * @param {(url: string) => Promise<void>} use
 */
async function other(answer, use) {
  const server = createServer(answer);
  await new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  try {
    await use(`http://127.0.0.1:${/** @type {any} */ (server.address()).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("what answers is not what should", () => {
  /** @param {string} url @param {object} [more] */
  const ask = (url, more = {}) => diagnose({ url, origin: LOCAL, fetch: /** @type {any} */ (browserFetch({ origin: LOCAL })), patience: 2000, ...more });
  const open = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization, content-type", "Content-Type": "application/json" };

  for (const [name, status, headers, body, key] of /** @type {[string, number, Record<string, string>, string, string][]} */ ([
    ["a page of something else that anybody may read", 200, open, "<html>hello</html>", "NOT_HANTEI"],
    ["JSON of something else", 200, open, `{"version": "1.0"}`, "NOT_HANTEI"],
    ["something else that nobody may read", 200, {}, "<html>hello</html>", "UNREADABLE"],
    ["a proxy whose server is away", 502, open, "<html>Bad gateway</html>", "PROXY_ALONE"],
    ["a proxy whose server is away, unreadable", 502, {}, "<html>Bad gateway</html>", "UNREADABLE"],
    ["a proxy that wants a login", 302, { Location: "https://login.example/" }, "", "REDIRECT"],
    ["a Hantei that knows no /version", 404, open, `{"code": 5, "status": "NOT_FOUND", "reason": "PATH_UNKNOWN", "domain": "hantei", "message": "-"}`, "SERVER_OLD"],
    ["a Hantei of the past", 200, open, `{"program": "hantei", "version": "v0.0.1", "apis": ["v0"]}`, "SERVER_OLD"],
    ["a Hantei of the future", 200, open, `{"program": "hantei", "version": "v9.0.0", "apis": ["v2", "v3"]}`, "MODULE_OLD"],
  ])) {
    test(name, () => other((_, response) => response.writeHead(status, headers).end(body), async url => {
      const finding = await ask(url);
      assert.equal(finding.key, key);
      assert.equal(finding.ok, false);
      assert.equal(finding.data.url, url);
    }));
  }

  test("a server that never answers", () => other(() => {}, async url => {
    assert.equal((await ask(url, { patience: 150 })).key, "TIMEOUT");
    const permission = async () => "prompt";
    const fetch = browserFetch({ origin: HTTPS });
    assert.equal((await ask(url, { patience: 150, permission, origin: HTTPS, fetch })).key, "LOCAL_NETWORK_ASKS", "maybe nobody has pressed Allow");
    assert.equal((await ask(url, { patience: 150, permission })).key, "TIMEOUT", "a page of the same computer needs no permission");
  }));

  test("nobody listens", () => other(() => {}, async url => url).then(async () => {
    assert.equal((await ask("http://127.0.0.1:1")).key, "NO_ANSWER");
    assert.equal((await ask("https://127.0.0.1:1")).key, "NO_ANSWER_TLS");
    assert.equal((await ask("http://127.0.0.1:1", { online: false })).key, "NO_ANSWER", "one's own computer needs no network");
    assert.equal((await ask("https://engine.example", { online: false })).key, "OFFLINE");
  }));

  test("a certificate that the browser does not take: plain http is answered at the port", () => other((_, response) => response.writeHead(400).end(), async url => {
    assert.equal((await ask(url.replace("http:", "https:"))).key, "TLS");
  }));

  test("http where https is wanted", async () => {
    const fake = async (/** @type {string} */ url, /** @type {any} */ init) => {
      if (init.mode === "no-cors") return { type: "opaque" };
      throw new TypeError("Failed to fetch"); // an answer to http without CORS
    };
    assert.equal((await ask("http://127.0.0.1:8443", { fetch: fake })).key, "NEEDS_HTTPS");
  });

  test("a page's content policy forbids the call", () => other((_, response) => response.writeHead(200, open).end(), async url => {
    const policy = new EventTarget();
    const finding = await ask(url, { violations: policy, fetch: browserFetch({ origin: LOCAL, policy, forbidden: url }) });
    assert.equal(finding.key, "CSP");
    assert.equal(finding.data.directive, "connect-src");
  }));

  test("a name of the home network, said to be in the internet", async () => {
    const fetch = async () => { throw new TypeError("Failed to fetch"); };
    assert.equal((await ask("https://nas.local", { fetch })).key, "LOCAL_NETWORK_PLACE");
    assert.equal((await ask("https://nas.local", { fetch, place: "local" })).key, "NO_ANSWER_TLS");
  });
});

describe("with a real server", { skip: noServer }, () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => { server = await startServer({ args: ["--cors-origin", LOCAL] }); });
  after(() => server?.stop());
  /** @param {string} origin @param {object} [more] @param {object} [page] */
  const ask = (origin, more = {}, page = {}) => diagnose({ url: server.url, origin, fetch: /** @type {any} */ (browserFetch({ origin, ...page })), ...more });

  test("all is well", async () => {
    const finding = await ask(LOCAL, { token: server.officer, table: server.table });
    assert.deepEqual({ key: finding.key, ok: finding.ok }, { key: "OK", ok: true });
    assert.match(finding.data.table, /^Demo/);
    assert.match(finding.data.version, /./);
    assert.equal((await ask(LOCAL, { url: `${server.url}/` })).key, "OK", "a slash at the end does no harm");
  });

  test("a page that is not on the list", async () => {
    const finding = await ask("http://192.168.1.5:30000");
    assert.equal(finding.key, "CORS");
    assert.equal(finding.data.origin, "http://192.168.1.5:30000");
  });

  test("a wrong path before it", async () => {
    assert.equal((await ask(LOCAL, { url: `${server.url}/hantei` })).key, "SERVER_OLD");
  });

  test("a token that nobody holds, and a table that is none of its", async () => {
    assert.equal((await ask(LOCAL, { token: [...server.officer].reverse().join(""), table: server.table })).key, "TOKEN_UNKNOWN");
    assert.equal((await ask(LOCAL, { token: server.officer, table: "elsewhere" })).key, "TABLE_GONE");
  });

  test("a page out in the internet: the browser asks, refuses, allows", async () => {
    const origin = "https://vtt.example";
    const state = { now: "prompt" };
    const permission = async (/** @type {string} */ name) => {
      if (name !== "loopback-network") throw new TypeError("unknown");
      return state.now;
    };
    assert.equal((await ask(origin, { permission }, { space: "public", localNetwork: "prompt" })).key, "LOCAL_NETWORK_ASKS");
    state.now = "denied";
    assert.equal((await ask(origin, { permission }, { space: "public", localNetwork: "denied" })).key, "LOCAL_NETWORK_DENIED");
    state.now = "granted";
    assert.equal((await ask(origin, { permission }, { space: "public" })).key, "CORS", "one step further");
  });

  test("a proxy that holds the stream back", async () => {
    await other(async (request, response) => {
      if (request.method === "OPTIONS") {
        response.writeHead(204, { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization, content-type" }).end();
        return;
      }
      const answer = await fetch(server.url + request.url, { headers: { Authorization: request.headers.authorization ?? "" } });
      if (request.url?.startsWith("/v1/watch")) return answer.body?.cancel(); // it waits for more
      response.writeHead(answer.status, { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization, content-type" });
      response.end(await answer.text());
    }, async url => {
      const finding = await ask(LOCAL, { url, token: server.officer, table: server.table, patience: 1000 });
      assert.equal(finding.key, "STREAM_HELD_UP");
    });
  });
});

test("refusals say themselves what they mean", () => {
  const told = (/** @type {string} */ reason, status = 0) => findingOf(new HanteiError(reason, "words", { status })).key;
  assert.equal(told("TOKEN_UNKNOWN", 401), "TOKEN_UNKNOWN");
  assert.equal(told("TABLE_DELETED"), "TABLE_GONE");
  assert.equal(told("NOT_YOUR_SEAT", 403), "REFUSED");
  assert.equal(told("UNREACHABLE"), "UNREACHABLE");
  assert.equal(findingOf(new Error("x")).key, "UNREACHABLE");
});

test("a port that speaks no HTTP at all", async () => {
  const server = createTcpServer(socket => socket.end("SSH-2.0\r\n"));
  await new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  try {
    const { port } = /** @type {any} */ (server.address());
    const finding = await diagnose({ url: `http://127.0.0.1:${port}`, origin: LOCAL, fetch: /** @type {any} */ (browserFetch({ origin: LOCAL })) });
    assert.equal(finding.key, "NO_ANSWER");
  } finally {
    server.close();
  }
});
