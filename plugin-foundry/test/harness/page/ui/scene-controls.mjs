import { Hooks } from "../hooks.mjs";
import { parse } from "../apps/markup.mjs";

/** ui.controls: tools beside the scene, an object of objects since version 13. */
export class SceneControls {
  rendered = false;
  controls = {};
  #control = "tokens";

  get element() {
    return document.getElementById("scene-controls-box");
  }

  get control() {
    return this.controls[this.#control];
  }

  get tool() {
    return this.control.tools[this.control.activeTool];
  }

  get tools() {
    return this.control.tools;
  }

  #prepare() {
    const select = { name: "select", title: "CONTROLS.BasicSelect", icon: "fa-solid fa-expand", order: 1 };
    const controls = { tokens: { name: "tokens", order: 1, title: "CONTROLS.GroupToken", icon: "fa-solid fa-user-alt", layer: "tokens", activeTool: "select", visible: true, tools: { select } } };
    Hooks.callAll("getSceneControlButtons", controls);
    if (Array.isArray(controls)) throw new Error("scene controls are an object since version 13");
    for (const [name, control] of Object.entries(controls)) {
      for (const key of ["name", "title", "icon", "order", "tools"]) if (!(key in control)) throw new Error(`the scene control "${name}" has no ${key}`);
      if (!(control.activeTool in control.tools)) throw new Error(`the scene control "${name}" has no tool "${control.activeTool}" to be active`);
      for (const [key, tool] of Object.entries(control.tools)) {
        if (tool.name !== key) throw new Error(`the tool "${key}" calls itself "${tool.name}"`);
        for (const field of ["title", "icon", "order"]) if (!(field in tool)) throw new Error(`the tool "${key}" has no ${field}`);
        if ((tool.button || tool.toggle) && typeof tool.onChange !== "function") throw new Error(`the tool "${key}" has no onChange`);
      }
    }
    return controls;
  }

  async render({ reset = true } = {}) {
    if (reset || !this.rendered) this.controls = this.#prepare();
    const order = (a, b) => a.order - b.order;
    const layers = parse('<menu id="scene-controls-layers"></menu>');
    for (const control of Object.values(this.controls).sort(order)) if (control.visible !== false) layers.append(this.#button("control", control, () => this.activate({ control: control.name })));
    const tools = parse('<menu id="scene-controls-tools"></menu>');
    for (const tool of Object.values(this.tools).sort(order)) if (tool.visible !== false) tools.append(this.#button("tool", tool, event => this.#use(tool, event)));
    this.element.replaceChildren(layers, tools);
    this.rendered = true;
    Hooks.callAll("renderSceneControls", this, this.element, {}, {});
    return this;
  }

  #button(kind, { name, title, icon, toggle, active }, onClick) {
    const li = parse(`<li><button type="button" class="${kind} ui-control icon ${icon}" data-action="${kind}" data-${kind}="${name}"></button></li>`);
    li.firstElementChild.ariaLabel = game.i18n.localize(title);
    if (toggle) li.firstElementChild.setAttribute("aria-pressed", String(!!active));
    li.firstElementChild.addEventListener("click", onClick);
    return li;
  }

  #use(tool, event) {
    if (tool.toggle) tool.active = !tool.active;
    else if (!tool.button) this.control.activeTool = tool.name;
    tool.onChange?.(event, tool.toggle ? tool.active : true);
    return this.render({ reset: false });
  }

  async activate({ control = this.#control, tool, event } = {}) {
    this.control.onChange?.(event, false);
    this.#control = control;
    if (tool) this.control.activeTool = tool;
    this.control.onChange?.(event, true);
    return this.render({ reset: false });
  }
}
