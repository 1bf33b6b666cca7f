// @ts-check
/**
 * The stand-in against Foundry's types: what takes or gives something else than
 * Foundry's own does not compile, and neither does a member that Foundry has not.
 * Never run, only checked (`npm run types`).
 *
 * @import {ApplicationV2} from "./page/apps/application.mjs"
 * @import {FormDataExtended} from "./page/apps/form-data.mjs"
 * @import {SquareGrid} from "./page/canvas/grid.mjs"
 * @import {InterfaceGroup} from "./page/canvas/interface.mjs"
 * @import {ActiveEffect as EffectHere, Actor as ActorHere} from "./page/documents/actor.mjs"
 * @import {ChatMessage as MessageHere} from "./page/documents/chat-message.mjs"
 * @import {Combat as CombatHere, Combatant as CombatantHere} from "./page/documents/combat.mjs"
 * @import {Macro as MacroHere} from "./page/documents/others.mjs"
 * @import {TokenDocument as TokenHere} from "./page/documents/token.mjs"
 * @import {User as UserHere, Users as UsersHere} from "./page/documents/user.mjs"
 * @import {Localization} from "./page/i18n.mjs"
 * @import {ClientKeybindings} from "./page/keybindings.mjs"
 * @import {Die, NumericTerm, OperatorTerm, Roll as RollHere} from "./page/roll.mjs"
 * @import {ClientSettings} from "./page/settings.mjs"
 * @import {Notifications} from "./page/ui/notifications.mjs"
 */
import { DialogV2 } from "./page/apps/dialog.mjs";
import { loadTemplates, renderTemplate } from "./page/apps/templates.mjs";
import { CONST as constants } from "./page/constants.mjs";
import * as utils from "./page/foundry-utils.mjs";
import { Hooks as HooksHere } from "./page/hooks.mjs";

// ---- functions that take and give what Foundry's do

void (/** @satisfies {Pick<typeof foundry.utils, "getProperty" | "setProperty" | "expandObject" | "flattenObject" | "isEmpty" | "randomID" | "isNewerVersion" | "getRoute" | "escapeHTML" | "cleanHTML" | "getType" | "debounce">} */ (utils));
void (/** @satisfies {Pick<typeof foundry.applications.handlebars, "renderTemplate" | "loadTemplates">} */ ({ renderTemplate, loadTemplates }));
void (/** @satisfies {Pick<typeof foundry.applications.api.DialogV2, "confirm" | "prompt" | "input" | "wait">} */ (DialogV2));
void (/** @satisfies {Pick<typeof Hooks, "on" | "once" | "off" | "call" | "callAll">} */ (HooksHere));

// ---- numbers by the same names

void (/** @satisfies {Record<keyof typeof CONST.USER_ROLES, number>} */ (constants.USER_ROLES));
void (/** @satisfies {Record<keyof typeof CONST.TOKEN_DISPOSITIONS, number>} */ (constants.TOKEN_DISPOSITIONS));
void (/** @satisfies {Record<keyof typeof CONST.TOKEN_DISPLAY_MODES, number>} */ (constants.TOKEN_DISPLAY_MODES));
void (/** @satisfies {Record<keyof typeof CONST.DOCUMENT_OWNERSHIP_LEVELS, number>} */ (constants.DOCUMENT_OWNERSHIP_LEVELS));
void (/** @satisfies {Record<keyof typeof CONST.CHAT_MESSAGE_STYLES, number>} */ (constants.CHAT_MESSAGE_STYLES));
void (/** @satisfies {Record<keyof typeof CONST.DRAWING_FILL_TYPES, number>} */ (constants.DRAWING_FILL_TYPES));
void (/** @satisfies {Record<keyof typeof CONST.GRID_TYPES, number>} */ (constants.GRID_TYPES));
void (/** @satisfies {Record<keyof typeof CONST.DICE_ROLL_MODES, string>} */ (constants.DICE_ROLL_MODES));

// ---- no member that Foundry has not

/**
 * The members of ours that are no members of Foundry's; those with an underscore are
 * the stand-in's own. An object without members satisfies this only if there are none.
 * @template Here, There
 * @typedef {Record<Exclude<Exclude<Extract<keyof Here, string>, `_${string}`>, keyof There>, never>} NoneOf
 */

void (/** @satisfies {NoneOf<ApplicationV2, foundry.applications.api.ApplicationV2>} */ ({}));
void (/** @satisfies {NoneOf<DialogV2, foundry.applications.api.DialogV2>} */ ({}));
void (/** @satisfies {NoneOf<FormDataExtended, foundry.applications.ux.FormDataExtended>} */ ({}));
void (/** @satisfies {NoneOf<ClientSettings, foundry.helpers.ClientSettings>} */ ({}));
void (/** @satisfies {NoneOf<ClientKeybindings, foundry.helpers.interaction.ClientKeybindings>} */ ({}));
void (/** @satisfies {NoneOf<Localization, foundry.helpers.Localization>} */ ({}));
void (/** @satisfies {NoneOf<Omit<Notifications, "shown">, foundry.applications.ui.Notifications>} */ ({})); // shown and said are for tests
void (/** @satisfies {NoneOf<Omit<InterfaceGroup, "said">, foundry.canvas.groups.InterfaceCanvasGroup>} */ ({}));
void (/** @satisfies {NoneOf<SquareGrid, foundry.grid.SquareGrid>} */ ({}));
void (/** @satisfies {NoneOf<RollHere, foundry.dice.Roll>} */ ({}));
void (/** @satisfies {NoneOf<Die, foundry.dice.terms.Die>} */ ({}));
void (/** @satisfies {NoneOf<NumericTerm, foundry.dice.terms.NumericTerm>} */ ({}));
void (/** @satisfies {NoneOf<OperatorTerm, foundry.dice.terms.OperatorTerm>} */ ({}));
void (/** @satisfies {NoneOf<ActorHere, Actor>} */ ({}));
void (/** @satisfies {NoneOf<EffectHere, ActiveEffect>} */ ({}));
void (/** @satisfies {NoneOf<MessageHere, ChatMessage>} */ ({}));
void (/** @satisfies {NoneOf<CombatHere, Combat>} */ ({}));
void (/** @satisfies {NoneOf<CombatantHere, Combatant>} */ ({}));
void (/** @satisfies {NoneOf<TokenHere, TokenDocument>} */ ({}));
void (/** @satisfies {NoneOf<MacroHere, Macro>} */ ({}));
void (/** @satisfies {NoneOf<UserHere, User>} */ ({}));
void (/** @satisfies {NoneOf<UsersHere, foundry.documents.collections.Users>} */ ({}));
