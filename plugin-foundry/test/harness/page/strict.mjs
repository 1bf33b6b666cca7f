/**
 * A stand-in that answers undefined to what it lacks would let a module pass that
 * fails in Foundry: here it throws.
 */

/** Names that the language, the console and the test driver ask every object for. */
const ASKED = new Set(["then", "toJSON", "constructor", "prototype", "length", "name", "nodeType", "tagName", "$$typeof", "asymmetricMatch", "__proto__", "splice"]);

/**
 * An object whose unknown members throw. What is set later is known.
 * @template {object} T
 * @param {string} path     What to call it, "game.settings".
 * @param {T} target
 * @param {string[]} [absent]  Members that may well be missing in Foundry.
 * @returns {T}
 */
export function strict(path, target, absent = []) {
  return new Proxy(target, {
    get(object, key, receiver) {
      if (typeof key === "symbol" || key in object || ASKED.has(key) || absent.includes(key)) return Reflect.get(object, key, receiver);
      throw new Error(`the stand-in has no ${path}.${key}`);
    },
  });
}

/** The same for a tree of plain objects. */
export function strictTree(path, tree) {
  for (const [key, value] of Object.entries(tree)) {
    if (value && Object.getPrototypeOf(value) === Object.prototype) tree[key] = strictTree(`${path}.${key}`, value);
  }
  return strict(path, tree);
}
