/** foundry.utils, as far as a module has asked for it. */
import { expand, merge } from "../schema.mjs";

const plain = value => value !== null && typeof value === "object" && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** @returns {any} */
export const getType = value => (value === null ? "null" : Array.isArray(value) ? "Array" : value instanceof Set ? "Set" : value instanceof Map ? "Map" : plain(value) ? "Object" : ["number", "string", "boolean", "undefined", "function"].includes(typeof value) ? typeof value : "Unknown");

export function getProperty(object, key) {
  if (!key || !object) return undefined;
  if (key in object) return object[key];
  let at = object;
  for (const step of key.split(".")) {
    if (at === null || typeof at !== "object" || !(step in at)) return undefined;
    at = at[step];
  }
  return at;
}


export function setProperty(object, key, value) {
  const steps = key.split(".");
  const last = steps.pop();
  let at = object;
  for (const step of steps) at = at[step] = at[step] && typeof at[step] === "object" ? at[step] : {};
  const changed = at[last] !== value;
  at[last] = value;
  return changed;
}

export function deepClone(value) {
  if (Array.isArray(value)) return value.map(deepClone);
  if (value instanceof Date) return new Date(value);
  if (plain(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, deepClone(v)]));
  return value;
}

/** Joins `other` into `original`, which it changes unless told otherwise. */
export function mergeObject(original, other = {}, { insertKeys = true, insertValues = true, overwrite = true, recursive = true, inplace = true, enforceTypes = false } = {}, depth = 0) {
  const into = inplace ? original : deepClone(original);
  const from = depth === 0 ? expandObject(other) : other;
  if (depth === 0 && Object.keys(into).some(k => k.includes("."))) Object.assign(into, expandObject(into));
  for (const [key, value] of Object.entries(from)) {
    if (key.startsWith("-=")) delete into[key.slice(2)];
    else if (!(key in into)) {
      if (depth === 0 ? insertKeys : insertValues) into[key] = plain(value) ? mergeObject({}, value) : value;
    } else if (plain(value) && plain(into[key]) && recursive) {
      mergeObject(into[key], value, { insertKeys: insertValues, insertValues, overwrite, recursive, inplace: true, enforceTypes }, depth + 1);
    } else if (overwrite) {
      if (enforceTypes && into[key] != null && getType(value) !== getType(into[key])) throw new Error("Mismatched data types encountered during object merge.");
      into[key] = value;
    }
  }
  return into;
}

export const expandObject = object => expand(object);

export function flattenObject(object) {
  const out = {};
  for (const [key, value] of Object.entries(object)) {
    if (plain(value) && Object.keys(value).length) for (const [inner, v] of Object.entries(flattenObject(value))) out[`${key}.${inner}`] = v;
    else out[key] = value;
  }
  return out;
}

export const isEmpty = value => value == null || (typeof value === "object" && (value.size ?? value.length ?? Object.keys(value).length) === 0);

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export const randomID = (length = 16) => Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => ALPHABET[byte % ALPHABET.length]).join("");

/** Whether dotted version a is newer than b. */
export function isNewerVersion(a, b) {
  const [left, right] = [a, b].map(v => String(v).split("."));
  for (const [i, part] of left.entries()) {
    const other = right[i] ?? "0";
    if (part === other) continue;
    return Number.isNaN(Number(part)) || Number.isNaN(Number(other)) ? part > other : Number(part) > Number(other);
  }
  return false;
}

/** Calls fn when there was no further call for a while. */
export function debounce(fn, delay) {
  let timer;
  return function (...args) {
    clearTimeout(timer);
    timer = setTimeout(() => fn.apply(this, args), delay);
  };
}

export const getRoute = (path, { prefix } = {}) => `/${[prefix, path].filter(Boolean).map(p => p.replace(/^\/+|\/+$/g, "")).join("/")}`;
export const escapeHTML = value => String(value).replace(/[&<>"']/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[c]);

/** The body of a page with some markup, without what runs. */
export function cleaned(markup) {
  const { body } = new DOMParser().parseFromString(`<body>${markup}`, "text/html");
  for (const element of body.querySelectorAll("script, iframe, object, embed")) element.remove();
  for (const element of body.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) element.removeAttribute(name);
  }
  return body;
}

export const cleanHTML = markup => cleaned(markup).getHTML();

export { merge };

/** An array that is a Map: values are what it iterates. */
export class Collection extends Map {
  [Symbol.iterator]() {
    return this.values();
  }

  get contents() {
    return Array.from(this.values());
  }

  find(condition) {
    return this.contents.find((v, i) => condition(v, i, this));
  }

  filter(condition) {
    return this.contents.filter((v, i) => condition(v, i, this));
  }

  map(transform) {
    return this.contents.map((v, i) => transform(v, i, this));
  }

  some(condition) {
    return this.contents.some((v, i) => condition(v, i, this));
  }

  reduce(reducer, initial) {
    return this.contents.reduce(reducer, initial);
  }

  forEach(fn) {
    this.contents.forEach(v => fn(v));
  }

  get(key, { strict = false } = {}) {
    const value = super.get(key);
    if (strict && value === undefined) throw new Error(`The key ${key} does not exist in the ${this.constructor.name} Collection`);
    return value;
  }

  getName(name, { strict = false } = {}) {
    const value = this.find(v => v.name === name);
    if (strict && value === undefined) throw new Error(`An entry with name ${name} does not exist in the collection`);
    return value;
  }

  toJSON() {
    return this.map(v => v.toJSON?.() ?? v);
  }
}
