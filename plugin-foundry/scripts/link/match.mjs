/**
 * Which document could stand for which character, by their names. It knows no Foundry.
 *
 * @typedef {object} Named
 * @property {string} id
 * @property {string} name
 *
 * @typedef {object} Matches
 * @property {Map<string, string>} pairs  From a document's id to a character's.
 * @property {string[]} documents         Those without a character.
 * @property {string[]} characters        Those without a document.
 */

/** A name as it is compared: width, case and spaces make no difference. @param {string} name */
function plain(name) {
  return name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** A name without the number by which copies are told apart: "Thug (2)", "thug-2", "ちんぴら 2". @param {string} name */
function bare(name) {
  return plain(name).replace(/[\s_-]*\(?\d+\)?$/, "") || plain(name);
}

/**
 * Pairs each document with at most one character, and the other way round: first
 * those of the very same name, then, in order, those that differ by a number alone.
 * @param {Named[]} documents
 * @param {Named[]} characters
 * @returns {Matches}
 */
export function matchByName(documents, characters) {
  /** @type {Map<string, string>} */
  const pairs = new Map();
  const free = new Set(characters);
  for (const key of [plain, bare]) {
    for (const document of documents) {
      if (pairs.has(document.id)) continue;
      const name = key(document.name);
      const found = [...free].find(c => key(c.name) === name) ?? [...free].find(c => key(c.id) === name);
      if (!found) continue;
      free.delete(found);
      pairs.set(document.id, found.id);
    }
  }
  return {
    pairs,
    documents: documents.filter(d => !pairs.has(d.id)).map(d => d.id),
    characters: [...free].map(c => c.id),
  };
}
