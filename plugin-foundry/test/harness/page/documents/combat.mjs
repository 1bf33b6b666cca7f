import { Hooks } from "../hooks.mjs";
import { CLASSES, Document, WorldCollection } from "./document.mjs";

/** A fight, by the tracker. */
export class Combat extends Document {
  static documentName = "Combat";

  _setField(field, value) {
    this[field] = field === "scene" ? game.scenes?.get(value) ?? null : value;
  }

  prepareData() {
    this.setupTurns();
  }

  /** After combatants have changed, whoever has the turn keeps it; who changed them says so to the world. */
  _keepTurn(id, userId) {
    const turn = this.turns.findIndex(c => c.id === id);
    if (this.started && turn >= 0 && turn !== this.turn && userId === game.userId) void this.update({ turn }, { turnEvents: false });
    ui.combat.render();
  }

  get combatant() {
    return this.turns[this.turn] ?? null;
  }

  get nextCombatant() {
    return this.turns[this.turn === this.turns.length - 1 ? 0 : this.turn + 1] ?? null;
  }

  get started() {
    return this.round > 0;
  }

  get isActive() {
    return this.active;
  }

  get isView() {
    return game.combat === this;
  }

  get visible() {
    return true;
  }

  get current() {
    return this.#at(this.round, this.turn);
  }

  #at(round, turn) {
    const combatant = this.turns[turn];
    return { round, turn, combatantId: combatant?.id ?? null, tokenId: combatant?.tokenId ?? null };
  }

  setupTurns() {
    const rank = c => (Number.isFinite(c.initiative) ? c.initiative : -Infinity);
    this.turns = this.combatants.contents.sort((a, b) => rank(b) - rank(a) || (a.id > b.id ? 1 : -1));
    if (this.turn !== null) this.turn = Math.clamp(this.turn, 0, Math.max(0, this.turns.length - 1));
    return this.turns;
  }

  getCombatantsByToken(token) {
    const id = token?.id ?? token;
    return this.combatants.filter(c => c.tokenId === id);
  }

  getCombatantByToken(token) {
    return this.getCombatantsByToken(token)[0];
  }

  getCombatantsByActor(actor) {
    return this.combatants.filter(c => (actor.isToken ? c.tokenId === actor.token.id : c.actorId === actor.id));
  }

  getCombatantByActor(actor) {
    return this.getCombatantsByActor(actor)[0];
  }

  async activate(options) {
    for (const combat of game.combats) if (combat.active && combat !== this) await combat.update({ active: false });
    return this.update({ active: true }, options);
  }

  async startCombat() {
    const change = { round: 1, turn: 0 };
    Hooks.callAll("combatStart", this, change);
    return this.update(change, { direction: 1 });
  }

  async nextTurn() {
    const last = this.turn >= this.turns.length - 1;
    if (last) return this.nextRound();
    const change = { round: this.round, turn: this.turn + 1 };
    Hooks.callAll("combatTurn", this, change, { direction: 1 });
    return this.update(change, { direction: 1 });
  }

  async previousTurn() {
    const change = { round: this.round, turn: Math.max(0, this.turn - 1) };
    Hooks.callAll("combatTurn", this, change, { direction: -1 });
    return this.update(change, { direction: -1 });
  }

  async nextRound() {
    const change = { round: this.round + 1, turn: 0 };
    Hooks.callAll("combatRound", this, change, { direction: 1 });
    return this.update(change, { direction: 1 });
  }

  async setInitiative(id, value) {
    return this.combatants.get(id, { strict: true }).update({ initiative: value });
  }

  async rollInitiative() {
    throw new Error("nobody rolls in Foundry at this table");
  }

  async endCombat() {
    return this.delete();
  }

  async _preUpdate(change, options) {
    if (!("round" in change || "turn" in change)) return;
    options.direction ??= Math.sign((change.round ?? this.round) - this.round || (change.turn ?? this.turn) - this.turn) || 1;
  }

  _onUpdate(change, options) {
    const before = this.previous;
    this.previous = this.current;
    this._holder = this.combatant?.id;
    if ((("round" in change) || ("turn" in change)) && options.turnEvents !== false && this.started) Hooks.callAll("combatTurnChange", this, before ?? this.#at(0, null), this.current);
    ui.combat.render();
  }

  _onCreate() {
    ui.combat.render();
  }

  _onDelete() {
    ui.combat.render();
  }

  previous = null;
  /** Who had the turn before combatants changed. */
  _holder = null;

  async delete(operation) {
    return super.delete(operation);
  }
}

export class Combatant extends Document {
  static documentName = "Combatant";

  get combat() {
    return this.parent;
  }

  get token() {
    return game.scenes.get(this.sceneId ?? this.parent?._source.scene)?.tokens.get(this.tokenId) ?? null;
  }

  get actor() {
    return this.token?.actor ?? game.actors.get(this.actorId) ?? null;
  }

  prepareData() {
    // The name and picture of what fights, unless it has its own here.
    Object.defineProperty(this, "name", { configurable: true, get: () => this._source.name || this.token?.name || this.actor?.name || "" });
    Object.defineProperty(this, "img", { configurable: true, get: () => this._source.img || this.token?.texture.src || this.actor?.img || null });
  }

  _setField(field, value) {
    if (field !== "name" && field !== "img") this[field] = value;
  }

  get isDefeated() {
    return this.defeated || !!this.actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED);
  }

  get isNPC() {
    return !this.actor?.hasPlayerOwner;
  }

  get players() {
    return game.users.players.filter(u => this.actor?.testUserPermission(u, "OWNER"));
  }

  get visible() {
    return this.isOwner || !this.hidden;
  }

  get isOwner() {
    return game.user.isGM || !!this.actor?.isOwner;
  }

  getUserLevel(user) {
    return this.actor?.getUserLevel(user) ?? 0;
  }

  getInitiativeRoll() {
    throw new Error("nobody rolls in Foundry at this table");
  }

  _onUpdate(_change, _options, userId) {
    this.parent._keepTurn(this.parent._holder, userId);
  }

  _onCreate(_data, _options, userId) {
    this.parent._keepTurn(this.parent._holder, userId);
  }

  _onDelete(_options, userId) {
    this.parent._keepTurn(this.parent._holder, userId);
  }
}

export class Combats extends WorldCollection {
  constructor() {
    super("Combat");
  }

  get active() {
    return this.find(c => c.active) ?? null;
  }

  get viewed() {
    return ui.combat.viewed;
  }

  get combats() {
    return this.filter(c => c._source.scene === null || c.scene === canvas.scene);
  }
}

Object.assign(CLASSES, { Combat, Combatant });
