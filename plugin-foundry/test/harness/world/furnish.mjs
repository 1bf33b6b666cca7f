/** What every test finds in its world: users, actors and their tokens on a scene. */

/** Where an actor has its points, by the shape of the system. */
const SYSTEMS = {
  plain: (hp, max) => ({ attributes: { hp: { value: hp, max } } }),
  CoC7: (hp, max) => ({ attribs: { hp: { value: hp, max, min: 0, auto: true }, san: { value: 50, max: 99 }, mp: { value: 10, max: 10 } } }),
};

const BARS = { plain: "attributes.hp", CoC7: "attribs.hp" };

/** Ids that a failing test can be read by, and that order users always the same way. */
const id = word => word.padEnd(16, "0");

/** @param {import("./world.mjs").World} world */
export function furnish(world) {
  const system = SYSTEMS[world.system];
  const bar1 = { attribute: BARS[world.system] };
  const [gm, gm2, assistant, eri, jun, spectator] = world.make("User",
    { _id: id("gm"), name: "GM", role: 4, color: "#cc2222" }, { _id: id("gm2"), name: "Second GM", role: 4 }, { _id: id("assistant"), name: "Assistant", role: 3 },
    { _id: id("eri"), name: "Eri", role: 1, color: "#22aa55" }, { _id: id("jun"), name: "Jun", role: 1, color: "#2266cc" }, { _id: id("spectator"), name: "Spectator", role: 1 });
  const actor = (name, hp, owner) => ({ _id: id(name.toLowerCase()), name, type: "character", system: system(hp, hp), ownership: { default: 0, ...(owner && { [owner._id]: 3 }) } });
  const [nurse, officer, thug] = world.make("Actor", actor("Nurse", 11, eri), actor("Officer", 13, jun), actor("Thug", 13, null));
  world.perform({ action: "update", name: "User", data: [{ _id: eri._id, character: nurse._id }, { _id: jun._id, character: officer._id }] }, null);
  const token = (being, x, y, more) => ({ _id: id(`token${more.name ?? being.name}`), name: being.name, actorId: being._id, actorLink: true, x: x * 100, y: y * 100, displayName: 50, displayBars: 50, bar1, ...more });
  const scene = world.make("Scene", {
    _id: id("alley"), name: "Alley", active: true, width: 2000, height: 1400, backgroundColor: "#7a7466", ownership: { default: 2 },
    tokens: [
      token(nurse, 2, 3, { disposition: 1 }), token(officer, 4, 3, { disposition: 1 }), token(thug, 8, 4, { actorLink: false }), token(thug, 10, 6, { name: "Lurker", actorLink: false, hidden: true }),
    ],
  });
  return {
    users: { gm, gm2, assistant, eri, jun, spectator }, actors: { nurse, officer, thug }, scene,
    tokens: Object.fromEntries(scene.tokens.map(t => [t.name.toLowerCase(), t])),
  };
}
