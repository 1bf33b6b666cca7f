/**
 * A stand-in for Dice So Nice: it takes a message that has dice, says so, hides the
 * message until the dice have come to rest, and says that. Modes: "on", "off" (the
 * user turned it off: it says that nothing will fall), "stuck" (they never rest).
 */
import { pause } from "./clock.mjs";
import { Hooks } from "./hooks.mjs";

/** Shorter than real dice, which fall for some seconds: long enough to be seen falling. */
const DURATION = 500;

export class Dice3D {
  /** What fell, for the driver. */
  thrown = [];
  #falling = new Map();

  constructor(mode) {
    this.mode = mode;
    Hooks.on("createChatMessage", message => this.#take(message));
    Hooks.on("renderChatMessageHTML", (message, html) => {
      if (this.#falling.has(message.id)) html.classList.add("dsn-hide");
    });
  }

  isEnabled() {
    return this.mode !== "off";
  }

  get messageHookDisabled() {
    return false;
  }

  #take(message) {
    const dice = message.isRoll && message.rolls.some(r => r.dice.length);
    const willTrigger3DRoll = !!dice && this.isEnabled() && message.isContentVisible && !game.view?.hidden;
    Hooks.callAll("diceSoNiceMessageProcessed", message.id, { willTrigger3DRoll });
    if (!willTrigger3DRoll) return;
    const rest = this.#throw(message.rolls, message.id).then(() => {
      this.#falling.delete(message.id);
      document.querySelector(`.chat-log [data-message-id="${message.id}"]`)?.classList.remove("dsn-hide");
      Hooks.callAll("diceSoNiceRollComplete", message.id);
    });
    this.#falling.set(message.id, rest);
  }

  async #throw(rolls, messageId = null) {
    for (const roll of rolls) {
      Hooks.callAll("diceSoNiceRollStart", messageId, { roll });
      this.thrown.push({ messageId, dice: roll.dice.flatMap(d => d.results.map(r => ({ faces: d.faces, result: r.result }))) });
    }
    if (this.mode === "stuck") return new Promise(() => {});
    await pause(DURATION);
    return true;
  }

  /** As the real one: for a message that it does not take it never answers. */
  async waitFor3DAnimationByMessageID(id) {
    if (this.#falling.has(id)) {
      await this.#falling.get(id);
      return true;
    }
    if (game.messages.get(id)?.logged && this.thrown.some(t => t.messageId === id)) return true;
    return new Promise(resolve => {
      const hook = Hooks.on("diceSoNiceRollComplete", done => {
        if (done !== id) return;
        Hooks.off("diceSoNiceRollComplete", hook);
        resolve(true);
      });
    });
  }

  async showForRoll(roll, _user = game.user, _synchronize = false, users = null, blind = false, messageId = null) {
    if (!this.isEnabled() || blind || (users && !users.includes(game.user.id) && !users.includes(game.user))) return false;
    return this.#throw([roll], messageId);
  }
}
