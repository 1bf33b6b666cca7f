/**
 * A square that is pointed at on the map, for a field.
 */
import { mapOf, squareAt } from "../present/places.mjs";
import { lastSquare, stepsTo, writeSquare } from "./fields.mjs";
import { fieldIn } from "./form.mjs";

/**
 * Waits for a click on the map, and writes its square into the button's field:
 * alone, or with all squares that lead there where it asks for a path. Escape, or a click with another button, ends it.
 * @param {HTMLElement} root    The application's.
 * @param {HTMLElement} button  That names the field.
 */
export function pick(root, button) {
  const field = /** @type {HTMLInputElement | null} */ (fieldIn(root, button.dataset.field ?? ""));
  const stage = canvas?.stage;
  const scene = canvas?.scene;
  if (!field || !stage || !scene) return;
  if (!mapOf(scene)) {
    ui.notifications?.warn("HANTEI.Action.NoMap", { localize: true });
    return;
  }
  const page = root.ownerDocument;
  const end = () => {
    stage.off("pointerdown", point);
    page.removeEventListener("keydown", escape, true);
    button.removeAttribute("aria-pressed");
  };
  /** @param {any} event */
  const point = event => {
    const at = event.button === 0 ? squareAt(scene, event.getLocalPosition(stage)) : null;
    if (at) {
      const { from } = button.dataset;
      const begin = from === undefined ? null : lastSquare(field.value || from);
      const squares = (begin ? stepsTo(begin, at) : [at]).map(writeSquare);
      field.value = from !== undefined && field.value ? [field.value, ...squares].join(" ") : squares.join(" ");
      if (from !== undefined) return; // a path goes on
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
