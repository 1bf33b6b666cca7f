/** CONST and what Foundry adds to the language. */
import { strictTree } from "./strict.mjs";

export const CONST = strictTree("CONST", {
  USER_ROLES: { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 },
  USER_PERMISSIONS: { SETTINGS_MODIFY: {}, TOKEN_CREATE: {}, TOKEN_DELETE: {}, ACTOR_CREATE: {}, QUERY_USER: {}, MESSAGE_WHISPER: {}, MACRO_SCRIPT: {}, SHOW_RULER: {}, DRAWING_CREATE: {} },
  DOCUMENT_OWNERSHIP_LEVELS: { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 },
  TOKEN_DISPOSITIONS: { SECRET: -2, HOSTILE: -1, NEUTRAL: 0, FRIENDLY: 1 },
  TOKEN_DISPLAY_MODES: { NONE: 0, CONTROL: 10, OWNER_HOVER: 20, HOVER: 30, OWNER: 40, ALWAYS: 50 },
  CHAT_MESSAGE_STYLES: { OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 },
  DICE_ROLL_MODES: { PUBLIC: "publicroll", PRIVATE: "gmroll", BLIND: "blindroll", SELF: "selfroll" },
  DRAWING_FILL_TYPES: { NONE: 0, SOLID: 1, PATTERN: 2 },
  GRID_TYPES: { GRIDLESS: 0, SQUARE: 1, HEXODDR: 2, HEXEVENR: 3, HEXODDQ: 4, HEXEVENQ: 5 },
  KEYBINDING_PRECEDENCE: { PRIORITY: 0, NORMAL: 1, DEFERRED: 2 },
  TEXT_ANCHOR_POINTS: { CENTER: 0, BOTTOM: 1, TOP: 2, LEFT: 3, RIGHT: 4 },
  ACTIVE_EFFECT_MODES: { CUSTOM: 0, MULTIPLY: 1, ADD: 2, DOWNGRADE: 3, UPGRADE: 4, OVERRIDE: 5 },
  COMBAT_ANNOUNCEMENTS: ["startEncounter", "nextUp", "yourTurn"],
  WALL_SENSE_TYPES: { NONE: 0, LIMITED: 10, NORMAL: 20 },
  WALL_MOVEMENT_TYPES: { NONE: 0, NORMAL: 20 },
  WALL_DOOR_TYPES: { NONE: 0, DOOR: 1, SECRET: 2 },
  vtt: "Foundry VTT",
});

/** Foundry extends the language's own objects; the stand-in has those that were asked for. */
export function extendLanguage() {
  Math.clamp ??= (value, min, max) => Math.min(Math.max(value, min), max);
  Math.toRadians ??= degrees => (degrees * Math.PI) / 180;
  const add = (prototype, methods) => {
    for (const [name, value] of Object.entries(methods)) if (!(name in prototype)) Object.defineProperty(prototype, name, { value });
  };
  add(String.prototype, {
    capitalize() { return this.charAt(0).toUpperCase() + this.slice(1); },
    slugify({ replacement = "-" } = {}) { return this.toLowerCase().trim().replace(/[^a-z0-9]+/g, replacement).replace(/^-|-$/g, ""); },
  });
  add(Number.prototype, { between(a, b) { return this >= a && this <= b; } });
  add(Array.prototype, {
    findSplice(find) { const at = this.findIndex(find); return at < 0 ? null : this.splice(at, 1)[0]; },
  });
  add(Set.prototype, {
    first() { return this.values().next().value; },
    filter(test) { return new Set([...this].filter(test)); },
    map(transform) { return new Set([...this].map(transform)); },
    some(test) { return [...this].some(test); },
    every(test) { return [...this].every(test); },
    find(test) { return [...this].find(test); },
    reduce(reducer, initial) { return [...this].reduce(reducer, initial); },
    equals(other) { return other instanceof Set && this.size === other.size && [...this].every(v => other.has(v)); },
  });
}
