/** The menu of a right click. Entries have the generation's own form; another fails. */
import { parse } from "../apps/markup.mjs";

/** Takes an entry of either form, but not one without words or deed. */
function entryOf(entry) {
  const label = entry.label ?? entry.name;
  const visible = entry.visible ?? entry.condition ?? true;
  const run = entry.onClick ?? entry.callback;
  if (typeof label !== "string" || typeof run !== "function") throw new Error(`a context menu's entry needs label and onClick, or name and callback: ${JSON.stringify(entry)}`);
  if (game.release.generation < 14 && !("name" in entry && "callback" in entry)) throw new Error("version 13 reads name, condition and callback of a context menu's entry");
  return { label, icon: entry.icon, visible, run, modern: "onClick" in entry };
}

/** Shows the entries for an element; returns the menu. */
export function openMenu(target, entries, event) {
  document.getElementById("context-menu")?.remove();
  const menu = parse('<nav id="context-menu"><menu class="context-items"></menu></nav>');
  for (const entry of entries.map(entryOf)) {
    if (!(typeof entry.visible === "function" ? entry.visible(target) : entry.visible)) continue;
    const li = parse('<li class="context-item"><span></span></li>');
    li.querySelector("span").textContent = game.i18n.localize(entry.label);
    li.addEventListener("click", click => {
      menu.remove();
      entry.modern && game.release.generation >= 14 ? entry.run(click, target) : entry.run(target, click);
    });
    menu.querySelector("menu").append(li);
  }
  Object.assign(menu.style, { left: `${Math.min(event.clientX, innerWidth - 220)}px`, top: `${event.clientY}px` });
  document.body.append(menu);
  return menu;
}

export class ContextMenu {
  constructor(container, selector, menuItems) {
    container.addEventListener("contextmenu", event => {
      const target = event.target.closest(selector);
      if (!target) return;
      event.preventDefault();
      openMenu(target, typeof menuItems === "function" ? menuItems() : menuItems, event);
    });
  }
}
