/** Connecting, by the window and the badge, with a real server, several users, and outages. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { openBrowser } from "../harness/browser.mjs";
import { selfSigned } from "../harness/certificate.mjs";
import { Hantei } from "../harness/hantei.mjs";
import { openTable } from "../harness/table.mjs";
import { skip } from "../harness/skip.mjs";

/** What the browser says of calls that fail, which are what is tested here. */
const EXPECTED = /Failed to load resource|blocked by CORS policy|net::ERR|Permission was denied|ERR_INCOMPLETE_CHUNKED/;

/** @param {any} player */
const badge = (player, state) => player.page.waitForSelector(`.hantei-badge.status-${state}`);

/** Opens the window by the badge, and pairs. */
async function pair(player, { url, code } = {}) {
  if (!await player.page.$("#hantei-connection")) await player.page.click(".hantei-badge");
  await player.page.waitForSelector("#hantei-connection");
  if (url !== undefined) await player.page.fill("[name=url]", url);
  if (code !== undefined) await player.page.fill("[name=code]", code);
  await player.page.click("#hantei-connection [type=submit]");
}

/** The finding that the window shows. */
const finding = async player => {
  await player.page.waitForSelector("#hantei-connection .finding");
  return player.do(() => document.querySelector("#hantei-connection .finding").textContent.replace(/\s+/g, " ").trim());
};

/** Presses Test, and returns what was found. */
async function tested(player) {
  await player.page.click("#hantei-connection [data-action=test]:enabled");
  await player.page.waitForFunction(() => !document.querySelector("#hantei-connection .busy") && document.querySelector("#hantei-connection [data-action=test]:enabled"));
  return finding(player);
}

async function noFaults(table) {
  for (const player of table.players.values()) player.errors = player.errors.filter(e => !EXPECTED.test(e));
  assert.deepEqual(await table.faults(), {});
}

describe("connection", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable();
    gm = await table.join("gm");
    eri = await table.join("eri");
  });
  after(() => table?.close());
  afterEach(() => noFaults(table));

  test("until a server is named a player sees nothing of it, and the GM a badge", async () => {
    await badge(gm, "unset");
    assert.equal(await eri.page.$(".hantei-badge"), null);
  });

  test("a wrong address and a wrong code are explained in the window", async () => {
    await pair(gm, { url: "127.0.0.1:8080", code: "" });
    assert.match(await finding(gm), /does not say how to call.*needs https:\/\/ or http:\/\//);
    await pair(gm, { url: table.url, code: "" });
    assert.match(await finding(gm), /code is missing/);
    await pair(gm, { url: table.url, code: "AAAA-AAAA" });
    await gm.until(() => document.querySelector("#hantei-connection .finding")?.textContent.includes("does not fit"));
    assert.equal(await gm.do(() => game.settings.get("hantei", "server").url), "", "what does not work is not kept");
  });

  test("the GM takes the seat, and then the player sees that there is one to take", async () => {
    await pair(gm, { url: `${table.url}/`, code: (await table.pairingCode("gm")).toLowerCase() });
    await badge(gm, "live");
    await gm.page.waitForSelector("#hantei-connection .status-live dl");
    assert.match(await gm.do(() => document.querySelector("#hantei-connection dl").innerText), /Friday[^]*GM \(GM\)/);
    await gm.until(() => document.querySelector("[name=code]").value === ""); // the code is used up
    assert.match(await tested(gm), /^The server answers/);

    await badge(eri, "unpaired");
    await pair(eri, { code: await table.pairingCode("eri") });
    await badge(eri, "live");
    assert.equal(await eri.page.$("[name=url]"), null, "the address is the GM's");
    await eri.page.waitForSelector("#hantei-connection .status-live dl");
    assert.match(await eri.do(() => document.querySelector("#hantei-connection dl").innerText), /Nurse/);
    assert.equal(await eri.do(() => game.modules.get("hantei").api.session.isGM), false);
  });

  test("the token is in the browser alone", async () => {
    await gm.until(({ gm, eri, seats }) => game.users.get(gm).getFlag("hantei", "seat") === seats.gm.id && game.users.get(eri).getFlag("hantei", "seat") === seats.eri.id,
      { gm: gm.id, eri: eri.id, seats: table.seats });
    assert.equal(await eri.do(() => game.settings.get("hantei", "table")), table.id);
    const kept = await eri.do(() => JSON.stringify({ ...localStorage }));
    assert.match(kept, /hts_/);
    for (const name of ["gm", "eri"]) assert.doesNotMatch(JSON.stringify(table.world.snapshot(table.things.users[name])), /hts_|htp_/);
    assert.doesNotMatch(await eri.do(() => new XMLSerializer().serializeToString(document)), /hts_/);
  });

  test("an outage: one toast, then it comes back by itself and nothing is lost", async () => {
    const events = () => eri.do(() => {
      window.rolled = [];
      game.modules.get("hantei").api.session.on("events", ({ events }) => { for (const e of events) if (e.name === "rolled") window.rolled.push(e.eventId); });
    });
    await events();
    await table.as("gm", "POST", `/v1/tables/${table.id}:roll`, { formula: "1d6" });
    await eri.until(() => window.rolled.length === 1);
    await table.hantei.kill();
    await badge(eri, "away");
    await eri.until(() => ui.notifications.shown.length > 0, null, { timeout: 8000 });
    await eri.page.waitForSelector("#hantei-connection .finding.wrong");
    assert.match(await finding(eri), /Nobody answers/);
    await table.hantei.start();
    await table.as("gm", "POST", `/v1/tables/${table.id}:roll`, { formula: "1d6" });
    await eri.do(() => window.dispatchEvent(new Event("online"))); // do not wait for the pause
    await badge(eri, "live");
    await eri.until(() => window.rolled.length === 2);
    assert.equal(await eri.do(() => new Set(window.rolled).size), 2);
    assert.equal((await eri.notifications()).length, 1);
    assert.equal(await eri.page.$("#hantei-connection .finding"), null, "it is over");
  });

  test("a page that is loaded anew goes on from what it has shown", async () => {
    await eri.do(() => {
      const { session } = game.modules.get("hantei").api;
      session.presented(session.view.cursor);
    });
    await table.as("gm", "POST", `/v1/tables/${table.id}:roll`, { formula: "1d4", text: "meanwhile" });
    const before = eri.requests().length;
    await eri.reload();
    await badge(eri, "live");
    const watch = eri.requests().slice(before).map(r => JSON.stringify(r)).find(r => r.includes("/v1/watch"));
    const kept = await eri.do(() => Object.values(game.settings.get("hantei", "cursors"))[0]);
    assert.ok(watch.includes(encodeURIComponent(kept.cursor)), "the stream began elsewhere");
    assert.equal(kept.table, table.id);
  });

  test("a seat that was taken away is told so, and a new code helps", async () => {
    const { seat, pairingCode } = await table.as("gm", "POST", `/v1/tables/${table.id}/seats`, { name: "guest", role: "SEAT_ROLE_OBSERVER" });
    const jun = await table.join("jun");
    await badge(jun, "unpaired");
    await pair(jun, { code: pairingCode.code });
    await badge(jun, "live");
    await table.as("gm", "POST", `/v1/tables/${table.id}/seats/${seat.id}:revoke`, {});
    await badge(jun, "refused");
    assert.match(await finding(jun), /does not know your seat any more/);
    await pair(jun, { code: await table.pairingCode("jun") });
    await badge(jun, "live");
  });

  test("whoever leaves the table is forgotten, in this browser", async () => {
    const jun = table.players.get("jun");
    await jun.page.click("#hantei-connection [data-action=leave]:enabled");
    await jun.page.click("dialog [data-action=yes], .dialog [data-action=yes]");
    await badge(jun, "unpaired");
    assert.doesNotMatch(await jun.do(() => JSON.stringify({ ...localStorage })), /hts_/);
  });
});

describe("from other pages", { skip }, () => {
  let table;
  before(async () => { table = await openTable(); });
  after(() => table?.close());

  test("a page that the server does not list, with what to write", async () => {
    const gm = await table.enter("gm");
    table.origin = table.origin.replace("127.0.0.1", "localhost");
    await gm.open();
    await pair(gm, { url: table.url, code: await table.pairingCode("gm") });
    await gm.until(() => document.querySelector("#hantei-connection .finding")?.textContent.includes("does not let this page in"));
    assert.ok((await finding(gm)).includes(`--cors-origin ${table.origin}`));
    await noFaults(table);
  });
});

describe("over TLS", { skip }, () => {
  test("a page out in the internet: the browser has to be allowed first, and mixed content is refused", async () => {
    const table = await openTable({ tls: { ...await selfSigned(), host: "foundry.test" } });
    try {
      await table.browser.close();
      const { port } = new URL(table.origin);
      table.browser = await openBrowser(["--host-resolver-rules=MAP *.test 127.0.0.1", `--ip-address-space-overrides=127.0.0.1:${port}=public`]);
      const gm = await table.join("gm");
      await gm.page.click(".hantei-badge");
      await gm.page.waitForSelector("#hantei-connection");
      await gm.page.fill("[name=url]", table.url.replace("127.0.0.1", "hantei.test"));
      assert.match(await tested(gm), /browser forbids it/);
      assert.equal(gm.requests().length, 0, "it was not even tried");
      await gm.page.fill("[name=url]", table.url);
      assert.match(await tested(gm), /browser (asks whether|was told not to let)/);
      await gm.context.grantPermissions(["local-network-access"], { origin: table.origin });
      assert.match(await tested(gm), /^The server answers/);
      // Where a name leads only the GM can say; then the browser lets http through.
      await gm.page.fill("[name=url]", table.url.replace("127.0.0.1", "hantei.test"));
      await gm.page.selectOption("[name=place]", "loopback");
      assert.match(await tested(gm), /^The server answers/);
      await noFaults(table);
    } finally {
      await table.close();
    }
  });

  test("a certificate that the browser does not trust, and http where https is wanted", async () => {
    const table = await openTable({ hantei: false });
    const tls = await selfSigned();
    const hantei = await new Hantei({ origins: [table.origin], tls }).start();
    try {
      const gm = await table.join("gm", { ignoreHTTPSErrors: false });
      await gm.page.click(".hantei-badge");
      await gm.page.waitForSelector("#hantei-connection");
      await gm.page.fill("[name=url]", hantei.url);
      assert.match(await tested(gm), /does not trust its certificate/);
      const eri = await table.enter("gm2");
      await eri.open();
      await eri.page.click(".hantei-badge");
      await eri.page.waitForSelector("#hantei-connection");
      await eri.page.fill("[name=url]", hantei.url.replace("https:", "http:"));
      assert.match(await tested(eri), /The server wants https/);
      await noFaults(table);
    } finally {
      await Promise.all([table.close(), hantei.stop()]);
    }
  });
});
