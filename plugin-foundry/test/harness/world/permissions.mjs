/**
 * What a user may do to the world's documents, as Foundry's server decides it with
 * the permissions that a world starts with. A refusal names the user, the deed and
 * the document.
 */

const ROLES = { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 };
const OWNER = 3;

/** The role from which on a user may create documents of a kind. */
const CREATE = {
  ChatMessage: ROLES.PLAYER, Macro: ROLES.PLAYER, Drawing: ROLES.TRUSTED, Note: ROLES.TRUSTED,
  JournalEntry: ROLES.TRUSTED, Actor: ROLES.ASSISTANT, Item: ROLES.ASSISTANT, Token: ROLES.ASSISTANT,
};

/** What of a combat, a combatant and a user one may change who is no GM. */
const PARTIAL = {
  Combat: ["_id", "round", "turn"],
  Combatant: ["_id", "initiative", "flags", "defeated"],
  User: ["_id", "color", "pronouns", "character", "avatar", "hotbar", "flags"],
};

/** The level of ownership that a user has of an actor, item, macro... */
export function level(user, data) {
  return data?.ownership?.[user._id] ?? data?.ownership?.default ?? 0;
}

/**
 * Whether a user may do something to a document.
 * @param {object} user
 * @param {"create" | "update" | "delete"} action
 * @param {string} name     The document's kind.
 * @param {object} data     As it is, or as it shall be made.
 * @param {object} change   What shall be different.
 * @param {{parent?: object, actor?: object}} around  What it lies in, and the actor behind a token or combatant.
 */
export function may(user, action, name, data, change, around = {}) {
  const gm = user.role >= ROLES.ASSISTANT;
  if (user.role === ROLES.NONE) return false;
  const only = keys => Object.keys(change).every(key => keys.includes(key));
  switch (name) {
    case "ChatMessage":
      if (action === "create") return gm || !data.author || data.author === user._id;
      return gm || data.author === user._id;
    case "Setting":
      return data.user ? data.user === user._id || user.role >= ROLES.GAMEMASTER : gm;
    case "User":
      if (user.role >= ROLES.GAMEMASTER) return true;
      return action === "update" && data._id === user._id && only(PARTIAL.User);
    case "Combat":
      return gm || (action === "update" && only(PARTIAL.Combat));
    case "Combatant": {
      if (gm) return true;
      const own = around.actor && level(user, around.actor) >= OWNER;
      return !!own && (action !== "update" || only(PARTIAL.Combatant));
    }
    case "Token": {
      if (gm) return true;
      return action === "update" && !!around.actor && level(user, around.actor) >= OWNER;
    }
    case "ActiveEffect":
    case "JournalEntryPage":
      return gm || level(user, around.actor ?? around.parent) >= OWNER;
    case "Item":
      if (around.parent) return gm || level(user, around.actor ?? around.parent) >= OWNER;
      break;
    case "Drawing":
      if (action !== "create") return gm || data.author === user._id;
      break;
    case "Macro":
      if (action !== "create") return gm || data.author === user._id || level(user, data) >= OWNER;
      break;
    case "Actor":
    case "JournalEntry":
      if (action === "update") return gm || level(user, data) >= OWNER;
      break;
    default:
      return gm;
  }
  return gm || (action === "create" && user.role >= (CREATE[name] ?? ROLES.ASSISTANT)) || (action !== "create" && level(user, data) >= OWNER);
}
