/**
 * Windows that are open. Foundry's `rendered` is false while a window is being drawn
 * anew: whoever asks it then would leave what was drawn as it is, and old.
 * @typedef {InstanceType<typeof foundry.applications.api.ApplicationV2>} Application
 */

/**
 * Whether a window is there, or is being drawn.
 * @param {Application | null | undefined} app
 */
export function isOpen(app) {
  return app ? app.state > foundry.applications.api.ApplicationV2.RENDER_STATES.NONE : false;
}

/**
 * Closes a window, after a drawing that is under way.
 * @param {Application | null | undefined} app
 */
export async function closeApp(app) {
  if (!app || !isOpen(app)) return;
  if (!app.rendered) await app.render();
  await app.close({ animate: false });
}
