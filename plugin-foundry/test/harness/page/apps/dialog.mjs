import { ApplicationV2 } from "./application.mjs";
import { FormDataExtended } from "./form-data.mjs";
import { parse } from "./markup.mjs";

/** A window with a question and buttons. */
export class DialogV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "dialog-{id}", classes: ["dialog"], tag: "dialog", window: { frame: true, positioned: true, minimizable: false },
  };

  _initializeApplicationOptions(options) {
    const all = super._initializeApplicationOptions(options);
    if (!all.buttons?.length) throw new Error("You must define at least one entry in options.buttons");
    all.buttons = Object.fromEntries(all.buttons.map(b => [b.action, b]));
    return all;
  }

  async _renderHTML() {
    const form = parse('<form class="dialog-form standard-form" autocomplete="off"><div class="dialog-content standard-form"></div><footer class="form-footer"></footer></form>');
    const { content = "" } = this.options;
    form.querySelector(".dialog-content").append(content instanceof HTMLElement ? content : parse(content, { all: true }));
    form.querySelector("footer").append(...Object.values(this.options.buttons).map(({ action, label, icon, class: name, type = "submit", default: initial, disabled, tooltip }) => {
      const button = parse("<button><span></span></button>");
      Object.assign(button, { type, className: name ?? "", disabled: !!disabled, autofocus: !!initial });
      button.dataset.action = action;
      button.querySelector("span").textContent = game.i18n.localize(label);
      if (icon) button.prepend(parse(`<i class="${icon}" inert=""></i>`));
      if (tooltip) button.dataset.tooltip = tooltip;
      return button;
    }));
    form.addEventListener("submit", event => this._onSubmit(event.submitter, event));
    return form;
  }

  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }

  _onFirstRender() {
    if (this.options.modal) this.element.showModal();
    else this.element.show();
    this.element.addEventListener("keydown", event => {
      if (event.key === "Escape") void this.close();
    });
  }

  async _onSubmit(target, event) {
    event.preventDefault();
    const initial = Object.values(this.options.buttons).find(b => b.default) ?? Object.values(this.options.buttons)[0];
    const button = this.options.buttons[target?.dataset.action] ?? initial;
    const chosen = target ?? this.element.querySelector(`button[data-action="${button.action}"]`);
    const result = (await button.callback?.(event, chosen, this)) ?? button.action;
    await this.options.submit?.(result, this);
    return this.options.closeOnSubmit === false ? this : this.close({ submitted: true });
  }

  /**
   * Asks and waits. Closed without an answer it gives null, or fails with rejectClose.
   * @param {any} [config]
   * @returns {Promise<any>}
   */
  static async wait({ rejectClose = false, close, submit, render, ...config } = {}) {
    return new Promise((resolve, reject) => {
      const dialog = new this({ ...config, submit: async (result, d) => {
        await submit?.(result, d);
        resolve(result);
      } });
      dialog.addEventListener("close", event => {
        const value = close instanceof Function ? close(event, dialog) : undefined;
        if (rejectClose) reject(new Error("Dialog was dismissed without pressing a button."));
        else resolve(value ?? null);
      }, { once: true });
      if (render) dialog.addEventListener("render", event => render(event, dialog));
      dialog.render({ force: true }).catch(reject);
    });
  }

  /** @param {any} [config] @returns {Promise<any>} */
  static async confirm({ yes = {}, no = {}, ...options } = {}) {
    const buttons = [{ action: "yes", label: "Yes", icon: "fa-solid fa-check", callback: () => true, ...yes }, { action: "no", label: "No", icon: "fa-solid fa-xmark", default: true, callback: () => false, ...no }];
    return this.wait({ ...options, buttons: [...buttons, ...(options.buttons ?? [])] });
  }

  /** @param {any} [config] @returns {Promise<any>} */
  static async prompt({ ok = {}, ...options } = {}) {
    return this.wait({ ...options, buttons: [{ action: "ok", label: "Confirm", icon: "fa-solid fa-check", default: true, ...ok }, ...(options.buttons ?? [])] });
  }

  /** @param {any} [config] @returns {Promise<any>} */
  static async input({ ok = {}, ...options } = {}) {
    const callback = (event, button) => new FormDataExtended(button.form).object;
    return this.prompt({ ...options, ok: { callback, ...ok } });
  }

  static async query(user, type, config = {}) {
    if (!["wait", "confirm", "prompt", "input"].includes(type)) throw new Error(`there is no dialog "${type}"`);
    const to = typeof user === "string" ? game.users.get(user) : user;
    return to.query("dialog", { type, config });
  }
}
