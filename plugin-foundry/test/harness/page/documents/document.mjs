/** The base of all documents: data, permissions, flags, and the way to the world and back. */
import { complete, DEFAULTS, difference, EMBEDDED, expand, isId, known, merge } from "../../schema.mjs";
import { Collection, deepClone, getProperty } from "../foundry-utils.mjs";
import { Hooks } from "../hooks.mjs";
import { strict } from "../strict.mjs";
import { operate } from "../wire.mjs";

/** Document classes by name; the files beside this one fill it. @type {Record<string, any>} */
export const CLASSES = {};

/** Levels of ownership by name. */
export const LEVELS = { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 };

const level = value => (typeof value === "string" ? LEVELS[value] : value);

export class Document {
  static documentName = "";

  /**
   * @param {object} data
   * @param {{parent?: Document | null, stored?: boolean}} [context]
   */
  constructor(data, { parent = null, stored = false } = {}) {
    this._source = stored ? data : { _id: null, ...complete(this.constructor.documentName, without(data)), ...(data._id && { _id: data._id }) };
    this.parent = parent;
    this.apps = {};
    this._initialize();
    return strict(this.constructor.name, this, ["token", "object"].filter(k => !(k in this) && this.constructor.documentName === "Actor"));
  }

  /** Sets the members from the data. */
  _initialize() {
    const { documentName } = this.constructor;
    const embedded = Object.fromEntries(Object.entries(EMBEDDED[documentName] ?? {}).map(([name, field]) => [field, name]));
    for (const field of Object.keys(DEFAULTS[documentName])) {
      if (field in embedded) this._embed(field, embedded[field]);
      else this._setField(field, deepClone(this._source[field]));
    }
    this.prepareData();
  }

  /** Keeps the documents that are there still, with their identity. */
  _embed(field, name) {
    const old = Object.getOwnPropertyDescriptor(this, field)?.value;
    const collection = new EmbeddedCollection(name, this);
    for (const data of this._source[field]) {
      const known = old?.get(data._id);
      if (known) known._source = data;
      collection.set(data._id, known ?? new CLASSES[name](data, { parent: this, stored: true }));
    }
    this[field] = collection;
  }

  _setField(field, value) {
    this[field] = value;
  }

  prepareData() {}

  get id() {
    return this._source._id;
  }

  get _id() {
    return this._source._id;
  }

  get documentName() {
    return this.constructor.documentName;
  }

  get uuid() {
    const own = `${this.documentName}.${this.id}`;
    return this.parent ? `${this.parent.uuid}.${own}` : own;
  }

  get collection() {
    return this.parent ? this.parent[EMBEDDED[this.parent.documentName][this.documentName]] : game.collections.get(this.documentName);
  }

  get isEmbedded() {
    return !!this.parent;
  }

  /** Nothing here comes from a compendium. */
  get pack() {
    return null;
  }

  get inCompendium() {
    return false;
  }

  get link() {
    return `@UUID[${this.uuid}]{${this._source.name ?? ""}}`;
  }

  get isOwner() {
    return this.testUserPermission(game.user, "OWNER");
  }

  get permission() {
    return game.user.isGM ? LEVELS.OWNER : this.getUserLevel(game.user);
  }

  get visible() {
    return this.testUserPermission(game.user, "LIMITED");
  }

  get limited() {
    return this.testUserPermission(game.user, "LIMITED", { exact: true });
  }

  getUserLevel(user) {
    if (!("ownership" in this._source)) return this.parent?.getUserLevel(user) ?? LEVELS.NONE;
    const { ownership } = this._source;
    return ownership[user.id] ?? ownership.default ?? LEVELS.NONE;
  }

  testUserPermission(user, permission, { exact = false } = {}) {
    const has = user.isGM ? LEVELS.OWNER : this.getUserLevel(user);
    return exact ? has === level(permission) : has >= level(permission);
  }

  canUserModify(user, _action, _data = {}) {
    return user.isGM || this.getUserLevel(user) >= LEVELS.OWNER;
  }

  getFlag(scope, key) {
    demandScope(scope);
    return getProperty(this.flags[scope], key);
  }

  async setFlag(scope, key, value) {
    demandScope(scope);
    return this.update({ flags: { [scope]: expand({ [key]: value }) } });
  }

  async unsetFlag(scope, key) {
    demandScope(scope);
    const steps = key.split(".");
    const last = steps.pop();
    return this.update({ [["flags", scope, ...steps, `-=${last}`].join(".")]: null });
  }

  toObject(source = true) {
    return source ? deepClone(this._source) : deepClone(Object.fromEntries(Object.keys(this._source).map(k => [k, this[k]])));
  }

  toJSON() {
    return this.toObject();
  }

  clone(data = {}, { keepId = false } = {}) {
    const source = merge(this.toObject(), expand(data));
    if (!keepId) source._id = null;
    return new this.constructor(source, { parent: this.parent });
  }

  /** Changes the data on this client alone. */
  updateSource(change) {
    known(this.documentName, expand(change));
    const diff = difference(this._source, expand(change)) ?? {};
    merge(this._source, diff);
    this._initialize();
    return diff;
  }

  reset() {
    this._initialize();
  }

  // ---- to the world

  static async create(data, operation = {}) {
    const made = await this.createDocuments(Array.isArray(data) ? data : [data], operation);
    return Array.isArray(data) ? made : made.at(0);
  }

  static async createDocuments(data, operation = {}) {
    const { parent = null, keepId = false, ...options } = operation;
    const going = [];
    for (const given of data) {
      const source = given instanceof Document ? given.toObject() : given;
      const document = new this(deepClone(source), { parent });
      if ((await document._preCreate(source, options, game.user)) === false) continue;
      if (!Hooks.call(`preCreate${this.documentName}`, document, source, options, game.user.id)) continue;
      const sent = without(document._source);
      going.push(keepId && source._id ? { _id: source._id, ...sent } : sent);
    }
    if (!going.length) return [];
    return this._operate({ action: "create", name: this.documentName, parent: parent?._address ?? null, data: going, options: { keepId, ...options } });
  }

  static async updateDocuments(updates, operation = {}) {
    const { parent = null, ...options } = operation;
    const collection = parent ? parent.getEmbeddedCollection(this.documentName) : game.collections.get(this.documentName);
    const going = [];
    for (const { _id, ...given } of updates) {
      if (!isId(_id)) throw new Error(`You must provide an _id for every object in the update Array: ${_id}`);
      const document = collection.get(_id, { strict: true });
      let change = expand(deepClone(given));
      known(this.documentName, change);
      if (options.diff !== false) change = difference(document._source, change) ?? {};
      if (!Object.keys(change).length) continue;
      if ((await document._preUpdate(change, options, game.user)) === false) continue;
      if (!Hooks.call(`preUpdate${this.documentName}`, document, change, options, game.user.id)) continue;
      if ((await document._preUpdateOperation(change, options)) === false) continue;
      if (Object.keys(change).length) going.push({ _id, ...change });
    }
    if (!going.length) return [];
    return this._operate({ action: "update", name: this.documentName, parent: parent?._address ?? null, data: going, options });
  }

  static async deleteDocuments(ids, operation = {}) {
    const { parent = null, deleteAll = false, ...options } = operation;
    const collection = parent ? parent.getEmbeddedCollection(this.documentName) : game.collections.get(this.documentName);
    const going = (deleteAll ? [...collection.keys()] : ids).filter(id => Hooks.call(`preDelete${this.documentName}`, collection.get(id, { strict: true }), options, game.user.id));
    if (!going.length) return [];
    return this._operate({ action: "delete", name: this.documentName, parent: parent?._address ?? null, ids: going, options });
  }

  /** A refusal by the world is shown, and thrown. */
  static async _operate(operation) {
    try {
      return await operate(operation);
    } catch (error) {
      ui.notifications.error(error.message);
      throw error;
    }
  }

  async update(change = {}, operation = {}) {
    return (await this.constructor.updateDocuments([{ ...change, _id: this.id }], { ...operation, parent: this.parent })).at(0);
  }

  async delete(operation = {}) {
    return (await this.constructor.deleteDocuments([this.id], { ...operation, parent: this.parent })).at(0);
  }

  /** Where the world finds it. */
  get _address() {
    return this.parent ? `${this.parent._address}.${this.documentName}.${this.id}` : this.uuid;
  }

  async _preCreate(_data, _options, _user) {}
  async _preUpdate(_change, _options, _user) {}
  async _preUpdateOperation(_change, _options) {}
  _onCreate(_data, _options, _userId) {}
  _onUpdate(_change, _options, _userId) {}
  _onDelete(_options, _userId) {}

  // ---- what lies in it

  getEmbeddedCollection(name) {
    const field = EMBEDDED[this.documentName]?.[name];
    if (!field) throw new Error(`${name} is not a valid embedded Document within the ${this.documentName} Document`);
    return this[field];
  }

  getEmbeddedDocument(name, id, options) {
    return this.getEmbeddedCollection(name).get(id, options);
  }

  async createEmbeddedDocuments(name, data, operation = {}) {
    this.getEmbeddedCollection(name);
    return CLASSES[name].createDocuments(data, { ...operation, parent: this });
  }

  async updateEmbeddedDocuments(name, updates, operation = {}) {
    this.getEmbeddedCollection(name);
    return CLASSES[name].updateDocuments(updates, { ...operation, parent: this });
  }

  async deleteEmbeddedDocuments(name, ids, operation = {}) {
    this.getEmbeddedCollection(name);
    return CLASSES[name].deleteDocuments(ids, { ...operation, parent: this });
  }

  /** Windows of this document are drawn anew. */
  render(force, options) {
    for (const app of Object.values(this.apps)) app.render({ force, ...options });
  }

  get sheet() {
    return foundry.applications.sheets.sheetOf(this);
  }

  static get implementation() {
    return CLASSES[this.documentName];
  }

  static get metadata() {
    return { name: this.documentName, embedded: EMBEDDED[this.documentName] ?? {} };
  }

  static get collectionName() {
    return `${this.documentName.toLowerCase()}s`;
  }
}

/** Documents in a document. */
export class EmbeddedCollection extends Collection {
  constructor(name, model) {
    super();
    this.documentName = name;
    this.model = model;
  }
}

/** Documents of the world. */
export class WorldCollection extends Collection {
  constructor(name) {
    super();
    this.documentName = name;
  }

  get documentClass() {
    return CLASSES[this.documentName];
  }

  get folders() {
    return game.folders.filter(f => f.type === this.documentName);
  }
}

const without = ({ _id, ...rest }) => rest;

/** Flags belong to a package that is there. */
function demandScope(scope) {
  if (["core", "world", game.system.id].includes(scope) || game.modules.get(scope)?.active) return;
  throw new Error(`Flag scope "${scope}" is not valid or not currently active`);
}
