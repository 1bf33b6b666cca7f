import { Hooks } from "../hooks.mjs";
import { parse } from "../apps/markup.mjs";

/** ui.players: who is here. */
export class Players {
  rendered = false;

  get element() {
    return document.getElementById("players");
  }

  async render() {
    this.element.replaceChildren(parse('<div id="players-active"><ol class="players-list plain"></ol></div>'));
    for (const user of game.users) {
      if (!user.active) continue;
      const li = parse(`<li class="player flexrow" data-user-id="${user.id}"><span class="player-name"></span></li>`);
      li.querySelector(".player-name").textContent = user.name;
      this.element.querySelector("ol").append(li);
    }
    this.rendered = true;
    Hooks.callAll("renderPlayers", this, this.element, {}, {});
    return this;
  }
}
