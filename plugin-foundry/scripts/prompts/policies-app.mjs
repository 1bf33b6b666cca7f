/**
 * How the seat answers without being asked; for the GM, of every seat.
 * @import {Session} from "../api/session.mjs"
 * @import * as Api from "../../types/api.js"
 */
import { MODULE } from "../constants.mjs";
import { complain } from "../i18n.mjs";
import { ALL_DEFAULT, setPolicies, withoutPolicy, withPolicy } from "./policies.mjs";
import { describePolicy } from "./policy-words.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class PoliciesApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #session;

  /** @param {Session} session */
  constructor(session) {
    super();
    this.#session = session;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    id: "hantei-policies",
    classes: ["hantei", "hantei-policies"],
    window: { title: "HANTEI.Policy.Title", icon: "fa-solid fa-repeat" },
    position: { width: 440, height: /** @type {const} */ ("auto") },
    actions: { remove: PoliciesApp.#remove, allDefault: PoliciesApp.#allDefault },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/policies.hbs` } };

  /** The seats whose policies the seat may see and set. */
  get #seats() {
    const { view, isGM, seat } = this.#session;
    return isGM ? (view?.seats ?? []).filter(s => s.role !== "SEAT_ROLE_OBSERVER") : seat ? [seat] : [];
  }

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    return {
      seats: this.#seats.map(seat => ({
        id: seat.id,
        name: seat.name,
        several: this.#seats.length > 1,
        policies: (seat.policies ?? []).map((policy, index) => ({ index, ...describePolicy(this.#session, policy) })),
        mayDefault: this.#session.isGM && !seat.policies?.some(isAllDefault),
      })),
    };
  }

  /** @this {PoliciesApp} @param {Event} event @param {HTMLElement} target */
  static async #remove(event, target) {
    const seat = this.#seats.find(s => s.id === target.dataset.seat);
    const policy = seat?.policies?.[Number(target.dataset.index)];
    if (seat && policy) await this.#set(seat, withoutPolicy(seat.policies ?? [], policy));
  }

  /** @this {PoliciesApp} @param {Event} event @param {HTMLElement} target */
  static async #allDefault(event, target) {
    const seat = this.#seats.find(s => s.id === target.dataset.seat);
    if (seat) await this.#set(seat, withPolicy(seat.policies ?? [], ALL_DEFAULT));
  }

  /**
   * @param {Api.SeatJson} seat
   * @param {Api.PolicyJson[]} policies
   */
  async #set(seat, policies) {
    try {
      await setPolicies(this.#session, seat.id ?? "", policies);
    } catch (error) {
      complain(error);
    }
    await this.render();
  }
}

/** @param {Api.PolicyJson} policy */
function isAllDefault(policy) {
  return Boolean(policy.takeDefault && !policy.character && !policy.prompt);
}
