import { ApplicationV2 } from "./application.mjs";

/** A window of one document: it knows it, and is drawn anew when it changes. */
export class DocumentSheetV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "{id}", classes: ["sheet"], tag: "form", document: null, form: { submitOnChange: false, closeOnSubmit: false }, viewPermission: 1, editPermission: 3, sheetConfig: true };

  _initializeApplicationOptions(given) {
    const options = super._initializeApplicationOptions(given);
    if (!options.document) throw new Error(`The ${this.constructor.name} requires a document`);
    options.uniqueId = `${this.constructor.name}-${options.document.uuid.replaceAll(".", "-")}`;
    return options;
  }

  get document() {
    return this.options.document;
  }

  get isVisible() {
    return this.document.testUserPermission(game.user, this.options.viewPermission);
  }

  get isEditable() {
    return this.document.testUserPermission(game.user, this.options.editPermission);
  }

  get title() {
    return `${this.document.name}`;
  }

  _canRender() {
    if (!this.isVisible) throw new Error(`${this.document.uuid}: no permission to view`);
  }

  async _prepareContext(options) {
    return { ...(await super._prepareContext(options)), document: this.document, source: this.document._source, fields: {}, editable: this.isEditable, user: game.user };
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.document.apps[this.id] = this;
  }

  _onClose(options) {
    super._onClose(options);
    delete this.document.apps[this.id];
  }
}

/** Sheets without content of their own, so that their header controls and hooks can be seen. */
class PlainSheet extends DocumentSheetV2 {
  async _renderHTML() {
    const div = document.createElement("div");
    div.classList.add("standard-form");
    div.textContent = this.document.name;
    return div;
  }

  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }
}

export class ActorSheetV2 extends PlainSheet {
  get actor() {
    return this.document;
  }

  get token() {
    return this.document.token;
  }
}

export class TokenConfig extends PlainSheet {
  get token() {
    return this.document;
  }
}

export class MacroConfig extends PlainSheet {}

/** What packages registered: sheets by document name. @type {Map<string, any[]>} */
const registered = new Map();

export class DocumentSheetConfig {
  static registerSheet(Class, scope, Sheet, { types = [], makeDefault = false, label = Sheet.name } = {}) {
    const name = Class.documentName;
    registered.set(name, [...(registered.get(name) ?? []), { id: `${scope}.${Sheet.name}`, Sheet, types, makeDefault, label }]);
  }

  static unregisterSheet(Class, scope, Sheet) {
    registered.set(Class.documentName, (registered.get(Class.documentName) ?? []).filter(r => r.Sheet !== Sheet));
  }
}

const CORE = { Actor: ActorSheetV2, Token: TokenConfig, Macro: MacroConfig };
const sheets = new WeakMap();

/** The window of a document, made when it is first asked for. */
export function sheetOf(document) {
  const target = document;
  if (!sheets.has(target)) {
    const custom = registered.get(document.documentName)?.find(r => r.makeDefault && (!r.types.length || r.types.includes(document.type)));
    const Sheet = custom?.Sheet ?? CORE[document.documentName] ?? PlainSheet;
    sheets.set(target, new Sheet({ document }));
  }
  return sheets.get(target);
}
