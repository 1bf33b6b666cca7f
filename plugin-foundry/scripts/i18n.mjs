/**
 * @import {Finding} from "./api/diagnose.mjs"
 */
import { HanteiError } from "./api/client.mjs";

/**
 * Words of the lang files, filled in.
 * @param {string} key  Without HANTEI.
 * @param {Record<string, string>} [data]
 */
export function words(key, data) {
  return data ? game.i18n.format(`HANTEI.${key}`, data) : game.i18n.localize(`HANTEI.${key}`);
}

/**
 * What an error says to people. The server's refusals have words in the client's
 * language; of what went wrong on the way the module itself must speak.
 * @param {unknown} error
 */
export function wordsOfError(error) {
  if (!(error instanceof HanteiError)) return words("Error.UNKNOWN", { message: String(error) });
  if (error.reason === "UNREACHABLE" || error.reason === "NOT_HANTEI") return words(`Error.${error.reason}`);
  return error.message;
}

/**
 * Says an error to the user where no window has a place for it.
 * @param {unknown} error
 */
export function complain(error) {
  ui.notifications?.error(wordsOfError(error));
}

/**
 * A finding in words: what is the matter, and what to do.
 * @param {Finding} finding
 */
export function wordsOfFinding({ key, ok, data }) {
  const note = key === "OK" || ["TOKEN_UNKNOWN", "CODE_WRONG", "OFFLINE", "UNREACHABLE", "LOCAL_NETWORK_ASKS", "LOCAL_NETWORK_DENIED", "TOO_MANY_REQUESTS", "REFUSED"].includes(key);
  return {
    ok,
    title: words(`Diagnosis.${key}.title`, data),
    todo: words(`Diagnosis.${key}.todo`, data),
    // What only the GM can put right.
    tellGM: !ok && !note && !game.user.isGM,
    // Where the browser itself says more than it tells a page.
    link: ["TLS", "NO_ANSWER_TLS", "NO_ANSWER", "UNREADABLE", "REDIRECT", "TIMEOUT"].includes(key) ? `${data.url}/version` : "",
  };
}
