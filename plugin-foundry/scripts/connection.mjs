/**
 * @import {Part} from "./hantei.mjs"
 * @import {Session} from "./api/session.mjs"
 */

/** The client's connection to its table. */
class Connection {
  /** @type {Part[]} */
  #parts = [];
  /** The connection that stands, or null. @type {Session | null} */
  session = null;

  /** @param {Part[]} parts  That begin and end with it. */
  init(parts) {
    this.#parts = parts;
  }

  async connect() {
    for (const part of this.#parts) if (this.session) part.start?.(this.session);
  }
}

export const connection = new Connection();
