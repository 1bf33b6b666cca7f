/**
 * What the form of an application says, and what Foundry knows to fill it in.
 * @import * as Api from "../../types/api.js"
 * @import {Around} from "./fields.mjs"
 * @import {Session} from "../api/session.mjs"
 * @import {Surroundings} from "../actions/forms.mjs"
 */
import { MODULE } from "../constants.mjs";
import { words } from "../i18n.mjs";
import { characterOf } from "../link/registry.mjs";
import { squareOf, tokensOfMaps } from "../present/places.mjs";
import { valuesOf } from "./fields.mjs";

/** Shows the fields of inputs; the data of the partial is `fields`. */
export const FIELDS_TEMPLATE = `modules/${MODULE}/templates/fields.hbs`;

/**
 * What inputs are filled in from: whom the user targets, and who there is.
 * @param {Session} session
 * @returns {Around}
 */
export function around(session) {
  const targets = [...game.user.targets].map(token => characterOf(token.document)).filter(id => id !== null);
  const characters = (session.view?.characters ?? []).map(({ id = "", name }) => ({ value: id, text: name || id }));
  return { targets, characters };
}

/**
 * What the form of an offer that does not fit inputs is filled in from.
 * @param {Session} session
 * @returns {Surroundings}
 */
export function surroundings(session) {
  const characters = session.view?.characters ?? [];
  /** @type {Surroundings["standing"]} */
  const standing = new Map();
  for (const token of tokensOfMaps()) {
    const id = characterOf(token);
    const square = id && !standing.has(id) && squareOf(token);
    if (square) standing.set(id, { square, hidden: token.hidden, chosen: token.object?.controlled ?? false });
  }
  return { characters, standing, words };
}

/**
 * What an element's fields say, in the order in which they stand.
 * @param {Element} element
 * @returns {[string, string][]}
 */
export function entriesIn(element) {
  /** @type {[string, string][]} */
  const entries = [];
  for (const field of element.querySelectorAll("input, select, textarea")) {
    const { name, type, value, checked } = /** @type {HTMLInputElement} */ (field);
    if (name && (!["checkbox", "radio"].includes(type) || checked)) entries.push([name, value]);
  }
  return entries;
}

/**
 * The first field of a name, to be filled in by somebody.
 * @param {Element} element
 * @param {string} name
 * @returns {HTMLElement | null}
 */
export function fieldIn(element, name) {
  return element.querySelector(`[name="${CSS.escape(name)}"]`);
}

/**
 * What the fields of inputs say. While one is still to be filled in there is an error
 * to tell, and the field is gone to.
 * @param {Element} element
 * @param {Api.InputViewJson[]} inputs
 * @param {string} prefix
 * @returns {{values: Api.ValueJson[], error: string}}
 */
export function filledIn(element, inputs, prefix) {
  const { values, missing } = valuesOf(inputs, entriesIn(element), prefix);
  if (!missing.length) return { values, error: "" };
  fieldIn(element, prefix + missing[0].name)?.focus();
  return { values, error: words("Prompt.Missing", { what: missing.map(input => input.text || input.name).join(", ") }) };
}

/**
 * Tells an error, or none any more, in the line of an application that is there for it.
 * @param {Element | null} element  null while the application is closed.
 * @param {string} error
 */
export function sayIn(element, error) {
  const line = /** @type {HTMLElement | null | undefined} */ (element?.querySelector("[data-error]"));
  if (!line) return;
  line.textContent = error;
  line.hidden = !error;
}

/**
 * Keeps the buttons of an application from being pressed while something is under
 * way. What is barred stays so.
 * @param {Element | null} element  null while the application is closed.
 * @param {boolean} busy
 */
export function lockIn(element, busy) {
  const content = element?.querySelector(".window-content");
  content?.setAttribute("aria-busy", String(busy));
  for (const button of content?.querySelectorAll("button[data-action]") ?? []) {
    /** @type {HTMLButtonElement} */ (button).disabled = busy || Boolean(button.closest(".hantei-barred"));
  }
}

/**
 * Whether somebody writes in a field, whose keys are nobody else's.
 * @param {Element | EventTarget | null | undefined} target
 */
export function writes(target) {
  const element = /** @type {HTMLElement | null | undefined} */ (target);
  return Boolean(element?.isContentEditable || ["INPUT", "TEXTAREA", "SELECT", "PROSE-MIRROR"].includes(element?.tagName ?? ""));
}
