/** Applies an operation of the world to this client's documents, and tells the hooks. */
import { EMBEDDED, merge } from "../../schema.mjs";
import { Hooks } from "../hooks.mjs";
import { CLASSES } from "./document.mjs";

/**
 * @returns {any[]} The documents that it was about.
 */
export function apply({ action, name, parent, data, options, userId }) {
  const owner = parent ? resolve(parent) : null;
  if (parent && !owner) return []; // lost on the way before
  const collection = owner ? owner.getEmbeddedCollection(name) : game.collections.get(name);
  const list = owner ? owner._source[EMBEDDED[owner.documentName][name]] : null;
  if (action === "create") {
    const made = data.map(source => {
      list?.push(source);
      const document = new CLASSES[name](source, { parent: owner, stored: true });
      collection.set(source._id, document);
      return document;
    });
    owner?.prepareData();
    for (const document of made) document._onCreate(document._source, options, userId);
    for (const document of made) Hooks.callAll(`create${name}`, document, options, userId);
    return made;
  }
  if (action === "update") {
    const changed = data.filter(change => collection.has(change._id)).map(change => ({ document: collection.get(change._id), change }));
    for (const { document, change } of changed) {
      const { _id, ...rest } = change;
      merge(document._source, structuredClone(rest));
      document._initialize();
    }
    owner?.prepareData();
    for (const { document, change } of changed) document._onUpdate(change, options, userId);
    for (const { document, change } of changed) Hooks.callAll(`update${name}`, document, change, options, userId);
    return changed.map(c => c.document);
  }
  const gone = data.map(id => collection.get(id)).filter(Boolean);
  for (const document of gone) {
    collection.delete(document.id);
    list?.splice(list.findIndex(d => d._id === document.id), 1);
  }
  owner?.prepareData();
  for (const document of gone) document._onDelete(options, userId);
  for (const document of gone) Hooks.callAll(`delete${name}`, document, options, userId);
  return gone;
}

/** The document that an address of the world means on this client. */
function resolve(address) {
  const steps = address.split(".");
  let at = game.collections.get(steps[0]).get(steps[1]);
  for (let i = 2; at && i < steps.length; i += 2) {
    if (steps[i] === "ActorDelta") {
      at = at.actor;
      i--;
    } else {
      at = at.getEmbeddedDocument(steps[i], steps[i + 1]);
    }
  }
  return at;
}
