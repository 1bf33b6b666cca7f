/**
 * Buttons on the HUD of a token.
 */

/**
 * @param {HTMLElement} html  The HUD.
 * @param {string} icon
 * @param {string} label      The key of its text.
 * @param {() => void} press
 */
export function addToHUD(html, icon, label, press) {
  const button = html.ownerDocument.createElement("button");
  button.type = "button";
  button.className = `control-icon hantei fa-solid ${icon}`;
  button.dataset.tooltip = label;
  button.setAttribute("aria-label", game.i18n.localize(label));
  button.addEventListener("click", press);
  html.querySelector(".col.right")?.append(button);
}
