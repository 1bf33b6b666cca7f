/** What the stand-in promises about windows, the canvas and the tools around it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fixture } from "../harness/fixture.mjs";
import { skip } from "../harness/skip.mjs";
import { openTable, picture } from "../harness/table.mjs";

describe("windows and the canvas", { skip }, () => {
  let table, gm, eri;
  before(async () => {
    table = await openTable({ modules: fixture, hantei: false });
    [gm, eri] = [await table.join("gm"), await table.join("eri")];
  });
  after(() => table?.close());

  test("a window is drawn from its template, acts, is drawn anew and keeps its focus", async () => {
    await eri.page.keyboard.press("Shift+KeyH");
    const panel = eri.page.locator("#proof-panel");
    await panel.locator("[data-action=press]").click();
    await panel.getByText("Presses: 1").waitFor();
    assert.equal(await panel.locator(".text").innerText(), "<b>no markup</b>");
    await panel.locator("input").focus();
    await eri.do(() => proof.panel.render());
    assert.equal(await eri.do(() => document.activeElement.name), "note");
    assert.equal(await panel.locator(".proof-panel").evaluate(e => getComputedStyle(e).color), "rgb(17, 34, 51)", "the module's styles are there");
    await panel.locator(".window-header [data-action=close]").click();
    await panel.waitFor({ state: "detached" });
  });

  test("a window that was never shown is not drawn without force", async () => {
    assert.equal(await eri.do(() => new proof.panel.constructor({ id: "proof-quiet" }).render().then(a => a.rendered)), false);
  });

  test("a window is drawn and closed in turn, as was asked, and counts as being drawn when its context is there", async () => {
    assert.deepEqual(await eri.do(async () => {
      const { NONE, RENDERING, RENDERED, CLOSED } = foundry.applications.api.ApplicationV2.RENDER_STATES;
      const name = state => ({ [NONE]: "none", [RENDERING]: "rendering", [RENDERED]: "rendered", [CLOSED]: "closed" })[state];
      const seen = [];
      const look = (what, app) => seen.push(`${what}: ${name(app.state)}`);
      class Turn extends proof.panel.constructor {
        async _prepareContext() {
          look("context", this);
          return super._prepareContext();
        }
        async _renderHTML(...args) {
          look("drawing", this);
          return super._renderHTML(...args);
        }
        _onClose() {
          look(`closed ${this.element}`, this);
        }
      }
      const app = new Turn({ id: "proof-turn" });
      await Promise.all([app.render({ force: true }), app.close({ animate: false }), app.render(), app.close({ animate: false })]);
      return [...seen, document.getElementById("proof-turn")];
    }), ["context: none", "drawing: rendering", "closed null: closed", null]);
  });

  test("a dialog is answered, or closed without an answer", async () => {
    const ask = () => eri.do(() => foundry.applications.api.DialogV2.wait({
      window: { title: "PROOF.Ask" }, content: "<p>PROOF <script>window.hit = 1</script></p>",
      buttons: [{ action: "dodge", label: "PROOF.Dodge", default: true }, { action: "stand", label: "PROOF.Stand", callback: () => ({ stood: true }) }],
    }));
    const first = ask();
    await eri.page.getByRole("button", { name: "Dodge" }).click();
    assert.equal(await first, "dodge");
    const second = ask();
    await eri.page.getByRole("button", { name: "Stand" }).click();
    assert.deepEqual(await second, { stood: true });
    const third = ask();
    await eri.page.locator("dialog.application [data-action=close]").click();
    assert.equal(await third, null);
    const input = eri.do(() => foundry.applications.api.DialogV2.input({ window: { title: "PROOF.Ask" }, content: '<input type="number" name="n" value="4"><input type="checkbox" name="sure" checked>' }));
    await eri.page.getByRole("button", { name: "Confirm" }).click();
    assert.deepEqual(await input, { n: 4, sure: true });
  });

  test("a token walks past its waypoints on every page, and where it is seen is not where it will be", async () => {
    for (const player of [gm, eri]) {
      await player.do(() => {
        window.seen = [];
        Hooks.on("refreshToken", t => t.document.name === "Nurse" && window.seen.push([t.x, t.y]));
      });
    }
    assert.equal(await gm.do(async id => {
      const document = canvas.scene.tokens.get(id);
      let before = false;
      Hooks.once("moveToken", () => { before = document._source.x === 700 && document.x < 700; });
      const moved = await document.move([{ x: 400, y: 500 }, { x: 700, y: 500 }], { method: "api", autoRotate: false, constrainOptions: { ignoreWalls: true } });
      await document.object.movementAnimationPromise;
      return moved && before && document.x === 700 && document.object.movementAnimationPromise === null;
    }, table.things.tokens.nurse._id), true);
    await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").x === 700);
    for (const player of [gm, eri]) {
      const seen = await player.do(() => window.seen);
      assert.ok(seen.some(([x, y]) => x === 400 && y === 500), JSON.stringify(seen));
      assert.deepEqual(seen.at(-1), [700, 500]);
    }
    assert.ok((await eri.do(() => proof.hooks)).includes("move Nurse 2"));
    assert.ok(!(await eri.do(() => proof.hooks)).some(h => h.startsWith("preMove")), "only the page that moves is asked first");
  });

  test("a hook may forbid a drag, and another's token cannot be dragged at all", async () => {
    await eri.drag("Nurse", { columns: 2 });
    await eri.until(() => proof.hooks.includes("preMove Nurse dragging"));
    assert.deepEqual(table.world.find(`Scene.${table.things.scene._id}.Token.${table.things.tokens.nurse._id}`).x, 700);
    await eri.drag("Officer", { columns: 2 });
    assert.ok(!(await eri.do(() => proof.hooks)).some(h => h.startsWith("preMove Officer")));
    await gm.drag("Nurse", { columns: 1 });
    await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").x === 800);
  });

  test("statuses are put on the actor and show on its tokens, on a token's own actor on that alone", async () => {
    await gm.do(id => game.actors.get(id).toggleStatusEffect("dead", { active: true, overlay: true }), table.things.actors.nurse._id);
    await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").effects.children.some(e => e.name === "dead"));
    await gm.do(id => game.actors.get(id).toggleStatusEffect("dead", { active: true }), table.things.actors.nurse._id);
    assert.equal(table.world.collections.Actor.get(table.things.actors.nurse._id).effects.length, 1, "twice is once");
    await gm.do(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").actor.toggleStatusEffect("prone", { active: true }));
    await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").effects.children.length === 1);
    assert.deepEqual((await eri.tokens()).Lurker.statuses, []);
    await gm.do(id => game.actors.get(id).toggleStatusEffect("dead", { active: false }), table.things.actors.nurse._id);
    await eri.until(() => !canvas.tokens.placeables.find(t => t.document.name === "Nurse").effects.children.length);
    await gm.reload();
    assert.deepEqual((await gm.tokens()).Thug.statuses, ["prone"]);
  });

  test("bars follow the actor's points, and a token's own actor has its own", async () => {
    await gm.do(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").actor.update({ "system.attributes.hp.value": 5 }));
    const bars = () => Object.fromEntries(canvas.tokens.placeables.map(t => [t.document.name, t.document.getBarAttribute("bar1").value]));
    await eri.until(() => canvas.tokens.placeables.find(t => t.document.name === "Thug").document.getBarAttribute("bar1").value === 5);
    assert.deepEqual(await eri.do(bars), { Nurse: 11, Officer: 13, Thug: 5, Lurker: 13 });
  });

  test("a hidden token is pale to the GM and absent to players", async () => {
    const look = p => p.do(() => { const t = canvas.tokens.placeables.find(t => t.document.name === "Lurker"); return [t.visible, t.alpha]; });
    assert.deepEqual(await look(gm), [true, 0.5]);
    assert.equal((await look(eri))[0], false);
  });

  test("words rise over a token, unless the user has turned that off", async () => {
    const speak = () => eri.do(() => canvas.interface.createScrollingText(canvas.tokens.placeables[0].center, "-3", { fill: 0xff0000 }).then(Boolean));
    assert.equal(await speak(), true);
    assert.deepEqual((await eri.said()).map(s => s.text), ["-3"]);
    await eri.do(() => game.settings.set("core", "scrollingStatusText", false));
    assert.equal(await speak(), false);
  });

  test("the HUD, the tools, the menu of a card, a command and the hotbar reach the module", async () => {
    await eri.click("Nurse", { button: "right" });
    await eri.page.locator("#token-hud .proof-step").click();
    await gm.until(() => canvas.tokens.placeables.find(t => t.document.name === "Nurse").document.elevation === 5);
    await eri.page.locator("#scene-controls-tools [data-tool=proof]").click();
    await eri.page.locator("#chat-message").fill("/proof shoot");
    await eri.page.locator("#chat-message").press("Enter");
    await eri.page.locator("#chat-message").fill("/unknown");
    await eri.page.locator("#chat-message").press("Enter");
    await eri.do(() => ChatMessage.create({ content: "A card" }));
    const id = await eri.message("A card");
    await eri.page.locator(`[data-message-id="${id}"]`).click({ button: "right" });
    await eri.page.locator(".context-item", { hasText: "Again" }).click();
    await eri.do(() => ui.hotbar.drop({ type: "proof" }, 3));
    await eri.page.locator("#hotbar [data-slot='3']", { hasText: "Proof" }).click();
    await eri.until(() => proof.hooks.includes("macro"));
    const hooks = await eri.do(() => proof.hooks);
    for (const call of ["tool", "command shoot", `again ${id}`]) assert.ok(hooks.includes(call), call);
    assert.match((await eri.notifications()).at(-1).message, /not a valid chat command/);
  });

  test("targets are the user's own", async () => {
    await eri.do(id => canvas.tokens.get(id).setTarget(true), table.things.tokens.thug._id);
    assert.deepEqual(await eri.do(() => game.user.targets.ids), [table.things.tokens.thug._id]);
    assert.deepEqual(await gm.do(() => game.user.targets.ids), []);
  });

  test("dice that fell elsewhere become a roll", async () => {
    const total = await gm.do(() => {
      const roll = Roll.fromData({ class: "Roll", formula: "2d6 + 1", evaluated: true, total: 10, terms: [
        { class: "Die", number: 2, faces: 6, results: [{ result: 4, active: true }, { result: 5, active: true }], evaluated: true },
        { class: "OperatorTerm", operator: "+", evaluated: true }, { class: "NumericTerm", number: 1, evaluated: true },
      ] });
      return ChatMessage.create({ content: "Thrown", rolls: [roll] }).then(m => m.rolls[0].total);
    });
    assert.equal(total, 10);
    const id = await eri.message("Thrown");
    assert.equal(await eri.page.locator(`[data-message-id="${id}"] .dice-total`).innerText(), "10");
  });

  test("a picture of it is a picture of the scene", async () => {
    const file = picture("harness");
    await gm.screenshot(file);
    assert.ok(readFileSync(file).length > 20_000);
    const colour = await gm.do(() => {
      const { x, y } = canvas.clientCoordinatesFromCanvas(canvas.tokens.placeables.find(t => t.document.name === "Officer").center);
      const { left, top } = canvas.app.view.getBoundingClientRect();
      const copy = document.createElement("canvas").getContext("2d");
      copy.drawImage(canvas.app.view, -(x - left), -(y - top));
      return [...copy.getImageData(0, 0, 1, 1).data];
    });
    assert.deepEqual(colour, [0x58, 0x70, 0x7f, 255], "the token's own colour where it stands");
  });

  test("no page failed on the way", async () => {
    assert.deepEqual(await table.faults(), {});
  });
});
