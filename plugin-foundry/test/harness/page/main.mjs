/**
 * The page of one user: puts the globals in their places, loads the modules and
 * goes through Foundry's start: init, i18nInit, setup, ready.
 */
import * as clock from "./clock.mjs";
import { makeConfig } from "./config.mjs";
import { CONST, extendLanguage } from "./constants.mjs";
import { Canvas } from "./canvas/canvas.mjs";
import { SquareGrid } from "./canvas/grid.mjs";
import { Dice3D } from "./dice3d.mjs";
import { apply } from "./documents/apply.mjs";
import { CLASSES, WorldCollection } from "./documents/document.mjs";
import { failures, Hooks } from "./hooks.mjs";
import { missing } from "./i18n.mjs";
import { makeGame } from "./game.mjs";
import { globals, foundry } from "./globals.mjs";
import { registerHelpers } from "./apps/templates.mjs";
import { useGrid } from "./documents/scene.mjs";
import { strict } from "./strict.mjs";
import { listen, read, reply } from "./wire.mjs";

const userId = document.body.dataset.user;

async function begin() {
  extendLanguage();
  registerHelpers();
  useGrid(data => new SquareGrid(data));
  const data = await read(userId);
  globalThis.CONST = CONST;
  globalThis.Hooks = Hooks;
  globalThis.CONFIG = makeConfig(data.generation);
  globalThis.ui = strict("ui", { windows: {}, activeWindow: null, context: null, nav: { render() {} }, notifications: new CONFIG.ui.notifications() });
  Object.assign(globalThis, globals);
  globalThis.foundry = foundry;
  // Until the scene is drawn a client has a canvas that is not ready.
  const board = new Canvas();
  globalThis.canvas = strict("canvas", board);
  globalThis.game = makeGame(data);
  fill(data.collections);
  for (const id of data.active) game.users.get(id).active = true;
  CONFIG.queries.dialog ??= async ({ type, config }) => foundry.applications.api.DialogV2[type](config);
  if (data.page.dice && data.page.dice !== "absent") Hooks.once("ready", () => { game.dice3d = new Dice3D(data.page.dice); });

  for (const { id, manifest, active } of data.modules) {
    if (!active) continue;
    for (const script of manifest.esmodules ?? []) await import(`/modules/${id}/${script}`);
  }
  await game.i18n.initialize(data.modules.filter(m => m.active));
  Hooks.callAll("init");
  Hooks.callAll("i18nInit");
  Hooks.callAll("setup");
  globalThis.ui.controls = new CONFIG.ui.controls();
  for (const [name, Class] of Object.entries(CONFIG.ui)) if (!(name in ui) || ui[name] === undefined) ui[name] = new Class();
  await listen(hear);
  game.user.active = true;
  board.initialize(data.page.canvas);
  await Promise.all([ui.players.render(), ui.hotbar.render(), ui.sidebar.render()]);
  await ui.chat.populate();
  const scene = game.scenes.active ?? null;
  if (scene) await canvas.draw(scene);
  await ui.controls.render();
  game.keybindings._listen();
  game.ready = true;
  Hooks.callAll("ready");
}

/** Fills the collections: users and settings first, since others ask them. */
function fill(collections) {
  for (const name of ["User", "Setting", "Folder", "Macro", "Actor", "Item", "JournalEntry", "Scene", "Combat", "ChatMessage"]) {
    const collection = game.collections.get(name) ?? new WorldCollection(name);
    for (const source of collections[name]) collection.set(source._id, new CLASSES[name](source, { stored: true }));
  }
  for (const user of game.users) user._initialize();
}

/** What the world tells. */
function hear({ operation, presence, socket, query }) {
  if (operation) {
    const documents = apply(operation);
    if (operation.name === "Setting" && operation.action !== "delete") for (const d of documents) game.settings._documentChanged(d, operation.options, operation.userId);
    return documents;
  }
  if (presence) {
    const user = game.users.get(presence.userId);
    if (user.active === presence.active) return undefined;
    user.active = presence.active;
    if (ui.players) void ui.players.render();
    Hooks.callAll("userConnected", user, presence.active);
  }
  if (socket) game.socket._receive(socket);
  if (query) void answer(query);
  return undefined;
}

async function answer({ id, name, data, from }) {
  try {
    const handler = CONFIG.queries[name];
    if (!handler) throw new Error(`there is no query "${name}"`);
    await reply(id, { value: (await handler(data, { user: game.users.get(from) })) ?? null });
  } catch (error) {
    await reply(id, { error: error.message });
  }
}

/** For the driver. */
globalThis.harness = {
  clock, failures, missing, ready: begin().catch(error => {
    failures.push(`start: ${error.stack}`);
    console.error(error);
    throw error;
  }),
};
