/** CONFIG, with the classes of the stand-in in their places. */
import { CLASSES } from "./documents/document.mjs";
import { strict } from "./strict.mjs";
import { Token } from "./canvas/token.mjs";
import { Roll } from "./roll.mjs";
import { ChatLog } from "./ui/chat-log.mjs";
import { CombatTracker } from "./ui/combat-tracker.mjs";
import { Hotbar } from "./ui/hotbar.mjs";
import { Notifications } from "./ui/notifications.mjs";
import { Players } from "./ui/players.mjs";
import { SceneControls } from "./ui/scene-controls.mjs";
import { Settings } from "./ui/settings-tab.mjs";
import { Sidebar } from "./ui/sidebar.mjs";

const STATUSES = ["dead", "unconscious", "prone", "stunned", "bleeding", "restrained", "paralysis", "blind", "invisible", "sleep"];

/** @param {number} generation */
export function makeConfig(generation) {
  const words = { dead: "Dead", unconscious: "Unconscious", sleep: "Sleep", stunned: "Stunned", prone: "Prone", restrained: "Restrained", paralysis: "Paralysis", blind: "Blind", invisible: "Invisible", bleeding: "Bleeding" };
  const effects = STATUSES.map(id => ({ id, name: `EFFECT.Status${words[id]}`, img: `icons/svg/${id}.svg` }));
  const documents = Object.fromEntries(Object.entries(CLASSES).map(([name, documentClass]) => [name, { documentClass, typeLabels: {}, dataModels: {} }]));
  Object.assign(documents.Token, { objectClass: Token, movement: { defaultSpeed: 6, actions: {}, defaultAction: "walk" } });
  Object.assign(documents.Combat, { initiative: { formula: null, decimals: 2 }, sounds: {} });
  Object.assign(documents.ChatMessage, { modes: { public: {}, gm: {}, blind: {}, self: {} } });
  return strict("CONFIG", {
    ...documents,
    debug: { hooks: false },
    Dice: { rolls: [Roll], rollModes: { publicroll: { label: "CHAT.RollPublic" }, gmroll: { label: "CHAT.RollPrivate" }, blindroll: { label: "CHAT.RollBlind" }, selfroll: { label: "CHAT.RollSelf" } }, termTypes: {}, types: [] },
    // Version 14 keys them by id; both can be walked through and given more.
    statusEffects: generation >= 14 ? Object.fromEntries(effects.map(e => [e.id, e])) : effects,
    specialStatusEffects: { DEFEATED: "dead", INVISIBLE: "invisible", BLIND: "blind" },
    queries: {},
    canvasTextStyle: new PIXI.TextStyle({ fontFamily: "sans-serif", fontSize: 36, fill: "#ffffff", stroke: "#111111", strokeThickness: 4 }),
    Canvas: { layers: {}, groups: {}, polygonBackends: {} },
    controlIcons: { defeated: "icons/svg/skull.svg" },
    sounds: { dice: "sounds/dice.wav", notification: "sounds/notify.wav" },
    time: { roundTime: 0, turnTime: 0 },
    ui: { chat: ChatLog, combat: CombatTracker, settings: Settings, controls: SceneControls, hotbar: Hotbar, notifications: Notifications, players: Players, sidebar: Sidebar },
    TextEditor: { enrichers: [], inlineRolls: true },
    fontDefinitions: {},
    supportedLanguages: { en: "English", ja: "日本語" },
    /** For the stand-in: a status by id, in either form. */
    _status(id) {
      return Array.isArray(this.statusEffects) ? this.statusEffects.find(s => s.id === id) : this.statusEffects[id] && { id, ...this.statusEffects[id] };
    },
  });
}
