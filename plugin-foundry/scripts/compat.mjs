/**
 * All differences between Foundry 13 and 14 that the module meets, and what the
 * types of 13 do not know yet. Nothing else asks which Foundry it is.
 */

/** Whether this is Foundry 14 or newer. */
function isV14() {
  return game.release.generation >= 14;
}

/**
 * An entry of a context menu: 14 has renamed its fields.
 * @param {{label: string, icon: string, visible: (target: HTMLElement) => boolean, act: (target: HTMLElement) => unknown}} entry
 * @returns {any}
 */
export function menuEntry({ label, icon, visible, act }) {
  const markup = `<i class="${icon}"></i>`;
  if (isV14()) return { label, icon: markup, visible, onClick: (/** @type {Event} */ _event, /** @type {HTMLElement} */ target) => act(target) };
  return { name: label, icon: markup, condition: visible, callback: act };
}

/**
 * Listens to a hook that the types do not know, or know otherwise than it is called.
 * @param {string} name
 * @param {(...args: any[]) => void} listener
 */
export function onHook(name, listener) {
  Hooks.on(/** @type {any} */ (name), /** @type {any} */ (listener));
}
