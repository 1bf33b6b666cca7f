/**
 * The window of odds: what can come of an action, asked of the server on request.
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Outcomes} from "./odds.mjs"
 */
import { MODULE } from "../constants.mjs";
import { words } from "../i18n.mjs";
import { questionWords } from "../prompts/policy-words.mjs";
import { oddsOf } from "./odds.mjs";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

const OUTCOMES_TEMPLATE = `modules/${MODULE}/templates/outcomes.hbs`;

/**
 * Asks what would come of an action, and shows it. Nothing is declared by that.
 * Throws a HanteiError.
 * @param {Session} session
 * @param {string} what  The action, in words.
 * @param {Omit<Api.PreviewRequestJson, "tableId">} request
 */
export async function showOdds(session, what, request) {
  /** @type {Api.PreviewResponseJson} */
  const { odds } = await session.client.call("POST", `/v1/tables/${session.table}:preview`, request);
  await new OddsApp(session, what, odds ?? {}).render({ force: true });
}

class OddsApp extends HandlebarsApplicationMixin(ApplicationV2) {
  #session;
  #what;
  #odds;
  /** @type {(() => void)[]} */
  #ends = [];

  /**
   * @param {Session} session
   * @param {string} what
   * @param {Api.OddsViewJson} odds
   */
  constructor(session, what, odds) {
    super({ window: { title: words("Odds.Title", { what }) } });
    this.#session = session;
    this.#what = what;
    this.#odds = odds;
  }

  /** @override */
  static DEFAULT_OPTIONS = {
    id: "hantei-odds",
    classes: ["hantei", "hantei-odds"],
    window: { icon: "fa-solid fa-percent", resizable: true },
    position: { width: 460, height: 560 },
  };

  /** @override */
  static PARTS = { body: { template: `modules/${MODULE}/templates/odds.hbs`, templates: [OUTCOMES_TEMPLATE], scrollable: [""] } };

  /** @override @returns {Promise<any>} */
  async _prepareContext() {
    const { ruleset } = this.#session;
    const nameOf = (/** @type {{key?: string, name?: string, text?: string}[] | undefined} */ all, /** @type {string} */ key) => {
      const found = all?.find(one => one.key === key);
      return found?.name || found?.text || "";
    };
    const { outcomes, question } = oddsOf(this.#odds, {
      character: id => this.#session.nameOf(id),
      stat: key => nameOf(ruleset?.stats, key) || key,
      label: label => questionWords(this.#session, label) || nameOf(ruleset?.words, label) || label,
      status: key => nameOf(ruleset?.statuses, key) || key,
    });
    return {
      what: this.#what,
      method: methodWords(outcomes),
      outcomes: said(outcomes),
      question: question && {
        ...question,
        who: words("Prompt.Title", { who: question.who || words("Prompt.GM") }),
        asked: { ...question.asked, text: words("Odds.Asked", { percent: question.asked.percent }) },
        answers: question.answers.map(answer => ({ ...answer, outcomes: said(answer.outcomes) })),
      },
    };
  }

  /**
   * @param {any} context
   * @param {any} options
   * @override
   */
  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    // What has happened since may have changed everything.
    this.#ends.push(this.#session.on("events", () => {
      /** @type {HTMLElement} */ (this.element.querySelector("[data-stale]")).hidden = false;
    }));
    this.#ends.push(this.#session.on("state", ({ state }) => { if (state === "off") void this.close({ animate: false }); }));
  }

  /** @param {any} options @override */
  _onClose(options) {
    super._onClose(options);
    for (const end of this.#ends) end();
  }
}

/**
 * How it was worked out, in words.
 * @param {Outcomes} outcomes
 */
function methodWords({ method: { samples, leaves, margin }, truncated }) {
  const how = samples ? words("Odds.Sampled", { samples: String(samples), margin }) : words("Odds.Exact", { leaves: String(leaves) });
  return truncated ? `${how} ${words("Odds.Truncated", { percent: truncated })}` : how;
}

/**
 * Outcomes with the sentences that the module says of them.
 * @param {Outcomes} outcomes
 */
function said(outcomes) {
  return {
    ...outcomes,
    stops: outcomes.stops.map(stop => {
      const { who, label, percent } = stop;
      return { ...stop, text: who ? words("Odds.StopOf", { who, label, percent }) : words("Odds.Stop", { label, percent }) };
    }),
    statuses: outcomes.statuses.map(status => {
      const names = { who: status.who, status: status.name };
      return { ...status, text: status.lost ? words("Odds.Loses", names) : words("Odds.Gains", names) };
    }),
    resources: outcomes.resources.map(resource => ({
      ...resource, text: words("Odds.Resource", { who: resource.who, name: resource.name, before: String(resource.before), mean: resource.mean }),
    })),
    nothing: !outcomes.likely.length && !outcomes.rare.length && !outcomes.stops.length,
  };
}
