import { query } from "../wire.mjs";
import { CLASSES, Document, WorldCollection } from "./document.mjs";

/** A user of the world. */
export class User extends Document {
  static documentName = "User";

  /** Whether one of the user's pages is open. */
  active = false;
  viewedScene = null;
  targets = new UserTargets(this);

  get isSelf() {
    return game.userId === this.id;
  }

  get isGM() {
    return this.role >= 3;
  }

  get isActiveGM() {
    return game.users.activeGM === this;
  }

  get isOwner() {
    return this.isSelf || game.user.isGM;
  }

  hasRole(role, { exact = false } = {}) {
    const wanted = typeof role === "string" ? CONST.USER_ROLES[role] : role;
    return exact ? this.role === wanted : this.role >= wanted;
  }

  /** What a role may do in a new world. */
  hasPermission(permission) {
    if (this.role >= 4) return true;
    return this.role >= ({ SETTINGS_MODIFY: 3, TOKEN_CREATE: 3, TOKEN_DELETE: 3, ACTOR_CREATE: 3, QUERY_USER: 1, MESSAGE_WHISPER: 1, MACRO_SCRIPT: 1, SHOW_RULER: 1, DRAWING_CREATE: 2 }[permission] ?? 3);
  }

  can(action) {
    return action in CONST.USER_PERMISSIONS ? this.hasPermission(action) : this.hasRole(action);
  }

  getUserLevel(user) {
    return user === this ? 3 : 0;
  }

  canUserModify(user) {
    return user.role >= 4 || user === this;
  }

  _setField(field, value) {
    this[field] = field === "character" ? game.actors?.get(value) ?? null : value;
  }

  getHotbarMacros(page = 1) {
    return Array.from({ length: 10 }, (_, i) => {
      const slot = (page - 1) * 10 + i + 1;
      return { slot, macro: game.macros.get(this.hotbar[slot]) ?? null };
    });
  }

  async assignHotbarMacro(macro, slot) {
    const free = Array.from({ length: 50 }, (_, i) => i + 1).find(i => !(i in this.hotbar));
    const at = Number(slot) || free;
    return this.update(macro ? { hotbar: { [at]: macro.id } } : { [`hotbar.-=${at}`]: null });
  }

  /** Asks the user's client; what answers stands in its CONFIG.queries. */
  async query(name, data, { timeout } = {}) {
    if (!this.active) throw new Error(`User ${this.name} is not active`);
    if (this.isSelf) return CONFIG.queries[name](data, { timeout });
    const { error, value } = await query(this.id, name, data, timeout);
    if (error) throw new Error(error);
    return value;
  }

  _onUpdate(change) {
    if ("hotbar" in change) ui.hotbar.render();
    ui.players.render();
  }
}

/** The tokens that a user targets. */
export class UserTargets extends Set {
  constructor(user) {
    super();
    this.user = user;
  }

  get ids() {
    return [...this].map(t => t.id);
  }
}

export class Users extends WorldCollection {
  constructor() {
    super("User");
  }

  get current() {
    return this.get(game.userId);
  }

  get players() {
    return this.filter(u => !u.isGM && u.hasRole("PLAYER"));
  }

  /** The GM who does what one of them has to do: the highest role, then the lowest id. */
  get activeGM() {
    return this.filter(u => u.active && u.isGM).sort((a, b) => b.role - a.role || a.id.localeCompare(b.id, "en"))[0] ?? null;
  }

  getDesignatedUser(condition) {
    return this.filter(u => u.active && condition(u)).sort((a, b) => b.role - a.role || a.id.localeCompare(b.id, "en"))[0] ?? null;
  }
}

CLASSES.User = User;
