/** ui.notifications: short words to the user. They stay until removed; a test clears them. */
import { parse } from "../apps/markup.mjs";

let last = 0;

export class Notifications {
  /** All that were shown, for the driver. */
  _shown = [];

  get _active() {
    return [...document.querySelectorAll("#notifications > li")];
  }

  notify(message, type = "info", { localize = false, permanent = false, format, progress = false, console: _ = true, escape: _e = true, clean: _c = true } = {}) {
    const text = message instanceof Error ? message.message : localize || format ? game.i18n.format(message, format) : String(message);
    const notification = { id: ++last, type, message: text, permanent, progress, pct: 0, active: true, update: change => this.update(notification.id, change), remove: () => this.remove(notification.id) };
    this._shown.push(notification);
    const li = parse(`<li class="notification ${type}" role="status" data-id="${notification.id}"></li>`);
    li.textContent = text;
    if (permanent) li.classList.add("permanent");
    document.getElementById("notifications").append(li);
    return notification;
  }

  info(message, options) {
    return this.notify(message, "info", options);
  }

  warn(message, options) {
    return this.notify(message, "warning", options);
  }

  error(message, options) {
    return this.notify(message, "error", options);
  }

  success(message, options) {
    return this.notify(message, "success", options);
  }

  has(notification) {
    return this._active.some(li => li.dataset.id === String(notification.id ?? notification));
  }

  update(notification, { message, pct, format } = {}) {
    const known = this._shown.find(n => n.id === (notification.id ?? notification));
    if (pct !== undefined) known.pct = pct;
    if (message !== undefined) known.message = game.i18n.format(message, format);
    const li = document.querySelector(`#notifications > [data-id="${known.id}"]`);
    if (li) li.textContent = known.message;
  }

  remove(notification) {
    const known = this._shown.find(n => n.id === (notification.id ?? notification));
    if (known) known.active = false;
    document.querySelector(`#notifications > [data-id="${notification.id ?? notification}"]`)?.remove();
  }

  clear() {
    document.getElementById("notifications").replaceChildren();
  }
}
