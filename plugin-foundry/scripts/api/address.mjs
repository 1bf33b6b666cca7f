/**
 * What an address says by itself, before anything is sent there.
 * @import {Place} from "./client.mjs"
 * @import {Finding} from "./diagnose.mjs"
 *
 * @typedef {object} Situation
 * @property {string} origin    Of the page that calls.
 * @property {Place} [place]    Where the server is said to be; "internet" if absent.
 * @property {boolean} [plain]  Whether the GM takes it that others on the way can read what is sent.
 * @property {boolean} [gm]     Whether it is a GM's page.
 */

/** @param {string} host */
export function isLoopback(host) {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** Whether a host is a private address. @param {string} host */
function isPrivate(host) {
  return /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^\[f(c|d|e[89ab])/.test(host);
}

/** Whether a host is one that only a home network knows. @param {string} host */
export function isLocal(host) {
  return isPrivate(host) || /\.(local|lan|internal|home\.arpa)$/.test(host) || /^[^.[\]]+$/.test(host) && !isLoopback(host);
}

/**
 * Where a host is: as its address says, or else as somebody says. A name may lead
 * anywhere, whatever it looks like.
 * @param {string} host
 * @param {Place} [said]
 * @returns {Place}
 */
export function placeOf(host, said = "internet") {
  return isLoopback(host) ? "loopback" : isPrivate(host) ? "local" : said;
}

/**
 * The address in the form that a Client takes. Its scheme is never guessed: what is
 * guessed right today is wrong when the page moves to https.
 * @param {string} text
 * @returns {{url: URL, finding: null} | {url: null, finding: Finding}}
 */
export function parseAddress(text) {
  /** @param {string} key @returns {{url: null, finding: Finding}} */
  const wrong = key => ({ url: null, finding: { key, ok: false, data: { url: text.trim() } } });
  if (!text.trim()) return wrong("ADDRESS_EMPTY");
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim())) return wrong("ADDRESS_NO_SCHEME");
  if (!URL.canParse(text.trim())) return wrong("ADDRESS_MALFORMED");
  const url = new URL(text.trim());
  if (url.protocol !== "http:" && url.protocol !== "https:") return wrong("ADDRESS_SCHEME");
  if (url.username || url.password || url.search || url.hash) return wrong("ADDRESS_MALFORMED");
  return { url, finding: null };
}

/** @param {URL} url */
export function withoutSlash(url) {
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/**
 * Why the page must not even try to call an address; null if it may.
 * @param {string} text
 * @param {Situation} situation
 * @returns {Finding | null}
 */
export function refuseAddress(text, { origin, place = "internet", plain = false, gm = true }) {
  const { url, finding } = parseAddress(text);
  if (!url) return finding;
  const page = new URL(origin);
  const host = url.hostname;
  const data = { url: withoutSlash(url), host, origin };
  // This very computer: another one for everybody who opens the page.
  if (!gm && isLoopback(host) && !isLoopback(page.hostname)) return { key: "ADDRESS_OF_GM", ok: false, data };
  if (url.protocol === "https:" || isLoopback(host)) return null;
  // To say that it is near lifts the browser's ban, where the browser knows of that.
  if (page.protocol === "https:" && place === "internet") return { key: "MIXED_CONTENT", ok: false, data };
  if (!isLocal(host) && place === "internet" && !plain) return { key: "PLAIN_HTTP", ok: false, data };
  return null;
}
