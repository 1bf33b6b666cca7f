/**
 * Buttons on the HUD of a token.
 */

/**
 * @param {HTMLElement} html  The HUD.
 * @param {string} icon
 * @param {string} label      The key of its text.
 * @param {() => void} press
 * @param {boolean} [active]  Whether it is lit.
 */
export function addToHUD(html, icon, label, press, active = false) {
  const button = html.ownerDocument.createElement("button");
  button.type = "button";
  button.className = `control-icon hantei fa-solid ${icon}${active ? " active" : ""}`;
  button.dataset.tooltip = label;
  button.setAttribute("aria-label", game.i18n.localize(label));
  button.addEventListener("click", press);
  html.querySelector(".col.right")?.append(button);
}
