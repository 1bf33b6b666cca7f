/**
 * @import {Note} from "./plan.mjs"
 */
import { words } from "../i18n.mjs";

/** What lies on the square under the mouse, in words, beside it. */
export class Tip {
  /** @type {HTMLElement | null} */
  #element = null;
  #square = "";

  /**
   * Shows notes of a square; none hides it.
   * @param {string} square  Which one: for the same nothing is done anew.
   * @param {Note[]} notes
   * @param {((id: string) => string) | null} nameOf  What a character is called, for the GM: who knows of it is said then.
   * @param {{x: number, y: number}} at      On the screen, where the square ends.
   */
  show(square, notes, nameOf, at) {
    if (!notes.length) return this.hide();
    if (this.#square === square) return;
    this.hide();
    this.#square = square;
    const page = window.document;
    const element = page.createElement("aside");
    element.className = "hantei-dungeon-tip";
    element.setAttribute("role", "tooltip");
    for (const note of notes) {
      const line = element.appendChild(page.createElement("p"));
      line.textContent = note.text;
      const aside = nameOf && asideOf(note, nameOf);
      if (!aside) continue;
      const small = line.appendChild(page.createElement("small"));
      small.textContent = aside;
    }
    element.style.left = `${at.x}px`;
    element.style.top = `${at.y}px`;
    this.#element = page.body.appendChild(element);
  }

  hide() {
    this.#element?.remove();
    this.#element = null;
    this.#square = "";
  }
}

/**
 * Who knows of it, where that is not everybody.
 * @param {Note} note
 * @param {(id: string) => string} nameOf
 */
function asideOf({ told, of }, nameOf) {
  if (!told) return words("Dungeon.Untold");
  return of.length ? words("Dungeon.KnownTo", { who: of.map(nameOf).join(words("Connection.comma")) }) : "";
}
