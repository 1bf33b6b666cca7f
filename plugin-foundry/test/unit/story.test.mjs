import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "../../scripts/present/story.mjs";

const event = (eventId, stepId) => ({ eventId, stepId });
const ids = events => events?.map(e => e.eventId);

/** A server with a past; it keeps what it was asked. */
function server(past) {
  const asked = [];
  return {
    asked,
    call: async (verb, path) => {
      asked.push(new URL(path, "http://x").searchParams.get("cursor"));
      if (past instanceof Error) throw past;
      return { events: past };
    },
  };
}

test("what the stream brings is kept back until it is shown", () => {
  const story = new Story(server([]).call, "t");
  assert.equal(story.of("s"), undefined);
  const events = [event("a", "s"), event("b", "s"), event("c", "r")];
  story.tell(events);
  assert.deepEqual(ids(story.of("s")), []);
  story.show([events[1]]);
  assert.deepEqual(ids(story.of("s")), ["b"]);
  story.show(events);
  assert.deepEqual(ids(story.of("s")), ["a", "b"]);
  assert.deepEqual(ids(story.of("r")), ["c"]);
});

test("what is told twice is there once, and stays seen", () => {
  const story = new Story(server([]).call, "t");
  story.tell([event("a", "s")]);
  story.show([event("a", "s")]);
  story.tell([event("a", "s")]);
  assert.deepEqual(ids(story.of("s")), ["a"]);
});

test("the past is read once for all that it brings, and seen at once", async () => {
  const { call, asked } = server([event("a", "s"), event("b", "r")]);
  const story = new Story(call, "t");
  await Promise.all([story.find({ step: "s", cursor: "c1" }), story.find({ step: "r", cursor: "c2" })]);
  assert.deepEqual(asked, ["c1"]);
  assert.deepEqual(ids(story.of("s")), ["a"]);
  assert.deepEqual(ids(story.of("r")), ["b"]);
});

test("of what this seat was not told there is nothing, and it is not asked again", async () => {
  const { call, asked } = server([event("a", "s")]);
  const story = new Story(call, "t");
  await story.find({ step: "secret", cursor: "c1" });
  await story.find({ step: "secret", cursor: "c1" });
  assert.deepEqual(ids(story.of("secret")), []);
  assert.deepEqual(asked, ["c1"]);
});

test("what is read of the past does not bring out what is kept back", async () => {
  const story = new Story(server([event("a", "s"), event("b", "r")]).call, "t");
  story.tell([event("a", "s")]);
  await story.find({ step: "r", cursor: "c" });
  assert.deepEqual(ids(story.of("s")), []);
});

test("a reading that failed is told, and can be tried again", async () => {
  const failing = new Story(server(new Error("away")).call, "t");
  await assert.rejects(failing.find({ step: "s", cursor: "c" }), /away/);
  assert.equal(failing.of("s"), undefined);
  await assert.rejects(failing.find({ step: "s", cursor: "c" }), /away/);
});

test("what was taken back is known once the undo is shown, and holds again when that is taken back", () => {
  const story = new Story(server([]).call, "t");
  const attack = event("a", "s");
  const undo = { ...event("u", "t"), undoes: ["a"] };
  const redo = { ...event("r", "v"), undoes: ["u"], redoes: ["a"] };
  story.tell([attack, undo]);
  story.show([attack]);
  assert.equal(story.undoneBy("a"), undefined);
  story.show([undo]);
  assert.equal(story.undoneBy("a"), undo);
  story.tell([redo]);
  assert.equal(story.undoneBy("a"), undo);
  story.show([redo]);
  assert.equal(story.undoneBy("a"), undefined);
  assert.equal(story.undoneBy("u"), redo);
});

test("whatever the order in which the log was read, the undo that stands is the one that is named", async () => {
  const first = { ...event("u1", "t"), undoes: ["a"] };
  const back = { ...event("r", "v"), undoes: ["u1"], redoes: ["a"] };
  const second = { ...event("u2", "w"), undoes: ["a"], redoes: [] };
  const story = new Story(server([second, back, first, event("a", "s")]).call, "t");
  await story.find({ step: "s", cursor: "c" });
  assert.equal(story.undoneBy("a"), second);
});
