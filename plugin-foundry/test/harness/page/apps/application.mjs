/** ApplicationV2: the life of a window. */
import { mergeObject, deepClone } from "../foundry-utils.mjs";
import { Hooks } from "../hooks.mjs";
import { parse } from "./markup.mjs";
import { FormDataExtended } from "./form-data.mjs";

const STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };

/** All windows that are open, by id. */
export const instances = new Map();
let last = 0;
let front = 100;

export class ApplicationV2 extends EventTarget {
  static BASE_APPLICATION = ApplicationV2;
  static RENDER_STATES = STATES;
  static DEFAULT_OPTIONS = {
    id: "app-{id}", classes: [], tag: "div",
    window: { frame: true, positioned: true, title: "", icon: "", controls: [], minimizable: true, resizable: false, contentTag: "section", contentClasses: [] },
    actions: {}, form: undefined, position: {},
  };
  static TABS = {};
  static emittedEvents = Object.freeze(["render", "close", "position"]);

  #state = STATES.NONE;
  #queue = Promise.resolve();
  #element = null;
  #content = null;

  constructor(options = {}) {
    super();
    this.options = Object.freeze(this._initializeApplicationOptions(options));
    this.id = this.options.id.replace("{id}", this.options.uniqueId);
    this.position = { width: "auto", height: "auto", top: 0, left: 0, scale: 1, zIndex: ++front, ...this.options.position };
    this.tabGroups = Object.fromEntries(Object.entries(this.constructor.TABS).map(([group, { initial }]) => [group, initial ?? null]));
    this.minimized = false;
  }

  _initializeApplicationOptions(given) {
    const options = { classes: [], actions: {}, window: {}, position: {} };
    for (const Class of [...this.constructor.inheritanceChain()].reverse()) join(options, Class.DEFAULT_OPTIONS ?? {});
    join(options, given);
    options.uniqueId = given.uniqueId ?? String(++last);
    return options;
  }

  static *inheritanceChain() {
    for (let Class = this; Class !== EventTarget && Class !== Object.getPrototypeOf(Function); Class = Object.getPrototypeOf(Class)) {
      yield Class;
      if (Class === ApplicationV2) return;
    }
  }

  get element() {
    return this.#element;
  }

  get window() {
    return { header: this.#element?.querySelector(":scope > .window-header") ?? null, content: this.#content, title: this.#element?.querySelector(".window-title") ?? null, close: this.#element?.querySelector(".window-header [data-action=close]") ?? null };
  }

  get form() {
    return this.options.tag === "form" ? this.#element : this.#element?.querySelector("form") ?? null;
  }

  get state() {
    return this.#state;
  }

  get rendered() {
    return this.#state === STATES.RENDERED;
  }

  get title() {
    return game.i18n.localize(this.options.window.title);
  }

  get classList() {
    return this.#element?.classList;
  }

  get hasFrame() {
    return this.options.window.frame;
  }

  /** Where it is put. */
  get _parent() {
    return document.body;
  }

  /** One after another: what is drawn or closed waits for what was asked for before. */
  #inTurn(work) {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => {});
    return next;
  }

  /** Draws it; what is not there is drawn only by force. */
  async render(options = {}, legacy = {}) {
    const wanted = typeof options === "boolean" ? { force: options, ...legacy } : options;
    return this.#inTurn(() => this.#render(wanted));
  }

  async #render(options) {
    if (this._canRender(options) === false) return this;
    const first = this.#state <= STATES.NONE;
    if (first && !options.force) return this;
    options.isFirstRender = first;
    this._configureRenderOptions(options);
    try {
      const context = await this._prepareContext(options);
      if (first) await this._preFirstRender(context, options);
      await this._preRender(context, options);
      await this.#draw(context, options);
      if (first) await this._onFirstRender(context, options);
      await this._onRender(context, options);
      this.#tell("render", this.#element, context, options);
      this.setPosition(options.position ?? {});
      return this;
    } catch (error) {
      Hooks.onError("ApplicationV2#render", error, { msg: `Failed to render Application "${this.id}":` });
      throw error;
    }
  }

  /** Only now it counts as being drawn; what has gone wrong here is gone from the page. */
  async #draw(context, options) {
    this.#state = STATES.RENDERING;
    try {
      if (options.isFirstRender) {
        this.#element = this.hasFrame ? await this._renderFrame(options) : this.#bare();
        this.#content = this.hasFrame ? this.#element.querySelector(":scope > .window-content") : this.#element;
        this._attachFrameListeners();
      }
      this._replaceHTML(await this._renderHTML(context, options), this.#content, options);
    } catch (error) {
      this.#element?.remove();
      this.#element = this.#content = null;
      this.#state = STATES.ERROR;
      throw error;
    }
    if (options.isFirstRender) {
      instances.set(this.id, this);
      this._insertElement(this.#element);
    }
    if (this.hasFrame) this._updateFrame(options);
    this.#state = STATES.RENDERED;
  }

  #tell(word, ...args) {
    for (const Class of this.constructor.inheritanceChain()) if (Class.name) Hooks.callAll(`${word}${Class.name}`, this, ...args);
    this.dispatchEvent(new Event(word));
  }

  #bare() {
    const element = document.createElement(this.options.tag);
    element.id = this.id;
    element.classList.add("application", ...this.options.classes);
    return element;
  }

  async _renderFrame(_options) {
    const frame = this.#bare();
    frame.setAttribute("role", "dialog");
    const { contentTag, contentClasses } = this.options.window;
    frame.append(...parse(`<div><header class="window-header"><i class="window-icon"></i><h1 class="window-title"></h1>
      <button type="button" class="header-control icon" data-action="toggleControls" aria-label="Controls"></button>
      <button type="button" class="header-control icon" data-action="close" aria-label="Close"></button></header>
      <menu class="controls-dropdown"></menu><${contentTag} class="window-content"></${contentTag}></div>`).children);
    if (contentClasses.length) frame.querySelector(".window-content").classList.add(...contentClasses);
    return frame;
  }

  /** The title is what a drawing says that it is: a new one must be given. */
  _updateFrame({ window }) {
    if (!window) return;
    if ("title" in window) this.window.title.textContent = window.title;
    const menu = this.#element.querySelector(":scope > .controls-dropdown");
    menu?.replaceChildren(...this._getHeaderControls().filter(c => (typeof c.visible === "function" ? c.visible.call(this) : c.visible ?? true)).map(({ label, action, onClick }) => {
      const button = parse('<button type="button" class="header-control"></button>');
      button.textContent = game.i18n.localize(label);
      if (action) button.dataset.action = action;
      if (onClick) button.addEventListener("click", event => onClick.call(this, event));
      return button;
    }));
  }

  _getHeaderControls() {
    const controls = [...(this.options.window.controls ?? [])];
    for (const Class of this.constructor.inheritanceChain()) if (Class.name) Hooks.callAll(`getHeaderControls${Class.name}`, this, controls);
    return controls;
  }

  _insertElement(element) {
    document.getElementById(element.id)?.remove();
    this._parent.append(element);
  }

  _attachFrameListeners() {
    this.#element.addEventListener("click", event => this.#onClick(event));
    this.#element.addEventListener("pointerdown", () => this.bringToFront(), { capture: true });
    if (this.options.tag === "form" && this.options.form) this._listenToForm(this.#element, this.options.form);
  }

  #onClick(event) {
    const target = event.target.closest("[data-action]");
    if (!target || !this.#element.contains(target) || target.disabled) return;
    const { action } = target.dataset;
    if (action === "close" && target.closest(".window-header")) return void this.close();
    if (action === "toggleControls") return void this.#element.querySelector(".controls-dropdown").classList.toggle("expanded");
    if (action === "tab") return this.changeTab(target.dataset.tab, target.dataset.group, { event });
    const entry = this.options.actions[action];
    const handler = entry?.handler ?? entry;
    if (handler) this.#safely(() => handler.call(this, event, target));
    else this._onClickAction(event, target);
  }

  async #safely(work) {
    try {
      await work();
    } catch (error) {
      Hooks.onError("ApplicationV2", error);
    }
  }

  _onClickAction(_event, _target) {}

  /** Handles the form by its configuration. */
  _listenToForm(form, config) {
    form.addEventListener("submit", event => this._onSubmitForm(config, event));
    form.addEventListener("change", event => {
      this._onChangeForm(config, event);
      if (config.submitOnChange) void this._onSubmitForm(config, event);
    });
  }

  _onChangeForm(_config, _event) {}

  async _onSubmitForm({ handler, closeOnSubmit = false }, event) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormDataExtended(form, { submitter: event.submitter });
    await this.#safely(async () => {
      await handler?.call(this, event, form, data);
      if (closeOnSubmit) await this.close({ submitted: true });
    });
  }

  async submit(options = {}) {
    const config = this.options.form;
    const form = this.form;
    const data = new FormDataExtended(form);
    const result = await config.handler.call(this, new Event("submit"), form, data, options);
    if (config.closeOnSubmit) await this.close({ submitted: true });
    return result;
  }

  _canRender(_options) {}
  _configureRenderOptions(options) {
    if (options.isFirstRender && this.hasFrame) options.window = { title: this.title, ...options.window };
  }
  async _prepareContext(options) {
    const context = { rootId: this.options.uniqueId, ...options };
    const groups = Object.keys(this.constructor.TABS);
    if (groups.length === 1) context.tabs = this._prepareTabs(groups[0]);
    return context;
  }
  async _preFirstRender(_context, _options) {}
  async _preRender(_context, _options) {}
  async _renderHTML(_context, _options) {
    throw new Error(`The ${this.constructor.name} Application class is not renderable because it does not define the _renderHTML method`);
  }
  _replaceHTML(_result, _content, _options) {
    throw new Error(`The ${this.constructor.name} Application class is not renderable because it does not define the _replaceHTML method`);
  }
  async _onFirstRender(_context, _options) {}
  async _onRender(_context, _options) {}
  async _preClose(_options) {}
  _onClose(_options) {}
  _tearDown(_options) {}

  /** Closes it, after the drawing that is under way. */
  async close(options = {}) {
    return this.#inTurn(() => this.#close(options));
  }

  async #close(options) {
    if (!this.#element) {
      this.#state = STATES.CLOSED;
      return this;
    }
    await this._preClose(options);
    this.#state = STATES.CLOSING;
    this._tearDown(options);
    this.#element.remove();
    this.#element = this.#content = null;
    this.#state = STATES.CLOSED;
    instances.delete(this.id);
    this._onClose(options);
    this.#tell("close");
    return this;
  }

  setPosition(position = {}) {
    Object.assign(this.position, position);
    const { width, height, top, left, zIndex } = this.position;
    if (!this.options.window.positioned || !this.#element) return this.position;
    const px = value => (typeof value === "number" ? `${value}px` : "");
    Object.assign(this.#element.style, { width: px(width), height: px(height), top: px(top), left: px(left), zIndex });
    return this.position;
  }

  bringToFront() {
    this.position.zIndex = ++front;
    if (this.#element) this.#element.style.zIndex = front;
  }

  async minimize() {
    this.minimized = true;
    this.#element?.classList.add("minimized");
  }

  async maximize() {
    this.minimized = false;
    this.#element?.classList.remove("minimized");
  }

  toggleControls(expanded) {
    this.#element.querySelector(".controls-dropdown").classList.toggle("expanded", expanded);
  }

  changeTab(tab, group, _options = {}) {
    this.tabGroups[group] = tab;
    for (const element of this.#element.querySelectorAll(`[data-group="${group}"][data-tab]`)) element.classList.toggle("active", element.dataset.tab === tab);
  }

  _getTabsConfig(group) {
    return this.constructor.TABS[group] ?? null;
  }

  _prepareTabs(group) {
    const config = this._getTabsConfig(group);
    const tabs = {};
    for (const tab of config?.tabs ?? []) {
      const active = this.tabGroups[group] === tab.id;
      tabs[tab.id] = { group, active, cssClass: active ? "active" : "", ...tab, ...(config.labelPrefix && !tab.label && { label: `${config.labelPrefix}.${tab.id}` }) };
    }
    return tabs;
  }

  static async waitForImages() {}
}

/** Options of a class go over those of the one above: classes and controls are added. */
function join(into, options) {
  for (const [key, value] of Object.entries(options)) {
    if (key === "classes" || key === "contentClasses" || key === "controls") into[key] = [...(into[key] ?? []), ...value];
    else if (value && Object.getPrototypeOf(value) === Object.prototype && key !== "actions") into[key] = join({ ...(into[key] ?? {}) }, value);
    else if (key === "actions") into[key] = { ...(into[key] ?? {}), ...value };
    else into[key] = value;
  }
  return into;
}

export { deepClone, mergeObject };
