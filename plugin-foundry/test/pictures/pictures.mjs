/**
 * Makes the README's pictures, in English and Japanese, of the shipped files in the
 * stand-in Foundry: `npm run pictures`. Foundry's own frame looks otherwise.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { seated } from "../e2e/seated.mjs";
import { openTable } from "../harness/table.mjs";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../../pictures");
const MOST_BYTES = 120_000;
const MOST_WIDTH = 900;

/** What the table is called in Japanese. @type {Record<string, string>} */
const NAMES = { nurse: "看護師", officer: "警官", thug: "ごろつき" };
const LURKER = "潜む影";

/** Ends without pictures where Japanese would be boxes. */
function needJapanese() {
  const fonts = execFileSync("fc-list", [":lang=ja", "family"], { encoding: "utf8" }).trim();
  if (fonts) return;
  console.error("There is no font with Japanese on this machine (fc-list :lang=ja is empty): install one, for example fonts-ipafont-gothic.");
  process.exit(1);
}

/** Takes a picture of an element, small enough for a page that people read. */
async function take(player, selector, name) {
  const element = player.page.locator(selector).last();
  await player.do(() => { document.activeElement?.blur(); document.getElementById("notifications")?.replaceChildren(); });
  const { width } = await element.boundingBox();
  const path = join(FOLDER, `${name}.png`);
  await element.screenshot({ path, animations: "disabled" });
  const { size } = statSync(path);
  if (width > MOST_WIDTH || size > MOST_BYTES) throw new Error(`${name}: ${width} wide, ${size} bytes`);
  console.log(`${name}.png`, `${Math.round(width)} wide`, `${Math.round(size / 1024)} kB`);
}

async function inJapanese(table) {
  const { actors, tokens, scene } = table.things;
  table.world.perform({ action: "update", name: "Token", parent: `Scene.${scene._id}`, data: [{ _id: tokens.lurker._id, name: LURKER }] }, null);
  for (const [id, name] of Object.entries(NAMES)) {
    await table.as("gm", "PATCH", `/v1/tables/${table.id}/characters/${id}`, { name, updateMask: "name" });
    table.world.perform({ action: "update", name: "Actor", data: [{ _id: actors[id]._id, name }] }, null);
    table.world.perform({ action: "update", name: "Token", parent: `Scene.${scene._id}`, data: [{ _id: tokens[id]._id, name }] }, null);
  }
}

const shut = (player, id) => player.do(id => foundry.applications.instances.get(id)?.close({ animate: false }), id);

async function pictures(language) {
  const table = await openTable({ language });
  const name = what => `${what}-${language}`;
  try {
    if (language === "ja") await inJapanese(table);
    const gm = await table.join("gm");
    await gm.page.click(".hantei-badge");
    await gm.page.fill("#hantei-connection [name=url]", "https://vtt.example/hantei");
    await gm.page.fill("#hantei-connection [name=code]", "7KQM-X2VD");
    await take(gm, "#hantei-connection", name("connection"));
    await gm.page.fill("#hantei-connection [name=url]", table.url);
    await gm.page.fill("#hantei-connection [name=code]", await table.pairingCode("gm"));
    await gm.page.click("#hantei-connection [type=submit]");
    await gm.page.waitForSelector(".hantei-badge.status-live");
    await shut(gm, "hantei-connection");
    table.named = true;

    await gm.page.click("#sidebar [data-tab=settings]");
    await gm.page.click('[data-action=openSubmenu][data-key="hantei.links"]');
    await gm.page.click(`[data-action=code][data-seat="${table.seats.eri.id}"]`);
    await gm.page.click("#hantei-links [data-action=match]");
    await gm.page.waitForSelector("#hantei-links .finding.ok");
    await take(gm, "#hantei-links", name("links"));
    await gm.page.click("#hantei-links [type=submit]");
    await gm.until(() => canvas.scene.tokens.filter(t => game.modules.get("hantei").api.characterOf(t)).length === 3);
    await shut(gm, "hantei-links");
    await gm.page.click("#sidebar [data-tab=chat]");

    const eri = await seated(table, "eri");
    const positions = [["nurse", 7, 4], ["officer", 9, 4], ["thug", 8, 4]].map(([character, x, y]) => ({ character, square: { x, y } }));
    await table.act("gm", { coc: { startCombat: { combatants: ["nurse", "officer", "thug"], positions } } }, { dice: ["1D100=10", "1D100=90"] });
    await table.act("jun", { coc: { endTurn: {} } }, { actor: "officer" });
    await eri.until(() => session.view.encounter?.turn?.[0] === "nurse" && session.view.encounter.step === "actions");
    await eri.do(() => {
      canvas.tokens.placeables.find(t => game.modules.get("hantei").api.characterOf(t.document) === "thug").setTarget(true);
      game.modules.get("hantei").api.openActions("nurse");
    });
    await eri.page.waitForSelector("#hantei-actions [data-group='group.combat'] button");
    await eri.page.click("#hantei-actions [data-group='group.combat'] button");
    await eri.page.waitForSelector("#hantei-actions .hantei-form");
    await take(eri, "#hantei-actions", name("actions"));
    await shut(eri, "hantei-actions");
    await eri.do(() => game.modules.get("hantei").api.openSheet("nurse"));
    await eri.page.waitForSelector("#hantei-sheet-nurse [data-stat=spot]");
    await take(eri, "#hantei-sheet-nurse", name("sheet"));
    await shut(eri, "hantei-sheet-nurse");

    await table.act("eri", { coc: { endTurn: {} } }, { actor: "nurse" });
    await table.act("jun", { coc: { attack: { weapon: "baton", target: "thug" } } }, { actor: "officer", dice: ["1D100=3"] });
    await table.answer("gm", "thug", "dodge", { dice: ["1D100=99", "1D6=1", "1D4=1"] });
    const told = player => player.until(() => [...document.querySelectorAll(".hantei-card .row")].some(r => /COC-DEF-09/.test(r.textContent)));
    await Promise.all([told(gm), told(eri)]);
    await take(gm, ".chat-log > .hantei-message", name("card-gm"));
    await take(eri, ".chat-log > .hantei-message", name("card-player"));

    await table.act("jun", { coc: { endTurn: {} } }, { actor: "officer" });
    await table.act("gm", { coc: { attack: { weapon: "knife", target: "nurse" } } }, { actor: "thug", dice: ["1D100=12"] });
    await eri.page.waitForSelector(".hantei-prompt button[data-choice=dodge]");
    await take(eri, ".hantei-prompt", name("prompt"));
  } finally {
    await table.close();
  }
}

needJapanese();
mkdirSync(FOLDER, { recursive: true });
for (const language of ["en", "ja"]) await pictures(language);
