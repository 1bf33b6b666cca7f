/**
 * The ways to declare something: token HUD, scene controls, chat, hotbar, keys.
 * @import {Session} from "../api/session.mjs"
 * @import {Shortcut} from "./offers.mjs"
 */
import { MODULE } from "../constants.mjs";
import { complain, words } from "../i18n.mjs";
import { clearValues } from "../inputs/fields.mjs";
import { around } from "../inputs/form.mjs";
import { characterOf } from "../link/registry.mjs";
import { ActionApp } from "./action-app.mjs";
import { chatCommand } from "./chat-command.mjs";
import { addControl } from "./controls.mjs";
import { addToHotbar } from "./hotbar.mjs";
import { addToHUD } from "./hud.mjs";
import { beginsCombat } from "./forms.mjs";
import { findOffer } from "./offers.mjs";

class Acting {
  /** @type {Session | null} */
  #session = null;
  /** @type {ActionApp | null} */
  #app = null;

  get session() {
    return this.#session;
  }

  /** @param {Session} session */
  start(session) {
    this.#session = session;
    const off = session.on("view", () => this.#app?.update());
    return () => {
      off();
      this.#session = null;
      void this.#app?.close({ animate: false });
      this.#app = null;
    };
  }

  /**
   * Whom the user means: the token that is selected, the user's own character, or
   * the first who can act.
   * @returns {string}
   */
  get #meant() {
    const mine = new Set(this.#session?.view?.offers?.map(offer => offer.actor ?? ""));
    const candidates = [...(canvas?.tokens?.controlled.map(token => characterOf(token.document)) ?? []), characterOf(game.user.character)];
    const meant = candidates.find(id => id !== null && mine.has(id));
    return meant ?? [...mine].find(Boolean) ?? "";
  }

  /**
   * Opens the window of what a character can do.
   * @param {string} [actor]
   * @param {string} [search]
   */
  open(actor = this.#meant, search = "") {
    if (!this.#session) {
      ui.notifications?.warn("HANTEI.Action.NotConnected", { localize: true });
      return;
    }
    this.#app ??= new ActionApp(this.#session, actor);
    void this.#app.show(actor, search);
  }

  /** A fight that is begun in Foundry's tracker is none of the table's: says where that is begun. */
  tellOfCombat() {
    const offer = this.#session?.view?.offers?.find(beginsCombat);
    if (offer) ui.notifications?.warn(words("Action.Combat.Elsewhere", { action: offer.text ?? "" }));
  }

  /**
   * Takes the offer that a shortcut means: at once if it is clear what is meant,
   * whoever is targeted for example, and else by its form.
   * @param {Shortcut} shortcut
   */
  async act(shortcut) {
    const session = this.#session;
    if (!session) {
      ui.notifications?.warn("HANTEI.Action.NotConnected", { localize: true });
      return;
    }
    const offer = findOffer(session.view?.offers ?? [], shortcut);
    const why = !offer ? game.i18n.format("HANTEI.Action.Gone", { what: shortcut.text }) : offer.possible ? "" : offer.reasonText || offer.reason;
    if (!offer || why) {
      ui.notifications?.warn(why ?? "");
      return;
    }
    const values = offer.form ? null : clearValues(offer.inputs ?? [], around(session));
    if (!values) {
      this.#app ??= new ActionApp(session, offer.actor ?? "");
      await this.#app.fillIn(offer);
      return;
    }
    try {
      await session.act({ offer: { offerId: offer.id, ...(values.length && { values }) } });
    } catch (error) {
      complain(error);
    }
  }
}

export const acting = new Acting();

/**
 * @param {any} hud
 * @param {HTMLElement} html
 */
function addActionsToHUD(hud, html) {
  const id = characterOf(hud.document);
  if (!id || !acting.session?.view?.offers?.some(offer => offer.actor === id)) return;
  addToHUD(html, "fa-gavel", "HANTEI.Action.Open", () => acting.open(id));
}

/** What macros and other modules can call. */
const api = {
  act: (/** @type {Shortcut} */ shortcut) => acting.act(shortcut),
  openActions: (/** @type {string | undefined} */ actor) => acting.open(actor),
};

/** @type {import("../hantei.mjs").Part} */
export const actions = {
  init() {
    Hooks.on("renderTokenHUD", addActionsToHUD);
    Hooks.on("getSceneControlButtons", controls => addControl(controls, () => acting.open()));
    Hooks.on("combatStart", () => acting.tellOfCombat());
    Hooks.on("chatMessage", (log, message) => chatCommand(acting, message));
    Hooks.on("hotbarDrop", (hotbar, data, slot) => addToHotbar(data, slot));
    game.keybindings.register(MODULE, "actions", {
      name: "HANTEI.Action.Key.Name",
      hint: "HANTEI.Action.Key.Hint",
      editable: [{ key: "KeyJ", modifiers: ["SHIFT"] }],
      onDown: () => {
        acting.open();
        return true;
      },
    });
    const module = game.modules.get(MODULE);
    if (module) module.api = Object.assign(module.api ?? {}, api);
  },
  start: session => acting.start(session),
};
