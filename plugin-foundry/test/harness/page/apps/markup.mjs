/** Markup from templates and messages, without what runs. */
import { cleaned } from "../foundry-utils.mjs";

/**
 * The one element that some markup means, or with `all` whatever it means.
 * @param {string} markup
 * @returns {any}
 */
export function parse(markup, { all = false } = {}) {
  const fragment = document.createDocumentFragment();
  fragment.append(...cleaned(markup).childNodes);
  return all ? fragment : fragment.firstElementChild;
}
