/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 */
import { MODULE } from "../constants.mjs";
import { actorsOf } from "../link/registry.mjs";
import { documentId } from "./ids.mjs";
import { tokensOnMaps } from "./places.mjs";

/**
 * The server's turns are no occasion for what other modules do at the beginning of
 * Foundry's: it has seen to all that happens at a turn.
 */
const SERVED = /** @type {any} */ ({ turnEvents: false });

/**
 * Shows an encounter in the combat tracker; without one, ends what was shown.
 * @param {Session} session
 * @param {Api.EncounterJson | null | undefined} encounter  As everybody may know it.
 */
export async function setCombat(session, encounter) {
  const id = documentId("combat", session.table);
  const shown = game.combats.get(id);
  if (!encounter) {
    await shown?.delete();
    return;
  }
  const order = encounter.order?.length ? encounter.order : encounter.roster ?? [];
  const combat = shown ?? await Combat.create(
    /** @type {any} */ ({ _id: id, active: true, flags: { [MODULE]: { table: session.table } } }), /** @type {any} */ ({ keepId: true }),
  );
  if (!combat) return;
  await setCombatants(session, combat, order);
  await setTurn(combat, encounter);
}

/**
 * @param {Session} session
 * @param {Combat} combat
 * @param {string[]} order
 */
async function setCombatants(session, combat, order) {
  const wanted = order.map((character, i) => ({
    ...standIn(session, character), _id: documentId("combatant", session.table, character),
    initiative: order.length - i, flags: { [MODULE]: { character } },
  }));
  const ids = new Set(wanted.map(w => w._id));
  const gone = combat.combatants.filter(c => c.getFlag(MODULE, "character") !== undefined && !ids.has(c.id ?? "")).map(c => c.id ?? "");
  const fresh = wanted.filter(w => !combat.combatants.has(w._id));
  const moved = wanted.filter(w => combat.combatants.get(w._id)?.initiative !== w.initiative && combat.combatants.has(w._id));
  if (gone.length) await combat.deleteEmbeddedDocuments("Combatant", gone, SERVED);
  if (fresh.length) await combat.createEmbeddedDocuments("Combatant", /** @type {any} */ (fresh), { ...SERVED, keepId: true });
  if (moved.length) await combat.updateEmbeddedDocuments("Combatant", moved.map(({ _id, initiative }) => ({ _id, initiative })), SERVED);
}

/**
 * Whose turn it is stays as it was between turns.
 * @param {Combat} combat
 * @param {Api.EncounterJson} encounter
 */
async function setTurn(combat, { round = 0, turn = [] }) {
  const now = combat.turns.findIndex(c => turn.includes(c.getFlag(MODULE, "character") ?? ""));
  const change = { round, turn: now >= 0 ? now : combat.turn };
  if (change.round !== combat.round || change.turn !== combat.turn) await combat.update(change, SERVED);
}

/**
 * What stands for a character in the tracker: its token, else its actor, else its
 * name alone.
 * @param {Session} session
 * @param {string} character
 */
function standIn(session, character) {
  const token = tokensOnMaps(character)[0];
  if (token) return { tokenId: token.id, sceneId: token.parent?.id, actorId: token.actorId, hidden: token.hidden };
  return { actorId: actorsOf(character)[0]?.id ?? null, name: session.nameOf(character) };
}
