import { getProperty } from "../foundry-utils.mjs";
import { Hooks } from "../hooks.mjs";
import { Actor, syntheticSource } from "./actor.mjs";
import { CLASSES, Document } from "./document.mjs";
import { movementOf, segments } from "./movement.mjs";

/** A token of a scene. */
export class TokenDocument extends Document {
  static documentName = "Token";

  _object = null;
  _actor = undefined;
  movement = {};
  movementHistory = [];

  get uuid() {
    return `${this.parent.uuid}.Token.${this.id}`;
  }

  get object() {
    return this._object;
  }

  get layer() {
    return canvas.tokens;
  }

  get rendered() {
    return !!this._object;
  }

  get baseActor() {
    return game.actors.get(this.actorId) ?? null;
  }

  get isLinked() {
    return this.actorLink;
  }

  /** The being that it stands for: the world's own, or one of its own if it is not linked. */
  get actor() {
    const base = this.baseActor;
    if (!base || this.actorLink) return base;
    this._actor ??= Actor.synthetic(this, base);
    return this._actor;
  }

  get isOwner() {
    return game.user.isGM || !!this.actor?.isOwner;
  }

  getUserLevel(user) {
    return this.actor?.getUserLevel(user) ?? this.baseActor?.getUserLevel(user) ?? 0;
  }

  canUserModify(user, action) {
    return user.isGM || (action === "update" && this.getUserLevel(user) >= 3);
  }

  get isSecret() {
    return this.disposition === CONST.TOKEN_DISPOSITIONS.SECRET && !this.isOwner;
  }

  get hasPlayerOwner() {
    return !!this.actor?.hasPlayerOwner;
  }

  get combatant() {
    return game.combat?.getCombatantByToken(this.id) ?? null;
  }

  get inCombat() {
    return !!this.combatant;
  }

  async toggleCombatant({ active } = {}) {
    if (active ?? !this.inCombat) return game.combat.createEmbeddedDocuments("Combatant", [{ tokenId: this.id, actorId: this.actorId, sceneId: this.parent.id }]);
    return this.combatant?.delete();
  }

  hasStatusEffect(id) {
    return this.actor?.statuses.has(id) ?? false;
  }

  getBarAttribute(bar, { alternative } = {}) {
    const attribute = alternative ?? this[bar]?.attribute;
    if (!attribute || !this.actor) return null;
    const value = getProperty(this.actor.system, attribute);
    if (value === null || value === undefined) return null;
    if (typeof value === "object") return { type: "bar", attribute, value: Number(value.value), max: Number(value.max), editable: true };
    return { type: "value", attribute, value: Number(value), editable: true };
  }

  /** What of an actor a bar can show: what has a value and a max, and single numbers. */
  static getTrackedAttributes(data = {}, path = []) {
    const found = { bar: [], value: [] };
    for (const [key, value] of Object.entries(data instanceof Actor ? data.system : typeof data === "string" ? game.actors.find(a => a.type === data)?.system ?? {} : data)) {
      const at = [...path, key];
      if (value !== null && typeof value === "object" && "value" in value && "max" in value) found.bar.push(at);
      else if (value !== null && typeof value === "object" && !Array.isArray(value)) {
        const inner = this.getTrackedAttributes(value, at);
        found.bar.push(...inner.bar);
        found.value.push(...inner.value);
      } else if (typeof value === "number") found.value.push(at);
    }
    return found;
  }

  static getTrackedAttributeChoices({ bar, value } = this.getTrackedAttributes()) {
    return [...bar.map(p => ({ group: "bar", value: p.join("."), label: p.join(".") })), ...value.map(p => ({ group: "value", value: p.join("."), label: p.join(".") }))];
  }

  getSize({ width = this.width, height = this.height } = {}) {
    const { size } = this.parent.grid;
    return { width: width * size, height: height * size };
  }

  getCenterPoint({ x = this.x, y = this.y, elevation = this.elevation, ...data } = {}) {
    const size = this.getSize(data);
    return { x: x + size.width / 2, y: y + size.height / 2, elevation };
  }

  getSnappedPosition({ x = this.x, y = this.y, elevation = this.elevation } = {}) {
    return { ...this.parent.grid.getSnappedPoint({ x, y }), elevation };
  }

  getOccupiedGridSpaceOffsets({ x = this.x, y = this.y } = {}) {
    const from = this.parent.grid.getOffset({ x: x + 1, y: y + 1 });
    return Array.from({ length: this.width * this.height }, (_, n) => ({ i: from.i + Math.floor(n / this.width), j: from.j + (n % this.width) }));
  }

  prepareData() {
    if (this._actor && this.baseActor) {
      this._actor._source = syntheticSource(this, this.baseActor);
      this._actor._initialize();
    }
  }

  /**
   * Walks through waypoints. Each checkpoint ends an update. In version 13 the promise
   * is settled at the first one, in 14 when the whole way has been gone.
   */
  async move(waypoints, { method = "api", autoRotate = false, showRuler = false, constrainOptions = {}, ...operation } = {}) {
    const way = Array.isArray(waypoints) ? waypoints : [waypoints];
    if (!way.length) return false;
    const parts = segments(this, way);
    const walk = async part => {
      const last = part.at(-1);
      const before = this.movement.id;
      await this.update({ x: last.x, y: last.y, ...(last.elevation !== undefined && { elevation: last.elevation }) },
        { ...operation, movement: { [this.id]: { waypoints: part, method, autoRotate, showRuler, constrainOptions } } });
      return this.movement.id !== before;
    };
    const rest = async () => {
      for (const part of parts.slice(1)) {
        await this.object?.movementAnimationPromise;
        if (!(await walk(part))) return false;
      }
      return true;
    };
    if (!(await walk(parts[0]))) return false;
    if (game.release.generation >= 14) return rest();
    void rest();
    return true;
  }

  /** Every change of place is a movement, which a hook may forbid. */
  async _preUpdateOperation(change, options) {
    if (!["x", "y", "elevation"].some(key => key in change)) return;
    const movement = movementOf(this, change, options.movement?.[this.id] ?? {});
    delete options.movement;
    if (!Hooks.call("preMoveToken", this, movement, options)) {
      for (const key of ["x", "y", "elevation"]) delete change[key];
      return;
    }
    options._movement = { ...options._movement, [this.id]: movement };
  }

  _onCreate() {
    if (this.parent.isView) void canvas.tokens._add(this);
  }

  _onUpdate(change, options, userId) {
    const movement = options._movement?.[this.id];
    if (movement) {
      this.movement = { ...movement, user: game.users.get(userId) };
      this.movementHistory.push(...movement.passed.waypoints);
    }
    this._object?._onUpdate(change, { ...options, movement });
    if (movement) Hooks.callAll("moveToken", this, this.movement, options, game.users.get(userId));
    if (canvas.hud.token.rendered && canvas.hud.token.object === this._object) canvas.hud.token.render();
  }

  _onDelete() {
    this._object?._remove();
  }
}

/** A token's own part of its actor. */
export class ActorDelta extends Document {
  static documentName = "ActorDelta";
}

Object.assign(CLASSES, { Token: TokenDocument, ActorDelta });
