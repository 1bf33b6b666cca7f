/** The stand-in's world without a browser: who may do what, and what is kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { furnish } from "../harness/world/furnish.mjs";
import { Refusal, World } from "../harness/world/world.mjs";

function furnished() {
  const world = new World();
  return { world, ...furnish(world) };
}

/** Whether the world does something for a user. */
function does(world, user, operation) {
  try {
    world.perform(operation, user._id);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

describe("what a user may do", () => {
  const { world, users, actors, scene, tokens } = furnished();
  const message = world.make("ChatMessage", { author: users.gm._id, content: "GM" });
  const combat = world.make("Combat", { combatants: [{ actorId: actors.nurse._id }, { actorId: actors.thug._id }] });
  const setting = world.make("Setting", { key: "a.b", value: "1" });
  const update = (name, id, change, parent) => ({ action: "update", name, parent, data: [{ _id: id, ...change }] });
  const create = (name, data, parent) => ({ action: "create", name, parent, data: [data] });
  const inScene = `Scene.${scene._id}`;
  const inCombat = `Combat.${combat._id}`;
  const deeds = {
    "write a message": [create("ChatMessage", { content: "x" }), "gm assistant eri jun"],
    "change the GM's message": [update("ChatMessage", message._id, { content: "y" }), "gm assistant"],
    "write in another's name": [create("ChatMessage", { content: "x", author: users.gm._id }), "gm assistant"],
    "change the world's setting": [update("Setting", setting._id, { value: "2" }), "gm assistant"],
    "make a setting of another user": [create("Setting", { key: "c.d", value: "1", user: users.gm._id }), "gm"],
    "change the own actor": [update("Actor", actors.nurse._id, { name: "N" }), "gm assistant eri"],
    "move the own token": [update("Token", tokens.nurse._id, { x: 0 }, inScene), "gm assistant eri"],
    "move an enemy's token": [update("Token", tokens.thug._id, { x: 0 }, inScene), "gm assistant"],
    "put an effect on the own actor": [create("ActiveEffect", { name: "e" }, `Actor.${actors.nurse._id}`), "gm assistant eri"],
    "put an effect on a token's own actor": [create("ActiveEffect", { name: "e" }, `${inScene}.Token.${tokens.thug._id}.ActorDelta`), "gm assistant"],
    "turn the fight": [update("Combat", combat._id, { round: 1, turn: 0 }), "gm assistant eri jun"],
    "flag the fight": [update("Combat", combat._id, { "flags.world.a": 1 }), "gm assistant"],
    "set the own initiative": [update("Combatant", combat.combatants[0]._id, { initiative: 1 }, inCombat), "gm assistant eri"],
    "hide the own combatant": [update("Combatant", combat.combatants[0]._id, { hidden: true }, inCombat), "gm assistant"],
    "make a token": [create("Token", { name: "t" }, inScene), "gm assistant"],
    "make a wall": [create("Wall", { c: [0, 0, 1, 1] }, inScene), "gm assistant"],
    "make a macro": [create("Macro", { name: "m" }), "gm assistant eri jun"],
    "rename a player": [update("User", users.jun._id, { name: "J" }), "gm"],
    "change the scene": [update("Scene", scene._id, { name: "s" }), "gm assistant"],
  };
  for (const [deed, [operation, who]] of Object.entries(deeds)) {
    test(deed, () => {
      const can = ["gm", "assistant", "eri", "jun"].filter(name => does(world, users[name], structuredClone(operation)));
      assert.equal(can.join(" "), who);
    });
  }
});

test("an operation that is refused in part does nothing", () => {
  const { world, users, actors } = furnished();
  const before = world.log.length;
  assert.ok(!does(world, users.eri, { action: "update", name: "Actor", data: [{ _id: actors.nurse._id, name: "A" }, { _id: actors.thug._id, name: "B" }] }));
  assert.equal(world.collections.Actor.get(actors.nurse._id).name, "Nurse");
  assert.equal(world.log.length, before);
});

test("updates tell what has changed and nothing else", () => {
  const { world, actors } = furnished();
  const { data } = world.perform({ action: "update", name: "Actor", data: [{ _id: actors.nurse._id, name: "Nurse", "system.attributes.hp.value": 3 }] }, null);
  assert.deepEqual(data, [{ _id: actors.nurse._id, system: { attributes: { hp: { value: 3 } } } }]);
  world.perform({ action: "update", name: "Actor", data: [{ _id: actors.nurse._id, "system.-=attributes": null }] }, null);
  assert.deepEqual(world.collections.Actor.get(actors.nurse._id).system, {});
});

test("a page gets the user's own settings and the world's", () => {
  const { world, users } = furnished();
  world.make("Setting", { key: "a.world", value: "1" }, { key: "a.user", value: "2", user: users.eri._id }, { key: "a.user", value: "3", user: users.jun._id });
  assert.deepEqual(world.snapshot(users.eri).collections.Setting.map(s => s.value), ["1", "2"]);
});
