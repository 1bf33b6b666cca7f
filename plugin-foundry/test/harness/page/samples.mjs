/** One of each thing that the types know by a name, to look whether it has a member. */

/** Names of the types for what has another name here. */
const NAMES = { InternalGame: "Game", InterfaceCanvasGroup: "InterfaceGroup", BaseGrid: "SquareGrid", PlaceablesLayer: "TokenLayer", PlaceableObject: "Token", CanvasDocument: "TokenDocument", DataModel: "TokenDocument", Document: "TokenDocument", BaseToken: "TokenDocument", BaseWall: "WallDocument", BaseDrawing: "DrawingDocument", DocumentCollection: "Actors", Settings: "Settings" };

function samples() {
  const found = new Map();
  const add = (name, prototype, Class) => {
    const entry = found.get(name) ?? { things: [], classes: [] };
    if (prototype) entry.things.push(prototype);
    if (Class) entry.classes.push(Class);
    found.set(name, entry);
  };
  const addClass = Class => {
    for (let at = Class; at && at.name; at = Object.getPrototypeOf(at)) {
      add(at.name, Class.prototype, Class);
    }
  };
  const addThing = thing => {
    if (!thing || typeof thing !== "object") return;
    for (let at = Object.getPrototypeOf(thing); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) add(at.constructor.name, thing, at.constructor);
  };
  const walk = tree => {
    for (const value of Object.values(tree)) {
      if (typeof value === "function" && /^class\b/.test(String(value))) addClass(value);
      else if (value && Object.getPrototypeOf(value) === Object.prototype) walk(value);
    }
  };
  walk(foundry);
  addClass(Hooks);
  for (const [name, Class] of Object.entries({ WallDocument, DrawingDocument, Texture: PIXI.Texture })) add(name, Class.prototype, Class);
  for (const { documentClass } of Object.values(CONFIG)) if (documentClass) addClass(documentClass);
  for (const key of Object.keys(game)) addThing(game[key]);
  for (const collection of game.collections) addThing(collection.contents[0]);
  for (const [name, thing] of [["Localization", game.i18n], ["ClipboardHelper", game.clipboard], ["TooltipManager", game.tooltip], ["KeyboardManager", game.keyboard], ["GameTime", game.time]]) add(name, thing);
  for (const thing of Object.values(ui)) addThing(thing);
  for (const thing of [canvas.interface, canvas.tokens, canvas.tokens.placeables[0], canvas.grid, canvas.hud.token, canvas.scene.tokens.contents[0], canvas.scene.tokens, game.combats.contents[0]?.combatants.contents[0]]) addThing(thing);
  addThing(new foundry.applications.ux.FormDataExtended(document.createElement("form")));
  add("Game", game);
  add("UI", ui);
  add("CONFIG", CONFIG);
  add("Canvas", canvas);
  addClass(foundry.applications.api.HandlebarsApplicationMixin(foundry.applications.api.ApplicationV2));
  return found;
}

/**
 * Those of some members that the stand-in lacks. Interfaces that it does not know
 * are the shapes of data and not looked at.
 * @param {{owner: string, member: string, static: boolean, kind: string, at: string}[]} members
 */
export function lacking(members) {
  const all = samples();
  return members.filter(({ owner, member, static: isStatic, kind }) => {
    if (kind === "path") {
      try {
        return !(member in owner.split(".").reduce((at, step) => at[step], globalThis));
      } catch {
        return true;
      }
    }
    const entry = all.get(NAMES[owner] ?? owner) ?? all.get(owner.replace(/^Base/, ""));
    if (!entry) return kind === "class";
    return ![...(isStatic ? entry.classes : entry.things)].some(thing => member in thing);
  });
}
