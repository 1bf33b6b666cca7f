/**
 * A table to test at: a world with users, a real Hantei with a coc table and seats
 * for them, and a browser profile for each. Everything is thrown away at the end.
 *
 *   const table = await openTable();
 *   const gm = await table.join("gm"), eri = await table.join("eri");
 *   ...
 *   await table.close();
 */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser, openContext } from "./browser.mjs";
import { Hantei } from "./hantei.mjs";
import { Player } from "./player.mjs";
import { Recorder } from "./recorder.mjs";
import { furnish } from "./world/furnish.mjs";
import { WorldServer } from "./world/server.mjs";
import { World } from "./world/world.mjs";

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * @typedef {object} TableOptions
 * @property {13 | 14} [generation]
 * @property {"plain" | "CoC7"} [system]   The shape of actors.
 * @property {"absent" | "on" | "off" | "stuck"} [dice]  Dice So Nice.
 * @property {"delivered" | "withheld"} [whispers]  Whether others' pages get whispered messages.
 * @property {"en" | "ja"} [language]
 * @property {{width: number, height: number}} [canvas]  How large scenes are drawn; many pages draw small ones sooner.
 * @property {{id: string, folder: string}[]} [modules]  Instead of the shipped one.
 * @property {boolean} [hantei]   false for tests of Foundry's side alone.
 * @property {{key: string, value: string}[]} [options]  Of the Hantei table.
 * @property {string} [ruleset]   Of the Hantei table; coc unless said.
 * @property {Record<string, string>} [samples]  By user, who plays which character made from which sample.
 * @property {string[]} [flags]   Of the Hantei server.
 * @property {string[]} [browserFlags]
 * @property {{key: any, cert: any, host?: string}} [tls]  For a world on https.
 *
 * @param {TableOptions} [options]
 */
export async function openTable(options = {}) {
  const table = new Table(options);
  try {
    return await table.open();
  } catch (error) {
    await table.close();
    throw error;
  }
}

export class Table {
  /** @type {Map<string, Player>} */
  players = new Map();
  /** Seats of the Hantei table by user name: {id, token, pairingCode}. @type {Record<string, any>} */
  seats = {};

  constructor(options) {
    this.options = { generation: 13, system: "plain", dice: "absent", whispers: "delivered", language: "en", hantei: true, ruleset: "coc", samples: { eri: "nurse", jun: "officer", gm: "thug" }, ...options };
  }

  async open() {
    const { generation, system, modules, whispers, dice, language, canvas, tls, browserFlags } = this.options;
    this.world = new World({ generation, system });
    /** The documents that every test has: users, actors, tokens, a scene. */
    this.things = furnish(this.world);
    this.server = new WorldServer(this.world, { modules: modules ?? [{ id: "hantei", folder: PACKAGE }], whispers, page: { dice, language, canvas } });
    this.origin = await this.server.listen(tls);
    if (this.options.hantei) await this.#seat();
    this.browser = await openBrowser(browserFlags);
    return this;
  }

  /** Starts Hantei and makes its table, with a seat for each user but the spectator. */
  async #seat() {
    this.hantei = await new Hantei({ origins: [this.origin], flags: this.options.flags ?? [] }).start();
    this.recorder = new Recorder(() => this.hantei.port);
    /** Where the pages find Hantei. */
    this.url = await this.recorder.listen();
    const { table, gmToken, gmSeat } = await this.hantei.call("POST", "/v1/tables", { name: "Friday", ruleset: this.options.ruleset, options: [{ key: "given_dice", value: "all" }, ...(this.options.options ?? [])] });
    this.id = table.id;
    this.seats.gm = { id: gmSeat.id, token: gmToken };
    const { samples } = this.options;
    for (const name of Object.keys(samples).filter(name => name !== "gm")) {
      const { seat, pairingCode } = await this.as("gm", "POST", `/v1/tables/${this.id}/seats`, { name, role: "SEAT_ROLE_PLAYER", characters: [samples[name]] });
      const { token } = await this.hantei.call("POST", "/v1/pair", { code: pairingCode.code, name: "harness" });
      this.seats[name] = { id: seat.id, token };
    }
    for (const [name, sample] of Object.entries(samples)) {
      await this.as("gm", "POST", `/v1/tables/${this.id}/characters`, { sample, ...(name !== "gm" && { seatId: this.seats[name].id }) });
    }
  }

  /** Calls Hantei with a seat's token. */
  as(name, method, path, body, language = "en") {
    return this.hantei.call(method, path, body, this.seats[name].token, language);
  }

  /** Declares an action at the Hantei table, with dice that are known. */
  act(name, action, { actor, dice = [], ...more } = {}) {
    return this.as(name, "POST", `/v1/tables/${this.id}:act`, { action, ...(actor && { actor }), ...(dice.length && { givenDice: dice }), requestId: crypto.randomUUID(), ...more });
  }

  /** Answers the open prompt of a character; "-" stands for any window. */
  answer(name, character, choice, { dice = [], prompt = "-" } = {}) {
    return this.as(name, "POST", `/v1/tables/${this.id}/prompts/${prompt}:answer`, { answers: [{ character, choice }], ...(dice.length && { givenDice: dice }), requestId: crypto.randomUUID() });
  }

  /** A new code with which a seat's user can pair a page. */
  async pairingCode(name) {
    const { pairingCode } = await this.as("gm", "POST", `/v1/tables/${this.id}/seats/${this.seats[name].id}/pairingCodes`, {});
    return pairingCode.code;
  }

  /**
   * Prepares a user's browser profile without opening the page.
   * @param {string} name  Of a user of the world: gm, gm2, assistant, eri, jun, spectator.
   */
  async enter(name, options = {}) {
    const known = this.players.get(name);
    if (known) return known;
    const user = this.things.users[name];
    const context = await openContext(this.browser, user._id, options);
    const player = new Player(this, user, context);
    this.players.set(name, player);
    return player;
  }

  /** Opens a user's page; again for the same user in another tab of the same profile. */
  async join(name, { clock, client = {}, ...options } = {}) {
    const player = await this.enter(name, options);
    if (Object.keys(client).length) await this.remember(player, client);
    if (!player.page) return player.open({ clock });
    const tab = new Player(this, player.user, player.context);
    return tab.open({ clock });
  }

  /** Puts settings of scope "client" into a profile before its page is opened. */
  async remember(player, settings) {
    await player.context.addInitScript(entries => {
      for (const [key, value] of entries) if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(value));
    }, Object.entries(settings));
  }

  /** Puts a setting of the world there, as a GM would have. */
  setting(key, value) {
    return this.world.make("Setting", { key, value: JSON.stringify(value) });
  }

  /** Fails when a page threw, showed an error or lacked a text. */
  async faults() {
    const all = {};
    for (const [name, player] of this.players) {
      const faults = player.page && !player.page.isClosed() ? [...(await player.faults()), ...player.errors] : player.errors;
      if (faults.length) all[name] = faults;
    }
    return all;
  }

  async close() {
    await this.browser?.close();
    await this.recorder?.close();
    await this.server?.close();
    await this.hantei?.stop();
  }
}

/** Where screenshots go. */
export function picture(name) {
  const folder = join(PACKAGE, "../build/foundry/pictures");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
