import { parse } from "../apps/markup.mjs";
import { SidebarTab } from "./sidebar.mjs";

/** ui.combat: who fights, in the order of turns. */
export class CombatTracker extends SidebarTab {
  static tabName = "combat";
  #viewed = null;

  build(element) {
    element.append(parse('<header class="combat-tracker-header"><strong class="encounter-title"></strong></header>'), parse('<ol class="combat-tracker plain"></ol>'));
  }

  get viewed() {
    if (this.#viewed && !game.combats.has(this.#viewed)) this.#viewed = null;
    return game.combats.get(this.#viewed) ?? game.combats.combats.find(c => c.active) ?? game.combats.combats[0] ?? null;
  }

  set viewed(combat) {
    this.#viewed = combat?.id ?? null;
    void this.render();
  }

  draw() {
    const combat = this.viewed;
    this.element.querySelector(".encounter-title").textContent = combat ? `Round ${combat.round}` : "";
    this.element.querySelector(".combat-tracker").replaceChildren(...(combat?.turns ?? []).filter(c => c.visible).map(c => {
      const li = parse(`<li class="combatant" data-combatant-id="${c.id}"><strong class="name"></strong><span class="token-initiative"></span></li>`);
      li.querySelector(".name").textContent = c.name;
      li.querySelector(".token-initiative").textContent = c.initiative ?? "";
      li.classList.toggle("active", combat.started && combat.combatant === c);
      li.classList.toggle("defeated", c.isDefeated);
      li.classList.toggle("hide", c.hidden);
      return li;
    }));
  }

  async render(options) {
    if (!document.querySelector("#sidebar-content")) return this;
    return super.render(options);
  }
}
