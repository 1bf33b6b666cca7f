/**
 * @import * as Api from "../../types/api.js"
 * @import {Session} from "../api/session.mjs"
 * @import {Lexicon, UndoneBy} from "./card.mjs"
 * @import {Anchor} from "./story.mjs"
 */
import { isFenced, lastOf, stands, undoOf } from "../corrections/undo.mjs";
import { MODULE } from "../constants.mjs";
import { cardOf, isForCards } from "./card.mjs";
import { isUndo, Story } from "./story.mjs";

const TEMPLATE = `modules/${MODULE}/templates/chat-card.hbs`;

/** For how long a new card waits for what the stream has to say of it, in milliseconds. */
const PATIENCE = 4000;

/**
 * The cards in the chat. Their messages are anchors that tell nothing; what stands
 * on a card is put there on each client, from what its own seat was told, in its
 * own language. A seat that was told nothing sees no card.
 */
class Cards {
  /** @type {Handlebars.TemplateDelegate | null} */
  #template = null;
  /** @type {Session | null} */
  #session = null;
  /** @type {Lexicon | null} */
  #lexicon = null;
  /** @type {Story | null} */
  #story = null;
  /** What is drawn of each step, in windows and notifications too. @type {Map<string, Set<WeakRef<HTMLElement>>>} */
  #drawn = new Map();
  /** What was drawn last, so that what has not changed keeps its place and the focus in it. @type {WeakMap<HTMLElement, string>} */
  #markup = new WeakMap();
  /** The names by which it was drawn. */
  #names = "";
  /** What the cards stand for, by step. @type {Map<string, Anchor>} */
  #anchors = new Map();
  /** The step of the last card, which has a button to take it back. */
  #last = "";
  /** What the button does. @type {(step: string) => void} */
  #undo = () => {};

  /** @param {(step: string) => void} undo  What the button of the last card does. */
  init(undo) {
    this.#undo = undo;
    Hooks.on("renderChatMessageHTML", (message, html) => this.#render(message, html));
  }

  async ready() {
    this.#template = await foundry.applications.handlebars.getTemplate(TEMPLATE);
    this.#redraw();
  }

  /**
   * @param {Session} session
   * @param {Lexicon} lexicon
   */
  start(session, lexicon) {
    this.#session = session;
    this.#lexicon = lexicon;
    this.#names = namesIn(session);
    this.#story = new Story((verb, path) => session.client.call(verb, path), session.table);
    this.#redraw();
    this.#findAll();
    const ends = [
      session.on("state", ({ state }) => { if (state === "live") this.#findAll(); }),
      session.on("view", () => {
        const names = namesIn(session);
        if (names !== this.#names) this.#redraw();
        this.#names = names;
      }),
    ];
    return () => {
      for (const end of ends) end();
      this.#session = this.#lexicon = this.#story = null;
      this.#redraw();
    };
  }

  /** Takes down what has happened, without showing it yet. @param {Api.EventViewJson[]} events */
  tell(events) {
    this.#story?.tell(events);
  }

  /** Shows what has happened. @param {Api.EventViewJson[]} events */
  show(events) {
    this.#story?.show(events);
    this.#redraw(events.some(isUndo) ? undefined : new Set(events.map(event => event.stepId ?? "")));
  }

  /**
   * What stands on the card of a step: what of it can be taken back, and what was told
   * since, the first sentence of each card that stands; null if nothing was told.
   * @param {string} step
   */
  at(step) {
    const story = this.#story;
    const events = story?.of(step) ?? [];
    if (!story || !events.some(isForCards)) return null;
    const steps = this.#steps();
    const since = steps.slice(steps.indexOf(step)).flatMap(s => {
      const told = story.of(s) ?? [];
      return stands(told, this.#undoneBy) ? [told.find(isForCards)?.text?.text ?? ""] : [];
    });
    return { events, since, undo: undoOf(events, this.#undoneBy, this.#lastStep() === step, this.#looker()) };
  }

  /**
   * @param {ChatMessage} message
   * @param {HTMLElement} html
   */
  #render(message, html) {
    const anchor = message.getFlag(MODULE, "card");
    if (!anchor) return;
    html.classList.add("hantei-message");
    html.addEventListener("click", event => {
      if (/** @type {Element} */ (event.target).closest("[data-hantei=undo]")) this.#undo(anchor.step);
    });
    const drawn = this.#drawn.get(anchor.step) ?? new Set();
    this.#drawn.set(anchor.step, drawn.add(new WeakRef(html)));
    this.#anchors.set(anchor.step, anchor);
    this.#redraw([anchor.step]);
    // What happens just now comes by the stream, after the dice have been thrown.
    const fresh = Math.abs(Date.now() - message.timestamp) < PATIENCE;
    if (fresh) setTimeout(() => this.#find(anchor), PATIENCE);
    else this.#find(anchor);
  }

  #findAll() {
    for (const anchor of this.#anchors.values()) this.#find(anchor);
  }

  /** Finds out what a card says, unless that is known. @param {Anchor} anchor */
  #find(anchor) {
    if (this.#session?.table !== anchor.table || this.#story?.of(anchor.step)) return;
    this.#story?.find(anchor).then(
      () => this.#redraw(this.#story?.of(anchor.step)?.some(isUndo) ? undefined : [anchor.step]),
      error => console.debug("hantei | a card was not found", error), // again when the connection is back
    );
  }

  /** Draws cards anew; whoever reads the end of the log stays there. @param {Iterable<string>} [steps]  All, unless said. */
  #redraw(steps = this.#drawn.keys()) {
    const last = this.#lastStep();
    const all = new Set([...steps, this.#last, last]);
    this.#last = last;
    const log = ui.chat?.element?.querySelector(".chat-scroll, .chat-log");
    const atEnd = log && log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    for (const step of all) {
      const drawn = this.#drawn.get(step);
      for (const ref of drawn ?? []) {
        const html = ref.deref();
        if (html) this.#draw(html, step);
        else drawn?.delete(ref);
      }
    }
    if (log && atEnd) log.scrollTop = log.scrollHeight;
  }

  /**
   * @param {HTMLElement} html
   * @param {string} step
   */
  #draw(html, step) {
    const session = this.#session;
    const mine = session !== null && session.table === this.#anchors.get(step)?.table;
    const events = mine && this.#template ? this.#story?.of(step) ?? [] : [];
    const card = this.#lexicon && cardOf(events, this.#lexicon, this.#undoneBy);
    html.classList.toggle("hantei-untold", mine && !card?.rows.length);
    html.classList.toggle("hantei-apart", !mine);
    const content = html.querySelector(".message-content");
    if (!content || !card?.rows.length || !this.#template) return;
    const sender = html.querySelector(".message-sender");
    if (sender) sender.textContent = card.actor || "Hantei"; // whose name may be known by now
    const markup = this.#template({ ...card, foot: step === this.#last ? this.#footOf(events) : "" });
    if (this.#markup.get(html) === markup) return;
    this.#markup.set(html, markup);
    const page = new DOMParser().parseFromString(markup, "text/html");
    const open = new Set([...content.querySelectorAll("details[open]")].map(e => e.getAttribute("data-event")));
    for (const details of page.querySelectorAll("details")) details.open = open.has(details.dataset.event ?? "");
    content.replaceChildren(...page.body.children);
  }

  /**
   * What the button of the last card says; "" for none, where the server is sure to refuse.
   * @param {Api.EventViewJson[]} events
   */
  #footOf(events) {
    const looker = this.#looker();
    const kind = !looker.gm && isFenced(events) ? null : undoOf(events, this.#undoneBy, true, looker);
    return kind ? game.i18n.localize(`HANTEI.Undo.Menu.${kind}`) : "";
  }

  /** @type {UndoneBy} */
  #undoneBy = id => this.#story?.undoneBy(id);

  #looker() {
    const session = this.#session;
    return { gm: session?.isGM ?? false, yours: (/** @type {string} */ id) => session?.character(id)?.yours ?? false };
  }

  /** The steps of the table's cards, in the order in which these were written. */
  #steps() {
    const messages = game.messages.filter(message => message.flags[MODULE]?.card?.table === this.#session?.table);
    return messages.sort((a, b) => a.timestamp - b.timestamp).map(message => message.flags[MODULE]?.card?.step ?? "");
  }

  #lastStep() {
    const story = this.#story;
    return (story && lastOf(this.#steps(), step => story.of(step), this.#undoneBy, this.#looker().gm)) ?? "";
  }
}

/** @param {Session} session */
function namesIn({ view }) {
  return JSON.stringify(view?.characters?.map(({ id, name }) => [id, name]));
}

export const cards = new Cards();
