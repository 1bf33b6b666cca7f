/**
 * The fields of the documents that the stand-in knows, with their defaults. Both the
 * world and the pages read it. Foundry drops a field that it does not know; the
 * stand-in refuses it, since whoever writes one expects it to be kept.
 */

const OWNED = { ownership: { default: 0 }, flags: {} };

/** Documents that stand by themselves and those inside others. */
export const DEFAULTS = {
  User: { name: "", role: 1, password: "", color: "#ffffff", pronouns: "", character: null, avatar: null, hotbar: {}, permissions: {}, flags: {} },
  Setting: { key: "", value: "", user: null },
  Folder: { name: "", type: "", folder: null, sort: 0, color: null, flags: {} },
  Actor: { name: "", type: "character", img: "icons/mystery.svg", system: {}, prototypeToken: {}, items: [], effects: [], folder: null, sort: 0, ...OWNED },
  Item: { name: "", type: "item", img: "icons/mystery.svg", system: {}, effects: [], folder: null, sort: 0, ...OWNED },
  ActiveEffect: { name: "", img: null, icon: null, type: "base", system: {}, changes: [], disabled: false, duration: {}, description: "", origin: null, tint: "#ffffff", transfer: true, statuses: [], sort: 0, flags: {} },
  JournalEntry: { name: "", pages: [], folder: null, sort: 0, ...OWNED },
  JournalEntryPage: { name: "", type: "text", text: {}, title: {}, sort: 0, ...OWNED },
  Macro: { name: "", type: "script", img: "icons/mystery.svg", author: null, scope: "global", command: "", folder: null, sort: 0, ...OWNED },
  ChatMessage: { type: "base", system: {}, author: null, timestamp: 0, flavor: "", title: "", content: "", speaker: { scene: null, actor: null, token: null, alias: "" }, whisper: [], blind: false, rolls: [], sound: null, emote: false, style: 0, flags: {} },
  Scene: {
    name: "", active: false, navigation: true, navName: "", navOrder: 0, width: 2000, height: 1500, padding: 0, background: { src: null }, backgroundColor: "#999999",
    grid: { type: 1, size: 100, distance: 5, units: "ft", style: "solidLines", color: "#000000", alpha: 0.2 },
    tokenVision: false, fog: {}, tokens: [], walls: [], drawings: [], tiles: [], regions: [], lights: [], notes: [], sounds: [], templates: [], levels: [], folder: null, sort: 0, ...OWNED,
  },
  Token: {
    name: "", displayName: 0, displayBars: 0, actorId: null, actorLink: false, delta: null, x: 0, y: 0, elevation: 0, width: 1, height: 1, shape: 4, rotation: 0, sort: 0, alpha: 1,
    texture: { src: "icons/mystery.svg", scaleX: 1, scaleY: 1, tint: "#ffffff" }, hidden: false, disposition: -1, lockRotation: false, locked: false,
    bar1: { attribute: null }, bar2: { attribute: null }, light: {}, sight: { enabled: false, range: 0 }, ring: {}, movementAction: null, level: null, flags: {},
  },
  ActorDelta: { name: null, type: null, img: null, system: {}, items: [], effects: [], ownership: null, flags: {} },
  Wall: { c: [0, 0, 0, 0], light: 20, move: 20, sight: 20, sound: 20, dir: 0, door: 0, ds: 0, flags: {} },
  Drawing: { author: null, shape: {}, x: 0, y: 0, elevation: 0, sort: 0, rotation: 0, fillType: 0, fillColor: null, fillAlpha: 0.5, strokeWidth: 8, strokeColor: null, strokeAlpha: 1, text: "", fontSize: 48, textColor: "#ffffff", hidden: false, locked: false, interface: false, flags: {} },
  Tile: { x: 0, y: 0, width: 0, height: 0, elevation: 0, sort: 0, rotation: 0, alpha: 1, hidden: false, locked: false, texture: {}, flags: {} },
  Region: { name: "", color: "#ffffff", shapes: [], elevation: {}, behaviors: [], visibility: 0, locked: false, level: null, flags: {} },
  AmbientLight: { x: 0, y: 0, config: {}, hidden: false, flags: {} },
  AmbientSound: { x: 0, y: 0, path: null, hidden: false, flags: {} },
  Note: { x: 0, y: 0, entryId: null, text: "", flags: {} },
  Combat: { type: "base", system: {}, scene: null, groups: [], combatants: [], active: false, round: 0, turn: 0, sort: 0, flags: {} },
  Combatant: { type: "base", system: {}, actorId: null, tokenId: null, sceneId: null, name: "", img: null, initiative: null, hidden: false, defeated: false, group: null, flags: {} },
};

/** Which documents lie inside which, under what name. */
export const EMBEDDED = {
  Scene: { Token: "tokens", Wall: "walls", Drawing: "drawings", Tile: "tiles", Region: "regions", AmbientLight: "lights", AmbientSound: "sounds", Note: "notes" },
  Actor: { Item: "items", ActiveEffect: "effects" },
  ActorDelta: { Item: "items", ActiveEffect: "effects" },
  Item: { ActiveEffect: "effects" },
  JournalEntry: { JournalEntryPage: "pages" },
  Combat: { Combatant: "combatants" },
};

/** The collections of the world itself. */
export const PRIMARY = ["User", "Setting", "Folder", "Actor", "Item", "JournalEntry", "Macro", "ChatMessage", "Scene", "Combat"];

export const isId = id => /^[a-zA-Z0-9]{16}$/.test(id);

const plain = value => value !== null && typeof value === "object" && !Array.isArray(value);

/** Spreads keys with dots: {"a.b": 1} becomes {a: {b: 1}}. */
export function expand(data) {
  if (!plain(data)) return data;
  const out = {};
  for (const [key, value] of Object.entries(data)) {
    const path = key.split(".");
    let at = out;
    for (const step of path.slice(0, -1)) at = at[step] = plain(at[step]) ? at[step] : {};
    const last = path.at(-1);
    const inner = expand(value);
    at[last] = plain(at[last]) && plain(inner) ? merge(at[last], inner) : inner;
  }
  return out;
}

/** Puts a change into data: objects are joined, "-=key" takes a key away, all else replaces. */
export function merge(data, change) {
  for (const [key, value] of Object.entries(change)) {
    if (key.startsWith("-=")) delete data[key.slice(2)];
    else if (plain(value) && plain(data[key])) merge(data[key], value);
    else if (plain(value)) data[key] = merge({}, value);
    else data[key] = value;
  }
  return data;
}

/** What of a change differs from the data; undefined if nothing does. */
export function difference(data, change) {
  const out = {};
  for (const [key, value] of Object.entries(change)) {
    if (key.startsWith("-=")) {
      if (key.slice(2) in (data ?? {})) out[key] = value;
    } else if (plain(value) && plain(data?.[key])) {
      const inner = difference(data[key], value);
      if (inner) out[key] = inner;
    } else if (JSON.stringify(value) !== JSON.stringify(data?.[key])) {
      out[key] = value;
    }
  }
  return Object.keys(out).length ? out : undefined;
}

/** Complains about a field that documents of this name do not have. */
export function known(name, data) {
  const fields = DEFAULTS[name];
  if (!fields) throw new Error(`the stand-in has no ${name} documents`);
  for (const key of Object.keys(data)) {
    if (key === "_id" || key === "_stats" || key.replace(/^-=/, "") in fields) continue;
    throw new Error(`${name} has no field "${key}": Foundry would drop it silently`);
  }
}

/** The data of a new document, complete. */
export function complete(name, data) {
  const change = expand(data);
  known(name, change);
  return merge(structuredClone(DEFAULTS[name]), structuredClone(change));
}
