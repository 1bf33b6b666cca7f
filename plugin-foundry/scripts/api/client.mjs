/**
 * Where the server is, as seen from the page: it decides what a browser must be
 * told before it lets a page call there (Local Network Access).
 * @typedef {"internet" | "local" | "loopback"} Place
 *
 * @typedef {object} ClientOptions
 * @property {string} url         The server, with its path if it has one, without a slash at the end.
 * @property {string} [token]     Who calls; absent for what anybody may call.
 * @property {string} [language]  The language of texts, "ja" or "en".
 * @property {Place} [place]      Where the server is; "internet" if absent.
 * @property {typeof fetch} [fetch]
 * @property {number} [patience]  How long to wait for an answer, in milliseconds.
 */

/** A refusal by the server, or "UNREACHABLE" when there was no answer at all. */
export class HanteiError extends Error {
  /**
   * @param {string} reason   For programs, for example "PROMPT_CLOSED".
   * @param {string} message  For people, in the client's language.
   * @param {{status?: number, retryAfter?: number, cause?: unknown}} [more]
   */
  constructor(reason, message, more = {}) {
    super(message, { cause: more.cause });
    this.name = "HanteiError";
    this.reason = reason;
    /** The HTTP status; 0 without an answer. */
    this.status = more.status ?? 0;
    /** Seconds to wait before another try; 0 if the server did not say. */
    this.retryAfter = more.retryAfter ?? 0;
  }

  /** Whether the same call may succeed if it is made again. */
  get transient() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether it was Hantei that has refused, and will do so again. */
  get refused() {
    return this.status >= 400 && !this.transient && this.reason !== "NOT_HANTEI";
  }
}

/** The address spaces that the browser knows, by place. */
const SPACES = { internet: undefined, local: "local", loopback: "loopback" };

/**
 * After so many milliseconds a call has failed. The server itself may take up to 25
 * seconds, if it was asked to wait for somebody's answer.
 */
const PATIENCE = 35_000;

/** Calls a Hantei server. It knows no Foundry, and keeps nothing but how to call. */
export class Client {
  #options;

  /** @param {ClientOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get url() {
    return this.#options.url;
  }

  /**
   * What a fetch to the server needs besides its path.
   * @param {Record<string, string>} [headers]
   * @returns {RequestInit}
   */
  #init(headers = {}) {
    const { token, language, place = "internet" } = this.#options;
    if (token) headers.Authorization = `Bearer ${token}`;
    if (language) headers["Accept-Language"] = language;
    /** @type {RequestInit & {targetAddressSpace?: string}} */
    const init = { headers, cache: "no-store", credentials: "omit", redirect: "error" };
    if (SPACES[place]) init.targetAddressSpace = SPACES[place];
    return init;
  }

  /**
   * Makes a call and returns its answer. Throws a HanteiError.
   * @template [T=any]
   * @param {string} verb
   * @param {string} path                         From "/v1".
   * @param {object} [body]
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<T>}
   */
  async call(verb, path, body, { signal } = {}) {
    const init = this.#init(body ? { "Content-Type": "application/json" } : {});
    const response = await this.#fetch(path, {
      ...init, method: verb, body: body && JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(this.#options.patience ?? PATIENCE), ...signal ? [signal] : []]),
    }, signal);
    if (!response.ok) throw await refusal(response);
    const text = await response.text().catch(cause => { throw unreachable(cause, signal); });
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new HanteiError("NOT_HANTEI", "the answer is not JSON", { status: response.status, cause });
    }
  }

  /**
   * Opens a stream of lines, each the JSON of a message.
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {Promise<ReadableStream<string>>}
   */
  async open(path, signal) {
    const response = await this.#fetch(path, { ...this.#init({ Accept: "application/x-ndjson" }), signal }, signal);
    if (!response.ok || !response.body) throw await refusal(response);
    if (!response.headers.get("Content-Type")?.startsWith("application/x-ndjson")) {
      throw new HanteiError("NOT_HANTEI", "the answer is no stream", { status: response.status });
    }
    return response.body.pipeThrough(new TextDecoderStream());
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @param {AbortSignal} [signal]  The caller's own.
   */
  async #fetch(path, init, signal) {
    const send = this.#options.fetch ?? fetch;
    try {
      return await send(this.#options.url + path, init);
    } catch (cause) {
      throw unreachable(cause, signal);
    }
  }
}

/**
 * What a failed fetch means. The browser does not say why it failed: diagnose.mjs
 * finds out. Whoever has called it off gets back the error with which that was done.
 * @param {unknown} cause
 * @param {AbortSignal} [signal]
 */
function unreachable(cause, signal) {
  return signal?.aborted ? cause : asHanteiError(cause);
}

/**
 * An error of a call as what it says of the server.
 * @param {unknown} error
 */
export function asHanteiError(error) {
  return error instanceof HanteiError ? error : new HanteiError("UNREACHABLE", String(error), { cause: error });
}

/**
 * A new idempotency key. randomUUID is missing where a page is not secure, and many
 * a Foundry is served over plain http at home.
 */
export function newRequestId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), b => b.toString(16).padStart(2, "0")).join("");
}

/**
 * The refusal that a response carries. What is no Hantei's, a proxy's page for
 * example, has the reason "NOT_HANTEI".
 * @param {Response} response
 */
async function refusal(response) {
  const text = await response.text().catch(() => "");
  try {
    const { reason, status, message } = JSON.parse(text);
    if (typeof message === "string") {
      const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
      return new HanteiError(reason || status, message, { status: response.status, retryAfter });
    }
  } catch {
    // not JSON
  }
  return new HanteiError("NOT_HANTEI", `${response.status} ${response.statusText}`, { status: response.status });
}
