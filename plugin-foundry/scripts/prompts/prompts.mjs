/**
 * Asks the user what the table asks the seat: opens a window for each question,
 * closes it once the question is settled, wherever it was answered, and keeps a
 * badge with what is still open.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {PromptWindow} from "./windows.mjs"
 */
import { openSheet } from "../apps/sheets.mjs";
import { MODULE } from "../constants.mjs";
import { complain } from "../i18n.mjs";
import { BadgeApp } from "./badge-app.mjs";
import { PoliciesApp } from "./policies-app.mjs";
import { PromptApp } from "./prompt-app.mjs";
import { QuestionsApp } from "./questions-app.mjs";
import { windowsOf } from "./windows.mjs";

class Asking {
  /** @type {Session | null} */
  #session = null;
  /** The windows of questions by their id. @type {Map<string, PromptApp>} */
  #apps = new Map();
  /** Prompts that were shown once: they do not come up again by themselves. @type {Set<string>} */
  #shown = new Set();
  /** @type {BadgeApp | null} */
  #badge = null;
  /** @type {QuestionsApp | null} */
  #list = null;
  /** @type {PoliciesApp | null} */
  #policies = null;

  /** @returns {PromptWindow[]} */
  get windows() {
    return windowsOf(this.#session?.prompts ?? []);
  }

  /** The sheets that wait for this GM to approve them. */
  get sheets() {
    const characters = this.#session?.isGM ? this.#session.view?.characters ?? [] : [];
    return characters.filter(character => character.review === "REVIEW_SUBMITTED");
  }

  get session() {
    return this.#session;
  }

  /** @param {Session} session */
  start(session) {
    this.#session = session;
    this.#badge = new BadgeApp(() => this.open());
    this.#list = new QuestionsApp(this);
    const off = [
      session.on("prompts", () => this.#sync()),
      session.on("view", () => this.#refresh()),
      session.on("state", () => this.#sync()),
    ];
    void this.#sync();
    return () => {
      for (const end of off) end();
      this.#session = null;
      for (const app of [...this.#apps.values(), this.#badge, this.#list, this.#policies]) void app?.close({ animate: false });
      this.#apps.clear();
      this.#shown.clear();
      this.#badge = this.#list = this.#policies = null;
    };
  }

  async #sync() {
    const session = this.#session;
    if (!session) return;
    const windows = this.windows;
    const ids = new Set(windows.map(window => window.id));
    for (const [id, app] of this.#apps) {
      // What the GM answers for another seat is not among the GM's own questions.
      if (ids.has(id) || app.question.insteadOf) continue;
      this.#apps.delete(id);
      void app.close({ animate: false });
    }
    for (const window of windows) {
      this.#apps.get(window.id)?.update(window);
      // What nothing waits for is a to-do: it does not come up by itself.
      const fresh = window.prompts.some(prompt => !this.#shown.has(prompt.id ?? ""));
      if (!window.standing && fresh) this.ask({ session, window });
    }
    const open = new Set(session.prompts.map(prompt => prompt.id));
    for (const id of this.#shown) if (!open.has(id)) this.#shown.delete(id);
    this.#badge?.tell(windows.length, this.sheets.length, session.view?.waitingOn ?? []);
    void this.#list?.render();
  }

  /** The words around questions may have changed, and who is waited for. */
  async #refresh() {
    for (const app of this.#apps.values()) if (app.question.insteadOf) void this.#recheck(app);
    void this.#policies?.render();
  }

  /** A question of another seat is gone once that seat is not asked it any more. @param {PromptApp} app */
  async #recheck(app) {
    const { insteadOf, window } = app.question;
    const open = await this.#windowsOf(insteadOf?.id ?? "").catch(() => null);
    if (!open) return;
    const now = open.find(w => w.id === window.id);
    if (now) {
      app.update(now);
      return;
    }
    this.#apps.delete(window.id);
    await app.close({ animate: false });
  }

  /** The questions of another seat, which the GM may see and answer. @param {string} seat */
  async #windowsOf(seat) {
    const session = this.#session;
    if (!session) return [];
    const { prompts = [] } = await session.viewAs(seat);
    return windowsOf(prompts);
  }

  /** Shows a question. @param {import("./prompt-app.mjs").Question} question */
  ask(question) {
    const { id, prompts } = question.window;
    for (const prompt of prompts) this.#shown.add(prompt.id ?? "");
    const app = this.#apps.get(id) ?? new PromptApp(question);
    this.#apps.set(id, app);
    if (app.minimized) void app.maximize();
    void app.render({ force: true });
  }

  /** Shows what another seat is asked, for the GM to answer. @param {string} seat */
  async askInsteadOf(seat) {
    const session = this.#session;
    const insteadOf = session?.view?.seats?.find(s => s.id === seat);
    if (!session || !insteadOf) return;
    try {
      for (const window of await this.#windowsOf(seat)) if (!window.standing) this.ask({ session, window, insteadOf });
    } catch (error) {
      complain(error);
    }
  }

  /** Goes to the only question or sheet, or to the list of all. */
  open() {
    const session = this.#session;
    const { windows, sheets } = this;
    const only = windows.length + sheets.length === 1;
    if (session && only && windows.length) this.ask({ session, window: windows[0] });
    else if (only) openSheet(sheets[0].id ?? "");
    else void this.#list?.render({ force: true });
  }

  openPolicies() {
    if (!this.#session) return;
    this.#policies ??= new PoliciesApp(this.#session);
    void this.#policies.render({ force: true });
  }
}

export const asking = new Asking();

/** @type {import("../hantei.mjs").Part} */
export const prompts = {
  init() {
    game.keybindings.register(MODULE, "questions", {
      name: "HANTEI.Prompt.Key.Name",
      hint: "HANTEI.Prompt.Key.Hint",
      editable: [{ key: "KeyH", modifiers: ["SHIFT"] }],
      onDown: () => {
        asking.open();
        return true;
      },
    });
  },
  start: session => asking.start(session),
};
