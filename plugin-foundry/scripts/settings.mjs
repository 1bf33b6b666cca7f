/**
 * What is kept: for the world where the server is, for this browser who sits here.
 *
 * A world setting can be read by every player. So a token is kept in the browser
 * alone, for each world and user: whoever logs in as somebody else on the same
 * computer is not at the table as the one before.
 *
 * @import {Place} from "./api/client.mjs"
 *
 * @typedef {object} Credential
 * @property {string} token
 * @property {string} table
 *
 * Up to where a table was shown.
 * @typedef {object} Kept
 * @property {string} table
 * @property {string} cursor
 *
 * @typedef {object} Server
 * @property {string} url
 * @property {Place} place
 * @property {boolean} plain   Whether plain http to far away is taken.
 */
import { MODULE } from "./constants.mjs";

/** @type {Place[]} */
export const PLACES = ["internet", "local", "loopback"];

/** @param {() => void} onChange  Is called when another server is set, on every client. */
export function registerSettings(onChange) {
  game.settings.register(MODULE, "server", {
    scope: "world", config: false, type: /** @type {any} */ (Object), default: { url: "", place: "internet", plain: false }, onChange,
  });
  game.settings.register(MODULE, "table", { scope: "world", config: false, type: String, default: "" });
  game.settings.register(MODULE, "credentials", { scope: "client", config: false, type: /** @type {any} */ (Object), default: {} });
  game.settings.register(MODULE, "cursors", { scope: "client", config: false, type: /** @type {any} */ (Object), default: {} });
}

/** @returns {Server} */
export function getServer() {
  return game.settings.get(MODULE, "server");
}

/** Sets the server for everybody in the world. The GM only. @param {Server} server */
export async function setServer(server) {
  await game.settings.set(MODULE, "server", server);
}

/** The table that the world's GM plays at; "" if that is not known. */
export function getWorldTable() {
  return game.settings.get(MODULE, "table");
}

/** @param {string} table */
export async function setWorldTable(table) {
  if (game.user.isGM && getWorldTable() !== table) await game.settings.set(MODULE, "table", table);
}

/** @returns {string} */
function here() {
  return `${game.world.id}.${game.user.id}`;
}

/** Who sits here; null if nobody does. @returns {Credential | null} */
export function getCredential() {
  return game.settings.get(MODULE, "credentials")[here()] ?? null;
}

/** @param {Credential | null} credential */
export async function setCredential(credential) {
  const all = { ...game.settings.get(MODULE, "credentials") };
  if (credential) all[here()] = credential;
  else delete all[here()];
  await game.settings.set(MODULE, "credentials", all);
}

/** Up to where a table was shown here; "" if never. @param {string} table */
export function getCursor(table) {
  const kept = game.settings.get(MODULE, "cursors")[here()];
  return kept?.table === table ? kept.cursor : "";
}

/**
 * @param {string} table
 * @param {string} cursor
 */
export async function setCursor(table, cursor) {
  await game.settings.set(MODULE, "cursors", { ...game.settings.get(MODULE, "cursors"), [here()]: { table, cursor } });
}
