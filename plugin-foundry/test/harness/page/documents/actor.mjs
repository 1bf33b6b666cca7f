import { expand, merge } from "../../schema.mjs";
import { deepClone, getProperty, randomID } from "../foundry-utils.mjs";
import { CLASSES, Document, WorldCollection } from "./document.mjs";

/** A being. That of a token without link is made of the world's actor and the token's own delta. */
export class Actor extends Document {
  static documentName = "Actor";

  prepareData() {
    this.statuses = new Set();
    this.overrides = {};
    for (const effect of this.effects ?? []) if (effect.active) for (const status of effect.statuses) this.statuses.add(status);
    for (const token of this.getActiveTokens?.() ?? []) token.renderFlags.set({ redrawEffects: true, refreshBars: true });
  }

  /** The actor of a token, from what the world's actor and the token's delta say. */
  static synthetic(token, base) {
    return new this(syntheticSource(token, base), { parent: token, stored: true });
  }

  get isToken() {
    return this.parent instanceof CLASSES.Token;
  }

  get token() {
    return this.isToken ? this.parent : null;
  }

  get uuid() {
    return this.isToken ? `${this.parent.uuid}.Actor.${this.id}` : `Actor.${this.id}`;
  }

  get _address() {
    return this.isToken ? `${this.parent._address}.ActorDelta` : this.uuid;
  }

  getUserLevel(user) {
    const { ownership } = this._source;
    return ownership[user.id] ?? ownership.default ?? 0;
  }

  get collection() {
    return game.actors;
  }

  get hasPlayerOwner() {
    return game.users.some(u => !u.isGM && this.testUserPermission(u, "OWNER"));
  }

  get temporaryEffects() {
    return this.effects.filter(e => e.active && e.isTemporary);
  }

  get appliedEffects() {
    return this.effects.filter(e => e.active);
  }

  get itemTypes() {
    return Object.groupBy(this.items.contents, i => i.type);
  }

  get inCombat() {
    return !!game.combat?.getCombatantsByActor(this).length;
  }

  getRollData() {
    return this.system;
  }

  getActiveTokens(linked = false, document = false) {
    if (!canvas.ready) return [];
    const tokens = this.isToken ? [this.parent.object] : canvas.tokens.placeables.filter(t => t.document.actorId === this.id && (!linked || t.document.actorLink));
    return tokens.filter(Boolean).map(t => (document ? t.document : t));
  }

  getDependentTokens({ linked = false } = {}) {
    return game.scenes.contents.flatMap(s => s.tokens.filter(t => t.actorId === this.id && (!linked || t.actorLink)));
  }

  async update(change = {}, operation = {}) {
    if (!this.isToken) return super.update(change, operation);
    await this.parent.update({ delta: expand(change) }, operation);
    return this;
  }

  async modifyTokenAttribute(attribute, value, isDelta = false, isBar = true) {
    const path = `system.${attribute}`;
    const current = getProperty(this, path);
    const bar = isBar && current !== null && typeof current === "object";
    const wanted = isDelta ? Number(bar ? current.value : current) + value : value;
    return this.update({ [bar ? `${path}.value` : path]: bar ? Math.clamp(wanted, 0, current.max) : wanted });
  }

  /**
   * Puts a status on or takes it away.
   * @returns {Promise<any>}  The effect made; true or false for what was there before; undefined if nothing changed.
   */
  async toggleStatusEffect(statusId, { active, overlay = false } = {}) {
    const status = CONFIG._status(statusId);
    if (!status) throw new Error(`Invalid status ID "${statusId}" provided to Actor#toggleStatusEffect`);
    const existing = this.effects.filter(e => e.statuses.has(statusId) && e.statuses.size === 1);
    if (existing.length) {
      if (active) return true;
      await this.deleteEmbeddedDocuments("ActiveEffect", existing.map(e => e.id));
      return false;
    }
    if (!active && active !== undefined) return undefined;
    const effect = await ActiveEffect.fromStatusEffect(statusId);
    if (overlay) effect.updateSource({ "flags.core.overlay": true });
    return ActiveEffect.create(effect, { parent: this, keepId: !!status._id });
  }

  async createEmbeddedDocuments(name, data, operation = {}) {
    if (this.isToken && !this.parent._source.delta) await this.parent.update({ delta: {} });
    return super.createEmbeddedDocuments(name, data, operation);
  }
}

/** What a token's own actor consists of. */
export function syntheticSource(token, base) {
  const { items = [], effects = [], ...delta } = token._source.delta ?? {};
  const source = deepClone(base._source);
  for (const [key, value] of Object.entries(delta)) if (value !== null) merge(source, { [key]: deepClone(value) });
  source.items = join(source.items, items);
  source.effects = join(source.effects, effects);
  return source;
}

const join = (base, own) => [...base.filter(b => !own.some(o => o._id === b._id)), ...deepClone(own)];

export class ActiveEffect extends Document {
  static documentName = "ActiveEffect";

  _setField(field, value) {
    this[field] = field === "statuses" ? new Set(value) : value;
  }

  get active() {
    return !this.disabled;
  }

  get isTemporary() {
    return this.statuses.size > 0 || !!this.duration.rounds || !!this.duration.seconds;
  }

  get target() {
    return this.parent;
  }

  static async fromStatusEffect(id, { parent } = {}) {
    const { name, img, icon, _id } = CONFIG._status(id);
    return new this({ name: game.i18n.localize(name), img: img ?? icon, statuses: [id], _id: _id ?? randomID() }, { parent });
  }

  getUserLevel(user) {
    return this.parent?.getUserLevel(user) ?? 0;
  }

  #refresh() {
    const actor = this.parent instanceof Actor ? this.parent : null;
    for (const token of actor?.getActiveTokens() ?? []) token.renderFlags.set({ redrawEffects: true });
    for (const status of this.statuses) actor?.getActiveTokens().forEach(t => t._onApplyStatusEffect(status, actor.statuses.has(status)));
  }

  _onCreate() {
    this.#keep(delta => delta.effects.push(this._source));
    this.#refresh();
  }

  _onUpdate() {
    this.#refresh();
  }

  _onDelete() {
    this.#keep(delta => delta.effects.splice(delta.effects.findIndex(e => e._id === this.id), 1));
    this.#refresh();
  }

  /** What is put on a token's own actor lies in the token. */
  #keep(change) {
    if (!this.parent?.isToken) return;
    const token = this.parent.parent;
    token._source.delta ??= { effects: [], items: [] };
    token._source.delta.effects ??= [];
    change(token._source.delta);
  }
}

export class Item extends Document {
  static documentName = "Item";

  get actor() {
    return this.parent instanceof Actor ? this.parent : null;
  }
}

export class Actors extends WorldCollection {
  constructor() {
    super("Actor");
  }

  get tokens() {
    return Object.fromEntries((canvas.tokens?.placeables ?? []).filter(t => t.actor?.isToken).map(t => [t.actor.id, t.actor]));
  }
}

Object.assign(CLASSES, { Actor, ActiveEffect, Item });
