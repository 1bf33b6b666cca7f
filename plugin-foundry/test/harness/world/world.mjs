/**
 * The world: its documents, in memory, and the operations that change them. Who may
 * not is refused, as Foundry's server would; what was done is told to all clients.
 */
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { complete, DEFAULTS, difference, EMBEDDED, expand, isId, known, merge, PRIMARY } from "../schema.mjs";
import { may } from "./permissions.mjs";

/** Why the world did not do something. */
export class Refusal extends Error {}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Emits "operation" with what was done. */
export class World extends EventEmitter {
  /** The collections by kind: documents by id. @type {Record<string, Map<string, any>>} */
  collections = Object.fromEntries(PRIMARY.map(name => [name, new Map()]));
  sequence = 0;
  /** All operations so far, for assertions on what was written, by whom and how often. */
  log = [];

  /** @param {{id?: string, title?: string, generation?: number, system?: string, now?: () => number}} [options] */
  constructor({ id = "stand-in", title = "Stand-in", generation = 13, system = "plain", now = Date.now } = {}) {
    super();
    this.setMaxListeners(0);
    Object.assign(this, { id, title, generation, system, now });
  }

  newId() {
    return Array.from(randomBytes(16), byte => ALPHABET[byte % ALPHABET.length]).join("");
  }

  user(id) {
    return this.collections.User.get(id);
  }

  /** A document by its uuid, "Scene.id.Token.id"; undefined if there is none. */
  find(uuid) {
    const steps = uuid.split(".");
    let name = steps[0];
    let at = this.collections[name]?.get(steps[1]);
    for (let i = 2; at && i < steps.length; i += 2) {
      name = steps[i];
      if (name === "ActorDelta") {
        at = at.delta ??= structuredClone(DEFAULTS.ActorDelta);
        i--;
      } else {
        at = at[EMBEDDED[steps[i - 2] in EMBEDDED ? steps[i - 2] : "ActorDelta"]?.[name]]?.find(d => d._id === steps[i + 1]);
      }
    }
    return at;
  }

  /** All documents of a kind in the world, or in a parent. */
  all(name, parent = null) {
    if (!parent) return [...this.collections[name].values()];
    const field = EMBEDDED[nameOf(parent)]?.[name];
    const data = this.find(parent);
    if (!field || !data) throw new Refusal(`there is no ${name} in ${parent}`);
    return (data[field] ??= []);
  }

  /**
   * Does what the world itself wants, before anybody is there or as a GM would.
   * @param {string} name
   * @param {...object} data
   * @returns {any} The document, or all if there are several.
   */
  make(name, ...data) {
    const made = this.perform({ action: "create", name, data }, null).data;
    return made.length === 1 ? made[0] : made;
  }

  /**
   * Performs an operation for a user; null is the world itself.
   * @param {{action: "create" | "update" | "delete", name: string, parent?: string | null, data?: object[], ids?: string[], options?: any}} operation
   * @param {string | null} userId
   */
  perform({ action, name, parent = null, data = [], ids = [], options = {} }, userId) {
    const list = this.all(name, parent);
    const done = this[`_${action}`]({ name, parent, list, data, ids, options, user: userId && this.user(userId) });
    const operation = { sequence: ++this.sequence, action, name, parent, data: done, options, userId };
    this.log.push(operation);
    this.emit("operation", operation);
    return operation;
  }

  _create({ name, parent, list, data, options, user }) {
    const made = data.map(given => {
      const { _id, ...rest } = given;
      if (_id !== undefined && options.keepId && !isId(_id)) throw new Refusal(`"${_id}" is no id: 16 letters and digits`);
      const id = (options.keepId || !user) && _id ? _id : this.newId();
      const document = { _id: id, ...complete(name, rest) };
      if (list.some(d => d._id === id)) throw new Refusal(`${name} [${id}] already exists within the parent collection`);
      if (user) this._demand(user, "create", name, document, rest, parent);
      if (name === "ChatMessage") {
        document.author ??= user?._id ?? null;
        document.timestamp ||= this.now();
        for (const roll of document.rolls) if (typeof roll === "object") throw new Refusal("a message's rolls are kept as JSON text");
      }
      if (name === "Macro" || name === "Drawing") document.author ??= user?._id ?? null;
      if (user && "ownership" in document) document.ownership[user._id] ??= 3;
      if (name === "Setting" && list.some(s => s.key === document.key && s.user === document.user)) throw new Refusal(`Setting ${document.key} exists`);
      for (const [child, field] of Object.entries(EMBEDDED[name] ?? {})) {
        document[field] = document[field].map(inner => ({ _id: inner._id ?? this.newId(), ...complete(child, withoutId(inner)) }));
      }
      return document;
    });
    if (new Set(made.map(d => d._id)).size < made.length) throw new Refusal(`${name}: the same id twice`);
    if (parent) list.push(...made);
    else for (const document of made) this.collections[name].set(document._id, document);
    return structuredClone(made);
  }

  _update({ name, parent, list, data, user }) {
    const changes = data.map(given => {
      const document = list.find(d => d._id === given._id);
      if (!document) throw new Refusal(`${name} [${given._id}] does not exist`);
      const change = expand(withoutId(given));
      known(name, change);
      if (user) this._demand(user, "update", name, document, change, parent);
      return { document, change: { _id: given._id, ...difference(document, change) } };
    });
    for (const { document, change } of changes) merge(document, structuredClone(withoutId(change)));
    return structuredClone(changes.map(c => c.change));
  }

  _delete({ name, parent, list, ids, user, options }) {
    const going = options.deleteAll ? list.map(d => d._id) : ids;
    for (const id of going) {
      const document = list.find(d => d._id === id);
      if (!document) throw new Refusal(`${name} [${id}] does not exist`);
      if (user) this._demand(user, "delete", name, document, {}, parent);
    }
    for (const id of going) {
      if (parent) list.splice(list.findIndex(d => d._id === id), 1);
      else this.collections[name].delete(id);
    }
    return going;
  }

  /** Refuses what the user may not do. */
  _demand(user, action, name, data, change, parent) {
    const around = { parent: parent ? this.find(parent) : undefined, actor: this._actor(name, data, parent) };
    if (may(user, action, name, data, change, around)) return;
    throw new Refusal(`User ${user.name} lacks permission to ${action} ${name} [${data._id}]${parent ? ` in parent ${parent}` : ""}`);
  }

  /** The actor that decides about a token, a combatant or what lies in an actor. */
  _actor(name, data, parent) {
    if (name === "Token") return this.collections.Actor.get(data.actorId);
    if (name === "Combatant") return this.collections.Actor.get(data.actorId) ?? this._actor("Token", this.find(`Scene.${data.sceneId}.Token.${data.tokenId}`) ?? {}, null);
    if (parent?.endsWith(".ActorDelta")) return this._actor("Token", this.find(parent.replace(/\.ActorDelta$/, "")), null);
    const actor = parent?.match(/^Actor\.(\w+)/)?.[1];
    return actor && this.collections.Actor.get(actor);
  }

  /** What a client needs to begin. */
  snapshot(user) {
    const collections = Object.fromEntries(Object.entries(this.collections).map(([name, map]) => [name, [...map.values()]]));
    const settings = collections.Setting.filter(s => !s.user || s.user === user._id);
    return { world: { id: this.id, title: this.title, system: this.system }, generation: this.generation, userId: user._id, sequence: this.sequence, collections: { ...collections, Setting: settings } };
  }
}


const withoutId = ({ _id, ...rest }) => rest;

/** The kind of document that a uuid ends with. */
function nameOf(uuid) {
  if (uuid.endsWith(".ActorDelta")) return "ActorDelta";
  return uuid.split(".").at(-2);
}
