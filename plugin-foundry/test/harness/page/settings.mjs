/** game.settings: what packages declare, and where each scope is kept. */
import { Hooks } from "./hooks.mjs";
import { deepClone } from "./foundry-utils.mjs";

const SCOPES = ["world", "client", "user"];

export class ClientSettings {
  settings = new Map();
  menus = new Map();
  /** The world's and the user's; filled before the modules begin. */
  storage = new Map();

  register(namespace, key, data) {
    if (!namespace || !key) throw new Error("You must specify both namespace and key portions of the setting");
    const { scope = "client" } = data;
    if (!SCOPES.includes(scope)) throw new Error(`there is no scope "${scope}"`);
    const id = `${namespace}.${key}`;
    this.settings.set(id, { config: false, ...data, key, namespace, scope, id });
  }

  registerMenu(namespace, key, data) {
    if (!data.name || !data.type) throw new Error("a settings menu needs a name and a type");
    if (typeof data.type !== "function") throw new Error("a settings menu's type is an application class");
    this.menus.set(`${namespace}.${key}`, { restricted: false, ...data, key: `${namespace}.${key}`, namespace });
  }

  #find(namespace, key) {
    const setting = this.settings.get(`${namespace}.${key}`);
    if (!setting) throw new Error(`"${namespace}.${key}" is not a registered game setting`);
    return setting;
  }

  /** Where a value of the browser lies: shared by all worlds of the origin. */
  #stored(setting) {
    if (setting.scope === "client") return localStorage.getItem(setting.id) ?? undefined;
    return this.#document(setting)?.value;
  }

  #document({ id, scope }) {
    return game.collections.get("Setting").find(s => s.key === id && (scope === "user" ? s.user === game.userId : !s.user));
  }

  get(namespace, key, { document = false } = {}) {
    const setting = this.#find(namespace, key);
    if (document) return this.#document(setting);
    const text = this.#stored(setting);
    if (text === undefined) return deepClone(setting.default);
    const value = JSON.parse(text);
    return [String, Number, Boolean].includes(setting.type) && value !== null ? setting.type(value) : value;
  }

  async set(namespace, key, value, options = {}) {
    const setting = this.#find(namespace, key);
    if (value === undefined) value = setting.default;
    if (setting.type === Number && Number.isNaN(Number(value))) throw new Error(`${setting.id} is a number`);
    if (setting.choices && !(value in setting.choices)) throw new Error(`${value} is no choice of ${setting.id}`);
    const text = JSON.stringify(value);
    if (setting.scope === "client") {
      const changed = localStorage.getItem(setting.id) !== text;
      localStorage.setItem(setting.id, text);
      if (changed) this._changed(setting, value, options, game.userId);
      if (changed) Hooks.callAll("clientSettingChanged", setting.id, value, options);
      return value;
    }
    const document = this.#document(setting);
    const Setting = getDocumentClass("Setting");
    if (document) await document.update({ value: text }, options);
    else await Setting.create({ key: setting.id, value: text, user: setting.scope === "user" ? game.userId : null }, options);
    return value;
  }

  _changed(setting, value, options, userId) {
    try {
      setting.onChange?.(value, options, userId);
    } catch (error) {
      Hooks.onError("ClientSettings", error);
    }
  }

  /** Called when a document of a setting was made or changed, by whomever. */
  _documentChanged(document, options, userId) {
    const setting = this.settings.get(document.key);
    if (setting && (!document.user || document.user === game.userId)) this._changed(setting, JSON.parse(document.value), options, userId);
  }
}
