import { Hooks } from "../hooks.mjs";
import { parse } from "../apps/markup.mjs";

/** ui.hotbar: ten slots for macros; what is dropped there is first offered to the hook. */
export class Hotbar {
  page = 1;
  rendered = false;

  get element() {
    return document.getElementById("hotbar");
  }

  async render() {
    this.element.replaceChildren(parse('<menu id="action-bar" class="flexrow"></menu>'));
    for (const { slot, macro } of game.user.getHotbarMacros(this.page)) {
      const li = parse(`<li class="slot" data-slot="${slot}"></li>`);
      li.textContent = macro?.name ?? "";
      if (macro) li.dataset.macroId = macro.id;
      li.addEventListener("click", () => void macro?.execute());
      li.addEventListener("dragover", event => event.preventDefault());
      li.addEventListener("drop", event => {
        event.preventDefault();
        void this.drop(JSON.parse(event.dataTransfer.getData("text/plain")), slot);
      });
      this.element.firstElementChild.append(li);
    }
    this.rendered = true;
    Hooks.callAll("renderHotbar", this, this.element, {}, {});
    return this;
  }

  async drop(data, slot) {
    if (!Hooks.call("hotbarDrop", this, data, slot)) return;
    if (data.type === "Macro") await game.user.assignHotbarMacro(await fromUuid(data.uuid), slot);
  }
}
