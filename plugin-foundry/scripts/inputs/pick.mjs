/**
 * A square that is pointed at on the map, for a field.
 */

/**
 * Waits for a click on the map, and writes its square into the button's field:
 * alone, or behind those of a path. Escape, or a click with another button, ends it.
 * @param {HTMLElement} root    The application's.
 * @param {HTMLElement} button  That names the field.
 */
export function pick(root, button) {
  const field = /** @type {HTMLInputElement | null} */ (root.querySelector(`[name="${CSS.escape(button.dataset.field ?? "")}"]`));
  const stage = canvas?.stage;
  const grid = canvas?.grid;
  if (!field || !stage || !grid) return;
  const page = root.ownerDocument;
  const end = () => {
    stage.off("pointerdown", point);
    page.removeEventListener("keydown", escape, true);
    button.removeAttribute("aria-pressed");
  };
  /** @param {any} event */
  const point = event => {
    if (event.button === 0) {
      const { i, j } = grid.getOffset(event.getLocalPosition(stage));
      const square = `${j},${i}`;
      field.value = button.dataset.more && field.value ? `${field.value} ${square}` : square;
      if (button.dataset.more) return;
    }
    end();
    field.focus();
  };
  /** @param {KeyboardEvent} event */
  const escape = event => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end();
    button.focus();
  };
  button.setAttribute("aria-pressed", "true");
  stage.on("pointerdown", point);
  page.addEventListener("keydown", escape, true);
}
