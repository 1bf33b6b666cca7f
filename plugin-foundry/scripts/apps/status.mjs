/**
 * How the connection stands, for who does not look: a badge above the list of
 * players, and a few words once when it breaks off.
 *
 * @import {Part} from "../hantei.mjs"
 * @import {Status} from "../connection.mjs"
 */
import { connection } from "../connection.mjs";
import { onHook } from "../compat.mjs";
import { MODULE } from "../constants.mjs";
import { words } from "../i18n.mjs";
import { ConnectionApp, STATUS_ICONS } from "./connection-app.mjs";

/** A break that is over so soon, in milliseconds, is not spoken of. */
const PATIENCE = 4000;

/** Tells of each outage once, and not of those that are over at once. */
class Outage {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #told = false;

  /** @param {Status} status */
  follow(status) {
    if (status === "live" || status === "off" || status === "unpaired" || status === "unset") {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#told = false;
    } else if (status === "refused") {
      this.#tell(status);
    } else if (status === "away") {
      this.#timer ??= setTimeout(() => this.#tell(status), PATIENCE);
    }
  }

  /** @param {"away" | "refused"} status */
  #tell(status) {
    clearTimeout(this.#timer);
    if (this.#told) return;
    this.#told = true;
    ui.notifications?.warn(words(`Connection.Toast.${status}`));
  }
}

/**
 * Draws the badge into the list of players.
 * @param {HTMLElement} element
 */
function drawBadge(element) {
  const { status } = connection;
  let badge = element.querySelector(".hantei-badge");
  if (status === "unset" && !game.user.isGM) return badge?.remove(); // nothing that a player could do
  if (!badge) {
    badge = element.ownerDocument.createElement("button");
    badge.setAttribute("type", "button");
    badge.addEventListener("click", () => void ConnectionApp.show());
    element.prepend(badge);
  }
  const icon = element.ownerDocument.createElement("i");
  icon.className = STATUS_ICONS[status];
  icon.inert = true;
  const label = element.ownerDocument.createElement("span");
  label.textContent = words(`Connection.Badge.${status}`);
  badge.className = `hantei-badge status-${status}`;
  badge.setAttribute("aria-label", words("Connection.badgeLabel", { status: words(`Connection.Status.${status}`) }));
  badge.replaceChildren(icon, label);
}

/** @type {Part} */
export const status = {
  init() {
    game.settings.registerMenu(MODULE, "connection", {
      name: "HANTEI.Settings.connection", label: "HANTEI.Settings.connectionLabel", hint: "HANTEI.Settings.connectionHint",
      icon: "fa-solid fa-plug", type: /** @type {any} */ (ConnectionApp), restricted: false,
    });
    onHook("renderPlayers", (_app, element) => drawBadge(element));
  },

  ready() {
    const outage = new Outage();
    const { players } = ui;
    if (players?.element) drawBadge(players.element);
    connection.onStatus(status => {
      outage.follow(status);
      if (players?.element) drawBadge(players.element);
    });
  },
};
