/** game.i18n: the texts of the active modules in the user's language, English below. */
import { expand, merge } from "../schema.mjs";
import { getProperty } from "./foundry-utils.mjs";

/** Texts of Foundry itself that appear in what the stand-in shows. */
const CORE = {
  "Yes": "Yes", "No": "No", "Cancel": "Cancel", "Close": "Close", "Confirm": "Confirm", "Save": "Save",
  "DOCUMENT.ChatMessages": "Chat", "DOCUMENT.Combats": "Combats", "SIDEBAR.TabSettings": "Settings", "CONTROLS.GroupToken": "Tokens", "CONTROLS.BasicSelect": "Select",
  "EFFECT.StatusDead": "Dead", "EFFECT.StatusUnconscious": "Unconscious", "EFFECT.StatusProne": "Prone", "EFFECT.StatusStunned": "Stunned", "EFFECT.StatusBleeding": "Bleeding",
  "EFFECT.StatusRestrained": "Restrained", "EFFECT.StatusParalysis": "Paralyzed", "EFFECT.StatusBlind": "Blind", "EFFECT.StatusInvisible": "Invisible", "EFFECT.StatusSleep": "Asleep",
};

/** Keys that were asked for and have no text. The driver makes a test of them. */
export const missing = new Set();

export class Localization {
  translations = {};
  _fallback = {};

  constructor(language) {
    this.lang = language;
    this.defaultModule = "core";
  }

  /** Reads the files that the manifests name. */
  async initialize(modules) {
    merge(this._fallback, expand(CORE));
    for (const { id, manifest } of modules) {
      for (const { lang, path } of manifest.languages ?? []) {
        if (lang !== this.lang && lang !== "en") continue;
        const texts = expand(await (await fetch(`/modules/${id}/${path}`)).json());
        merge(lang === this.lang ? this.translations : this._fallback, texts);
      }
    }
  }

  #find(key, fallback = true) {
    const text = getProperty(this.translations, key) ?? (fallback ? getProperty(this._fallback, key) : undefined);
    return typeof text === "string" ? text : undefined;
  }

  has(key, fallback = true) {
    return this.#find(key, fallback) !== undefined;
  }

  localize(key) {
    const text = this.#find(key);
    // A text that is no key comes back as it is; what looks like a key should be one.
    if (text === undefined && /^[A-Z][A-Z0-9]*(\.\w+)+$/.test(key)) missing.add(key);
    else if (text !== undefined && this.lang !== "en" && !this.has(key, false) && !(key in CORE)) missing.add(`${key} (${this.lang})`);
    return text ?? String(key);
  }

  format(key, data = {}) {
    return this.localize(key).replace(/\{([^}]+)\}/g, (whole, name) => {
      if (!(name in data)) missing.add(`${key}: {${name}} is not given`);
      return data[name];
    });
  }

  /** A formatter of lists in the language. */
  getListFormatter({ style = "long", type = "conjunction" } = {}) {
    return new Intl.ListFormat(this.lang, { style, type });
  }

  sortObjects(objects, key) {
    return [...objects].sort((a, b) => String(a[key]).localeCompare(String(b[key]), this.lang));
  }
}
