/**
 * @import {SceneMap} from "../present/places.mjs"
 */
import { connection } from "../connection.mjs";
import { MODULE } from "../constants.mjs";
import { words, wordsOfError } from "../i18n.mjs";
import { linkOf, NOT_LINKED } from "../present/places.mjs";
import { arrive } from "../present/tokens.mjs";
import { bake, bakedIn, planToBake, unbake } from "./bake.mjs";
import { Chart } from "./chart.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** For the GM: which floor the scene shows, where it begins there and how large it is; and the floor as walls. */
export class SceneLinkApp extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "hantei-scene-link",
    tag: "form",
    classes: ["hantei", "hantei-scene-link"],
    window: { title: "HANTEI.Dungeon.Title", icon: "fa-solid fa-dungeon", contentClasses: ["standard-form"] },
    position: { width: 460 },
    form: { handler: SceneLinkApp.#save, closeOnSubmit: false },
    actions: { unlink: SceneLinkApp.#unlink, bake: SceneLinkApp.#bake, unbake: SceneLinkApp.#unbake },
  };

  static PARTS = {
    form: { template: `modules/${MODULE}/templates/scene-link.hbs` },
  };

  /** The scene that was shown when it was opened. */
  #scene = canvas?.scene ?? null;
  #said = "";
  #problem = "";

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const scene = this.#scene;
    const link = linkOf(scene);
    const chart = new Chart();
    chart.read(connection.session?.view?.dungeon);
    return {
      scene: scene?.name, linked: link !== null, ...(link ?? { ...NOT_LINKED, floor: chart.numbers[0] ?? 1, x: 1, y: 1 }),
      floors: chart.numbers, canBake: link !== null && chart.numbers.includes(link.floor),
      baked: scene ? Object.values(bakedIn(scene)).some(ids => ids.length) : false,
      said: this.#said, problem: this.#problem,
    };
  }

  /**
   * @param {Event} _event
   * @param {HTMLFormElement} _form
   * @param {{object: any}} data
   * @this {SceneLinkApp}
   */
  static async #save(_event, _form, { object }) {
    const whole = (/** @type {unknown} */ value, /** @type {number} */ other) => (Number.isInteger(Number(value ?? "")) ? Number(value) : other);
    /** @type {SceneMap} */
    const map = { floor: whole(object.floor, 0), x: whole(object.x, 0), y: whole(object.y, 0), scale: Math.min(10, Math.max(1, whole(object.scale, 1))) };
    await this.#do(async scene => {
      await scene.setFlag(MODULE, "map", map);
      return words("Dungeon.Saved");
    });
  }

  /** @this {SceneLinkApp} */
  static async #unlink() {
    await this.#do(async scene => {
      await scene.unsetFlag(MODULE, "map");
      for (const token of scene.tokens) if (token.getFlag(MODULE, "elsewhere")) await arrive(token);
      return words("Dungeon.Unlinked");
    });
  }

  /** @this {SceneLinkApp} */
  static async #bake() {
    const { session } = connection;
    const whole = /** @type {HTMLInputElement | null} */ (this.element.querySelector("[name=whole]"))?.checked ?? false;
    await this.#do(async scene => {
      const link = linkOf(scene);
      if (!session || !link) return "";
      const plan = await planToBake(session, link.floor, whole);
      await bake(scene, link, plan, whole);
      return words("Dungeon.Baked", { squares: String(plan.cells.length) });
    });
  }

  /** @this {SceneLinkApp} */
  static async #unbake() {
    await this.#do(async scene => words("Dungeon.Unbaked", { count: String(await unbake(scene)) }));
  }

  /**
   * Does something to the scene, and says what came of it.
   * @param {(scene: Scene) => Promise<string>} work
   */
  async #do(work) {
    if (!this.#scene) return;
    this.#said = this.#problem = "";
    try {
      this.#said = await work(this.#scene);
    } catch (error) {
      this.#problem = wordsOfError(error);
    }
    await this.render();
  }
}
