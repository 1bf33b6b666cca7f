/** The names that Foundry puts into the page: classes, functions, and the tree `foundry`. */
import { ApplicationV2, instances } from "./apps/application.mjs";
import { DialogV2 } from "./apps/dialog.mjs";
import { ActorSheetV2, DocumentSheetConfig, DocumentSheetV2, MacroConfig, sheetOf, TokenConfig } from "./apps/document-sheet.mjs";
import { FormDataExtended } from "./apps/form-data.mjs";
import { HandlebarsApplicationMixin } from "./apps/handlebars-application.mjs";
import { getTemplate, loadTemplates, renderTemplate } from "./apps/templates.mjs";
import { Canvas } from "./canvas/canvas.mjs";
import { SquareGrid } from "./canvas/grid.mjs";
import { Token } from "./canvas/token.mjs";
import { TokenLayer } from "./canvas/token-layer.mjs";
import { CONST } from "./constants.mjs";
import { ActiveEffect, Actor, Item, Actors } from "./documents/actor.mjs";
import { ChatMessage, Messages } from "./documents/chat-message.mjs";
import { Combat, Combatant, Combats } from "./documents/combat.mjs";
import { CLASSES, Document, EmbeddedCollection, WorldCollection } from "./documents/document.mjs";
import { Folder, JournalEntry, Macro, Setting } from "./documents/others.mjs";
import { Scene, Scenes } from "./documents/scene.mjs";
import { TokenDocument } from "./documents/token.mjs";
import { User, Users } from "./documents/user.mjs";
import * as utils from "./foundry-utils.mjs";
import { Hooks } from "./hooks.mjs";
import { DiceTerm, Die, NumericTerm, OperatorTerm, Roll, RollTerm } from "./roll.mjs";
import { strictTree } from "./strict.mjs";
import { ChatLog } from "./ui/chat-log.mjs";
import { CombatTracker } from "./ui/combat-tracker.mjs";
import { ContextMenu } from "./ui/context-menu.mjs";
import { Hotbar } from "./ui/hotbar.mjs";
import { Notifications } from "./ui/notifications.mjs";
import { Players } from "./ui/players.mjs";
import { SceneControls } from "./ui/scene-controls.mjs";
import { Settings } from "./ui/settings-tab.mjs";
import { Sidebar, SidebarTab } from "./ui/sidebar.mjs";
import { TokenHUD } from "./ui/token-hud.mjs";
import { TabApplication } from "./ui/tab-application.mjs";

/** A document by its uuid, if it is here. */
export function fromUuidSync(uuid, { strict = true } = {}) {
  const steps = uuid.split(".");
  let at = game.collections.get(steps[0])?.get(steps[1]);
  for (let i = 2; at && i < steps.length; i += 2) at = steps[i] === "Actor" ? at.actor : at.getEmbeddedDocument(steps[i], steps[i + 1]);
  if (!at && strict && !game.collections.get(steps[0])) throw new Error(`"${uuid}" is no uuid`);
  return at ?? null;
}

export const fromUuid = async (uuid, options) => fromUuidSync(uuid, options);
const getDocumentClass = name => CLASSES[name];

const documents = { ActiveEffect, Actor, ChatMessage, Combat, Combatant, Folder, Item, JournalEntry, Macro, Scene, Setting, TokenDocument, User };
const terms = { RollTerm, DiceTerm, Die, NumericTerm, OperatorTerm };

export const globals = {
  ...documents, Roll, fromUuid, fromUuidSync, getDocumentClass,
  WallDocument: CLASSES.Wall, DrawingDocument: CLASSES.Drawing, TileDocument: CLASSES.Tile, RegionDocument: CLASSES.Region,
  loadTemplates, renderTemplate, Collection: utils.Collection,
};

export const foundry = strictTree("foundry", {
  CONST,
  abstract: { Document },
  applications: {
    api: { ApplicationV2, DialogV2, DocumentSheetV2, HandlebarsApplicationMixin },
    apps: { DocumentSheetConfig },
    handlebars: { getTemplate, loadTemplates, renderTemplate },
    hud: { TokenHUD },
    instances,
    sheets: { ActorSheetV2, TokenConfig, MacroConfig, sheetOf },
    sidebar: { Sidebar, AbstractSidebarTab: TabApplication, tabs: { ChatLog, CombatTracker, Settings } },
    ui: { Hotbar, Notifications, Players, SceneControls },
    ux: { ContextMenu: { implementation: ContextMenu }, FormDataExtended, TextEditor: { implementation: { enrichHTML: async text => text, getDragEventData: event => JSON.parse(event.dataTransfer.getData("text/plain")) } } },
    parseHTML: markup => { const { children } = utils.cleaned(markup); return children.length > 1 ? children : children[0]; },
  },
  audio: {},
  canvas: { Canvas, layers: { TokenLayer }, placeables: { Token } },
  dice: { Roll, terms },
  documents: { ...documents, collections: { Actors, CombatEncounters: Combats, ChatMessages: Messages, Scenes, Users, WorldCollection } },
  grid: { SquareGrid },
  helpers: { Hooks },
  utils: { ...utils, fromUuid, fromUuidSync },
});

export { EmbeddedCollection, SidebarTab };
