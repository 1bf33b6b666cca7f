import { parse } from "../apps/markup.mjs";
import { SidebarTab } from "./sidebar.mjs";

/** ui.settings: the menus and settings that packages registered, as buttons and a list. */
export class Settings extends SidebarTab {
  static tabName = "settings";

  draw() {
    const menus = [...game.settings.menus.entries()].filter(([, m]) => !m.restricted || game.user.isGM).map(([key, { name, label, hint, type }]) => {
      const button = parse(`<button type="button" data-action="openSubmenu" data-key="${key}"></button>`);
      button.textContent = game.i18n.localize(label ?? name);
      button.title = game.i18n.localize(hint ?? "");
      button.addEventListener("click", () => void new type().render({ force: true }));
      return button;
    });
    const rows = [...game.settings.settings.values()].filter(s => s.config && (s.scope !== "world" || game.user.isGM)).map(s => {
      const row = parse(`<div class="form-group" data-setting-id="${s.id}"><label></label><p class="hint"></p></div>`);
      row.querySelector("label").textContent = game.i18n.localize(s.name);
      row.querySelector("p").textContent = game.i18n.localize(s.hint ?? "");
      for (const label of Object.values(s.choices ?? {})) game.i18n.localize(label);
      return row;
    });
    this.element.replaceChildren(...menus, ...rows);
  }
}
