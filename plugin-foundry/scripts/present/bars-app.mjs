/**
 * @import {BarPaths} from "./bars.mjs"
 */
import { connection } from "../connection.mjs";
import { MODULE } from "../constants.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** Where actors keep what the server calls a resource: one field for each type of actor and resource. */
export class BarsApp extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "hantei-bars",
    tag: "form",
    window: { title: "HANTEI.Present.Bars", icon: "fa-solid fa-heart-pulse", contentClasses: ["standard-form"] },
    position: { width: 520 },
    form: { handler: BarsApp.#save, closeOnSubmit: true },
  };

  static PARTS = {
    form: { template: `modules/${MODULE}/templates/bars.hbs` },
  };

  /**
   * @override
   * @returns {Promise<any>}
   */
  async _prepareContext() {
    const paths = game.settings.get(MODULE, "bars");
    const resources = (connection.session?.ruleset?.stats ?? []).filter(stat => stat.resource);
    // A system has more types than a world uses.
    const types = [...new Set([...game.actors.map(actor => actor.type), ...Object.keys(paths)])].sort();
    return {
      connected: connection.session !== null,
      types: types.map(type => ({
        type,
        label: game.i18n.localize(/** @type {Record<string, string>} */ (CONFIG.Actor.typeLabels)?.[type] ?? type),
        suggestions: suggestions(type),
        fields: resources.map(({ key = "", name = key }) => ({ name: `${type}.${key}`, label: name, path: paths[type]?.[key] ?? "" })),
      })),
    };
  }

  /**
   * @param {Event} _event
   * @param {HTMLFormElement} _form
   * @param {{object: object}} data
   */
  static async #save(_event, _form, { object }) {
    /** @type {BarPaths} */
    const paths = {};
    for (const [name, value] of Object.entries(foundry.utils.flattenObject(object))) {
      const at = name.lastIndexOf(".");
      const path = String(value ?? "").trim();
      if (path) (paths[name.slice(0, at)] ??= {})[name.slice(at + 1)] = path;
    }
    await game.settings.set(MODULE, "bars", paths);
  }
}

/**
 * What a game system says that its actors have to show as bars.
 * @param {string} type
 * @returns {string[]}
 */
function suggestions(type) {
  const { bar = [], value = [] } = /** @type {{bar?: string[][], value?: string[][]}} */ (
    TokenDocument.implementation.getTrackedAttributes(/** @type {any} */ (game.actors.find(actor => actor.type === type)?.system ?? {})) ?? {});
  return [...bar.map(path => `system.${path.join(".")}.value`), ...value.map(path => `system.${path.join(".")}`)];
}
