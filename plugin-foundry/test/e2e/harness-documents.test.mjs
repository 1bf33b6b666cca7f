/** What the stand-in promises about documents: who may, who is told, what is kept. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fixture } from "../harness/fixture.mjs";
import { skip } from "../harness/skip.mjs";
import { openTable } from "../harness/table.mjs";

describe("documents", { skip }, () => {
  let table, gm, eri, jun;
  before(async () => {
    table = await openTable({ modules: fixture, hantei: false });
    [gm, eri, jun] = [await table.join("gm"), await table.join("eri"), await table.join("jun")];
  });
  after(() => table?.close());

  /** What the page says to something that it may not do. */
  const refused = (player, work, argument) => player.do(work, argument).then(() => "done", error => error.message);

  test("a message is shown to all, and drawn for each", async () => {
    await gm.do(() => ChatMessage.create({ content: "The door <b>opens</b>.", flags: { proof: { card: true } } }));
    await Promise.all([eri.message("The door opens"), gm.message("The door opens")]);
    assert.match((await gm.chat()).at(-1).text, /^The door opens\. \(GM\)$/);
    assert.match((await eri.chat()).at(-1).text, /^The door opens\. \(player\)$/);
  });

  test("markup of a message cannot run", async () => {
    await gm.do(() => ChatMessage.create({ content: 'Look: <img src="x" onerror="window.hit = 1"><script>window.hit = 1</script>' }));
    await eri.message("Look");
    assert.equal(await eri.do(() => window.hit), undefined);
  });

  test("a whisper is seen by whom it is for, and by nobody else", async () => {
    const { eri: whom } = table.things.users;
    await gm.do(id => ChatMessage.create({ content: "Only for you", whisper: [id] }), whom._id);
    await eri.message("Only for you");
    await gm.do(() => ChatMessage.create({ content: "For all, later" }));
    await jun.message("For all, later");
    assert.ok(!(await jun.chat()).some(m => m.text.includes("Only for you")));
  });

  test("whoever wrote a message may change it, a player not another's", async () => {
    const id = await gm.do(() => ChatMessage.create({ content: "By the GM" }).then(m => m.id));
    await eri.message("By the GM");
    assert.match(await refused(eri, id => game.messages.get(id).update({ content: "forged" }), id), /lacks permission to update ChatMessage/);
    assert.match(await refused(eri, id => game.messages.get(id).delete(), id), /lacks permission to delete/);
    await gm.do(id => game.messages.get(id).update({ content: "By the GM, again" }), id);
    await eri.message("By the GM, again");
    assert.match(await refused(eri, id => ChatMessage.create({ content: "as the GM", author: id }), table.things.users.gm._id), /lacks permission/);
    eri.errors.length = 0;
  });

  test("an id is given once", async () => {
    const make = () => ChatMessage.create({ _id: "aaaabbbbccccdddd", content: "Once" }, { keepId: true }).then(m => m.id);
    assert.equal(await gm.do(make), "aaaabbbbccccdddd");
    assert.match(await refused(gm, make), /already exists/);
    assert.match(await refused(gm, () => ChatMessage.create({ _id: "short", content: "?" }, { keepId: true })), /is no id/);
    assert.equal(table.world.log.filter(o => o.data[0]?.content === "Once").length, 1);
  });

  test("settings are kept where their scope says", async () => {
    await gm.do(() => game.settings.set("proof", "url", "https://a.test"));
    await eri.until(() => game.settings.get("proof", "url") === "https://a.test" && proof.hooks.includes("url https://a.test"));
    assert.match(await refused(eri, () => game.settings.set("proof", "url", "https://evil.test")), /lacks permission to update Setting/);
    assert.match(await refused(eri, () => game.settings.get("proof", "nothing")), /not a registered game setting/);
    await eri.do(() => Promise.all([game.settings.set("proof", "token", { world: "secret" }), game.settings.set("proof", "speed", 3)]));
    assert.deepEqual(await gm.do(() => [game.settings.get("proof", "token"), game.settings.get("proof", "speed")]), [{}, 1]);
    await eri.reload();
    assert.deepEqual(await eri.do(() => [game.settings.get("proof", "token"), game.settings.get("proof", "speed"), game.settings.get("proof", "url")]), [{ world: "secret" }, 3, "https://a.test"]);
    assert.ok(!JSON.stringify(table.world.snapshot(table.things.users.gm)).includes("secret"), "what the browser keeps does not reach the world");
  });

  test("a player changes of a fight the turn and the own initiative only", async () => {
    const { scene, tokens, actors } = table.things;
    await gm.do(({ scene, nurse, thug }) => Combat.create({ scene, active: true, combatants: [
      { tokenId: nurse._id, actorId: nurse.actorId, sceneId: scene, initiative: 12 }, { tokenId: thug._id, actorId: thug.actorId, sceneId: scene, initiative: 8 },
    ] }), { scene: scene._id, ...tokens });
    await eri.until(() => game.combat?.combatants.size === 2);
    await gm.do(() => game.combat.startCombat());
    await eri.until(() => game.combat.combatant?.name === "Nurse");
    await eri.do(() => game.combat.nextTurn());
    await gm.until(() => game.combat.combatant.name === "Thug");
    assert.deepEqual((await gm.do(() => proof.hooks)).filter(h => h.startsWith("turn")), ["turn 1.0", "turn 1.1"]);
    assert.match(await refused(eri, () => game.combat.update({ active: false })), /lacks permission to update Combat/);
    assert.match(await refused(eri, () => game.combat.turns[1].update({ initiative: 20 })), /lacks permission to update Combatant/);
    await eri.do(id => game.combat.getCombatantsByActor(game.actors.get(id))[0].update({ initiative: 5 }), actors.nurse._id);
    await gm.until(() => game.combat.turns[0].name === "Thug" && game.combat.combatant.name === "Thug");
    assert.ok(await gm.until(() => document.querySelector(".combat-tracker .combatant.active")?.textContent.includes("Thug")));
  });

  test("a field that Foundry does not know is refused", async () => {
    assert.match(await refused(gm, () => ChatMessage.create({ contents: "typo" })), /ChatMessage has no field "contents"/);
    assert.match(await refused(gm, () => game.user.setFlag("nowhere", "a", 1)), /Flag scope "nowhere"/);
  });

  test("what a module asks of Foundry that the stand-in lacks, fails", async () => {
    assert.match(await refused(gm, () => game.nothing), /has no game\.nothing/);
    assert.match(await refused(gm, () => foundry.applications.api.Dialog), /has no foundry\.applications\.api\.Dialog/);
    assert.match(await refused(gm, () => CONST.NOTHING), /has no CONST\.NOTHING/);
    assert.match(await refused(gm, () => game.messages.contents[0].text), /has no ChatMessage\.text/);
    assert.match(await refused(gm, () => new Roll("1d6").evaluate()), /must not roll/);
  });

  test("operations may be held back or lost on the way", async () => {
    const id = table.things.users.jun._id;
    table.server.hold(id);
    await gm.do(() => ChatMessage.create({ content: "Late words" }));
    await eri.message("Late words");
    assert.ok(!(await jun.do(() => game.messages.contents.some(m => m.content === "Late words"))));
    table.server.release(id);
    await jun.message("Late words");
    table.server.lose(id, o => o.name === "ChatMessage");
    await gm.do(() => ChatMessage.create({ content: "Lost words" }));
    table.server.lose(id, null);
    await gm.do(() => ChatMessage.create({ content: "Heard words" }));
    await jun.message("Heard words");
    assert.ok(!(await jun.do(() => game.messages.contents.some(m => m.content === "Lost words"))));
    await jun.reload();
    await jun.message("Lost words");
  });

  test("of two GMs one is the active one, and the other when that one leaves", async () => {
    const gm2 = await table.join("gm2");
    await gm.until(() => game.users.filter(u => u.active && u.isGM).length === 2);
    const actives = await Promise.all([gm, gm2].map(p => p.do(() => game.users.activeGM.isSelf)));
    assert.deepEqual(actives, [true, false]);
    const tab = await table.join("gm");
    assert.ok(await tab.do(() => game.users.activeGM.isSelf), "both tabs of a GM take themselves for the active one");
    await tab.page.close();
    await gm.page.close();
    await gm2.until(() => game.users.activeGM.isSelf);
    await gm.open();
    await gm2.page.close();
    await gm.until(() => !game.users.get("gm20000000000000").active);
  });

  test("queries reach another user's page and come back", async () => {
    assert.equal(await gm.do(id => game.users.get(id).query("proof.sum", { a: 2, b: 3 }), table.things.users.eri._id), 5);
    assert.match(await refused(gm, id => game.users.get(id).query("proof.none", {}), table.things.users.eri._id), /no query "proof.none"/);
    await gm.do(() => void game.socket.emit("module.proof", "hi"));
    await eri.until(() => proof.hooks.includes("socket hi"));
  });

  test("no page failed on the way", async () => {
    const faults = await table.faults();
    const unexpected = Object.values(faults).flat().filter(f => !/403|already exists|lacks permission|status of/.test(f));
    assert.deepEqual(unexpected, []);
  });
});
