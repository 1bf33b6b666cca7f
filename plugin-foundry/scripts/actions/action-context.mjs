/**
 * What the templates of the window of actions show.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Surroundings} from "./forms.mjs"
 *
 * @typedef {object} Looking
 * @property {Session} session
 * @property {string} actor     Whose offers are shown; empty for the table's.
 * @property {string} search
 * @property {string} open      The offer that is being filled in.
 * @property {Record<string, string[]>} [values]  What its form said.
 * @property {Map<string, boolean>} unfolded      Groups that were opened or closed by hand.
 */
import { fieldsOf } from "../inputs/fields.mjs";
import { around, surroundings } from "../inputs/form.mjs";
import { hasForm, inputsOf, presetOf } from "./forms.mjs";
import { groupOffers, searchOffers } from "./offers.mjs";

/** Who may know what a roll brings. */
const AUDIENCES = ["AUDIENCE_PUBLIC", "AUDIENCE_OWNER", "AUDIENCE_GM"];

/** @param {Looking} looking */
export function actionContext(looking) {
  const { session, actor, search, open, unfolded } = looking;
  const offers = session.view?.offers ?? [];
  const place = surroundings(session);
  const found = searchOffers(offers.filter(offer => (offer.actor ?? "") === actor), search);
  const given = session.view?.options?.find(option => option.key === "given_dice")?.value;
  return {
    search,
    actors: actorsOf(session, actor),
    groups: groupOffers(found, session.ruleset).map(group => ({
      ...group,
      // What cannot be done now is there for who wants to know why.
      open: search !== "" || (unfolded.get(group.key) ?? group.possible) || group.offers.some(offer => offer.id === open),
      offers: group.offers.map(offer => lineOf(looking, offer, place)),
    })),
    nothing: !found.length,
    audiences: AUDIENCES.map(value => ({ value, text: game.i18n.localize(`HANTEI.Action.Audience.${value}`) })),
    mayGive: given === "all" || (given === "gm" && session.isGM),
  };
}

/**
 * Whose offers can be shown: who is offered something, and the one that is shown.
 * @param {Session} session
 * @param {string} actor
 */
export function actorsOf(session, actor) {
  const ids = new Set((session.view?.offers ?? []).map(offer => offer.actor ?? "")).add(actor);
  return [...ids].map(id => ({ value: id, text: actorName(session, id), selected: id === actor }));
}

/**
 * @param {Session} session
 * @param {string} actor
 */
export function actorName(session, actor) {
  return actor ? session.nameOf(actor) : game.i18n.localize("HANTEI.Action.Table");
}

/**
 * @param {Looking} looking
 * @param {Api.OfferViewJson} offer
 * @param {Surroundings} place
 */
function lineOf({ session, actor, open: opened, values }, offer, place) {
  const open = offer.id === opened && (offer.possible ?? false);
  const inputs = inputsOf(offer, place);
  const value = offer.stat && session.character(actor)?.stats?.find(stat => stat.key === offer.stat)?.value;
  return {
    id: offer.id,
    text: offer.text,
    value: value === undefined ? "" : String(value),
    usable: (offer.possible ?? false) && hasForm(offer),
    reason: !hasForm(offer) ? game.i18n.localize("HANTEI.Action.NotHere") : offer.possible ? "" : offer.reasonText || offer.reason,
    asks: inputs.length > 0,
    // What is to be filled in first has its button in the form.
    oddsHere: (offer.possible ?? false) && hasForm(offer) && !inputs.length,
    open,
    fields: open ? fieldsOf(inputs, { ...around(session), values: values ?? presetOf(offer, place) }, `${offer.id}.`) : [],
  };
}
