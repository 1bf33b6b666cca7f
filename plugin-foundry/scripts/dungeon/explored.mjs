/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Plan} from "./plan.mjs"
 */
import { MODULE } from "../constants.mjs";
import { words } from "../i18n.mjs";
import { linkOf, squareAt } from "../present/places.mjs";
import { Chart } from "./chart.mjs";
import { Overlay } from "./overlay.mjs";
import { planOf } from "./plan.mjs";
import { SceneLinkApp } from "./scene-link-app.mjs";
import { Tip } from "./tip.mjs";

/**
 * The explored dungeon on the scene that is linked to one of its floors, as the
 * seat of this client knows it.
 */
class Explored {
  /** @type {Session | null} */
  #session = null;
  #chart = new Chart();
  #overlay = new Overlay();
  #tip = new Tip();
  /** What is drawn now. @type {Plan | null} */
  #plan = null;
  /** Whether the GM was told that no scene shows the dungeon. */
  #hinted = false;

  init() {
    Hooks.on("canvasReady", () => {
      const { stage } = /** @type {{stage: PIXI.Container}} */ (/** @type {unknown} */ (canvas));
      stage.off("pointermove", this.#look).on("pointermove", this.#look);
      this.#draw();
    });
    Hooks.on("canvasTearDown", () => this.#clear());
    Hooks.on("canvasPan", () => this.#tip.hide());
    Hooks.on("updateScene", scene => { if (scene.id === canvas?.scene?.id) this.#draw(); });
    Hooks.on("getSceneControlButtons", controls => {
      const { tokens } = controls;
      if (!tokens || !game.user.isGM) return;
      tokens.tools.hanteiDungeon = {
        name: "hanteiDungeon", title: "HANTEI.Dungeon.Control", icon: "fa-solid fa-dungeon", order: Object.keys(tokens.tools).length, button: true,
        onChange: () => this.openLink(),
      };
    });
    game.settings.registerMenu(MODULE, "sceneLink", {
      name: "HANTEI.Dungeon.Title", label: "HANTEI.Dungeon.Open", hint: "HANTEI.Dungeon.Hint", icon: "fa-solid fa-dungeon",
      type: /** @type {any} */ (SceneLinkApp), restricted: true,
    });
  }

  /** @param {Session} session */
  start(session) {
    this.#session = session;
    const read = () => {
      this.#chart.read(session.view?.dungeon);
      this.#draw();
      this.#hint();
    };
    const end = session.on("view", read);
    return () => {
      end();
      this.#session = null;
      this.#chart.read(undefined);
      this.#clear();
    };
  }

  /** Opens the window that links the scene which is shown. */
  openLink() {
    void new SceneLinkApp().render({ force: true });
  }

  /**
   * Draws what events have changed.
   * @param {Api.EventViewJson[]} events
   */
  show(events) {
    let changed = false;
    for (const event of events) for (const change of event.changes ?? []) changed = this.#chart.apply(change) || changed;
    if (changed) this.#draw();
  }

  #draw() {
    this.#clear();
    const scene = canvas?.ready ? canvas.scene : null;
    const link = linkOf(scene);
    if (!scene || !link || !this.#exploring) return;
    this.#plan = planOf(this.#chart, link.floor, this.#session?.ruleset?.marks ?? []);
    this.#overlay.draw(scene, link, this.#plan, Boolean(this.#session?.isGM));
  }

  /** Whether there is a dungeon to draw, or to keep dark from a seat that knows nothing of it. */
  get #exploring() {
    return this.#chart.begun || Boolean(this.#session?.ruleset?.marks?.length && this.#session.view?.encounter);
  }

  #clear() {
    this.#tip.hide();
    this.#overlay.clear();
    this.#plan = null;
  }

  /** Says what lies where the mouse is. */
  #look = (/** @type {PIXI.FederatedPointerEvent} */ event) => {
    const scene = canvas?.scene;
    const link = linkOf(scene ?? null);
    if (!scene || !link || !this.#plan) return;
    const square = squareAt(scene, event.getLocalPosition(/** @type {any} */ (canvas?.stage)));
    const notes = this.#plan.notes.filter(note => note.x === square?.x && note.y === square.y);
    if (!square || !notes.length) return this.#tip.hide();
    const corner = scene.grid.getTopLeftPoint({ i: square.y * link.scale + link.y, j: (square.x + 1) * link.scale + link.x });
    const at = /** @type {any} */ (canvas).clientCoordinatesFromCanvas(corner);
    const nameOf = this.#session?.isGM ? (/** @type {string} */ id) => this.#session?.nameOf(id) ?? id : null;
    this.#tip.show(`${square.x},${square.y}`, notes, nameOf, at);
  };

  /** Says to the GM, once, that no scene shows the dungeon. */
  #hint() {
    if (this.#hinted || !game.user.isGM || !this.#chart.floors.size) return;
    if (game.scenes.some(scene => this.#chart.numbers.includes(linkOf(scene)?.floor ?? -1))) return;
    this.#hinted = true;
    ui.notifications?.info(words("Dungeon.NoScene"));
  }
}

export const explored = new Explored();
