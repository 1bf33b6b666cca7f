/**
 * The button among the token controls.
 */

/**
 * @param {Record<string, foundry.applications.ui.SceneControls.Control>} controls
 * @param {() => void} open
 */
export function addControl(controls, open) {
  const tokens = controls.tokens;
  if (!tokens) return;
  tokens.tools.hantei = {
    name: "hantei",
    title: "HANTEI.Action.Control",
    icon: "fa-solid fa-gavel",
    order: Object.keys(tokens.tools).length,
    button: true,
    onChange: open,
  };
}
