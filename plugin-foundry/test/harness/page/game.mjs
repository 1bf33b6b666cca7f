/** game: who is here, in what world, and all its documents. */
import { Actors } from "./documents/actor.mjs";
import { Messages } from "./documents/chat-message.mjs";
import { Combats } from "./documents/combat.mjs";
import { WorldCollection } from "./documents/document.mjs";
import { Scenes } from "./documents/scene.mjs";
import { Users } from "./documents/user.mjs";
import "./documents/others.mjs";
import "./documents/token.mjs";
import { Collection } from "./foundry-utils.mjs";
import { Hooks } from "./hooks.mjs";
import { Localization } from "./i18n.mjs";
import { ClientKeybindings } from "./keybindings.mjs";
import { ClientSettings } from "./settings.mjs";
import { strict } from "./strict.mjs";
import { emit } from "./wire.mjs";

/** Members that may well be missing: brought by packages, or by the moment. */
const ABSENT = ["dice3d", "combat"];

const VERSIONS = { 13: "13.351", 14: "14.366" };

export function makeGame({ world, generation, userId, modules, page }) {
  const collections = new Collection([
    ["User", new Users()], ["Setting", new WorldCollection("Setting")], ["Folder", new WorldCollection("Folder")], ["Actor", new Actors()], ["Item", new WorldCollection("Item")],
    ["JournalEntry", new WorldCollection("JournalEntry")], ["Macro", new WorldCollection("Macro")], ["Scene", new Scenes()], ["Combat", new Combats()], ["ChatMessage", new Messages()],
  ]);
  const settings = new ClientSettings();
  settings.register("core", "rollMode", { scope: "client", type: String, default: "publicroll" });
  settings.register("core", "messageMode", { scope: "client", type: String, default: "public" });
  settings.register("core", "scrollingStatusText", { scope: "client", type: Boolean, default: true });
  settings.register("core", "language", { scope: "client", type: String, default: page.language ?? "en" });
  settings.register("core", "noCanvas", { scope: "client", type: Boolean, default: false });
  settings.register("core", "photosensitiveMode", { scope: "client", type: Boolean, default: false });
  settings.register("core", "globalInterfaceVolume", { scope: "client", type: Number, default: 0.5 });
  const [build] = [VERSIONS[generation]];
  const data = {
    ready: false, debug: false, view: "game", paused: false, userId, collections, settings,
    world: strict("game.world", { id: world.id, title: world.title, system: world.system, flags: {} }),
    system: strict("game.system", { id: world.system, title: world.system, version: "1.0.0", grid: { distance: 5, units: "ft" }, primaryTokenAttribute: world.system === "CoC7" ? "attribs.hp" : "attributes.hp", secondaryTokenAttribute: null, documentTypes: {}, flags: {} }),
    release: strict("game.release", { generation, build: Number(build.split(".")[1]), version: build, channel: "stable", suffix: "", display: `Version ${generation}` }),
    version: build,
    modules: new Collection(modules.map(({ id, active, manifest }) => [id, strict(`module ${id}`, { ...manifest, id, active, title: manifest.title ?? id, version: manifest.version, api: undefined, socket: !!manifest.socket, flags: manifest.flags ?? {}, relationships: manifest.relationships ?? {} })])),
    i18n: new Localization(localStorage.getItem("core.language") ? JSON.parse(localStorage.getItem("core.language")) : page.language ?? "en"),
    keybindings: new ClientKeybindings(),
    socket: new Socket(),
    tooltip: strict("game.tooltip", { element: null, activate(element, options = {}) { this.element = element; this.text = options.text ?? element.dataset.tooltip; }, deactivate() { this.element = null; } }),
    time: strict("game.time", { worldTime: 0, serverTime: Date.now() }),
    audio: strict("game.audio", { locked: true, play: async () => null }),
    keyboard: strict("game.keyboard", { downKeys: new Set(), isModifierActive: () => false, hasFocus: false }),
    permissions: {},
    clipboard: strict("game.clipboard", { copied: [], async copyPlainText(text) { this.copied.push(text); return true; } }),
    documentTypes: { Actor: ["character", "npc"], Item: ["item"], ChatMessage: ["base"], Combat: ["base"], Combatant: ["base"] },
    togglePause(pause = !this.paused) {
      this.paused = pause;
      Hooks.callAll("pauseGame", pause, {});
      return pause;
    },
    get user() { return collections.get("User").get(userId); },
    get users() { return collections.get("User"); },
    get actors() { return collections.get("Actor"); },
    get items() { return collections.get("Item"); },
    get journal() { return collections.get("JournalEntry"); },
    get macros() { return collections.get("Macro"); },
    get folders() { return collections.get("Folder"); },
    get scenes() { return collections.get("Scene"); },
    get combats() { return collections.get("Combat"); },
    get combat() { return collections.get("Combat").viewed; },
    get messages() { return collections.get("ChatMessage"); },
    get isAdmin() { return false; },
  };
  if (page.dice && page.dice !== "absent") data.modules.set("dice-so-nice", strict("module dice-so-nice", { id: "dice-so-nice", active: true, title: "Dice So Nice! (stand-in)", version: "5.1.6", api: undefined }));
  return strict("game", data, ABSENT);
}

/** game.socket: messages to the other clients of the packages that asked for it. */
class Socket {
  #listeners = new Map();
  connected = true;

  on(event, fn) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), fn]);
    return this;
  }

  off(event, fn) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter(f => f !== fn));
    return this;
  }

  emit(event, data) {
    void emit(event, data);
    return this;
  }

  _receive({ event, data, userId }) {
    for (const fn of this.#listeners.get(event) ?? []) fn(data, userId);
  }
}
