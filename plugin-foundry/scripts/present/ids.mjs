/** What ids of Foundry's documents are made of. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * The id of the document that stands for something of Hantei: always the same, on
 * every client, so that nothing can be written twice. It need not be secret, nor
 * withstand anybody who looks for two that are alike.
 * @param {...string} parts  What it stands for, for example "card", a table, a step.
 * @returns {string}         16 letters and digits.
 */
export function documentId(...parts) {
  const text = parts.join("\u0000");
  // Four sums of 32 bits (FNV-1a, each from another start), four letters from each.
  return [0, 1, 2, 3].map(start => lettersOf(sum(text, start), 4)).join("");
}

/**
 * @param {string} text
 * @param {number} start
 */
function sum(text, start) {
  let h = 0x811c9dc5 ^ Math.imul(start, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  // What differs only at the end shall differ everywhere.
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * @param {number} value
 * @param {number} count
 */
function lettersOf(value, count) {
  let out = "";
  for (let i = 0; i < count; i++, value = Math.floor(value / LETTERS.length)) out += LETTERS[value % LETTERS.length];
  return out;
}
