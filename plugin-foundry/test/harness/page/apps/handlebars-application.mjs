import { Hooks } from "../hooks.mjs";
import { parse } from "./markup.mjs";
import { getTemplate, loadTemplates, renderTemplate } from "./templates.mjs";

/** Adds to an application parts that are drawn from templates, each by itself. */
export function HandlebarsApplicationMixin(Base) {
  return class HandlebarsApplication extends Base {
    static PARTS = {};
    #parts = {};

    get parts() {
      return this.#parts;
    }

    _configureRenderOptions(options) {
      super._configureRenderOptions(options);
      options.parts ??= Object.keys(this._configureRenderParts(options));
    }

    _configureRenderParts(_options) {
      return structuredClone(Object.fromEntries(Object.entries(this.constructor.PARTS).map(([id, { forms: _, ...part }]) => [id, part])));
    }

    async _preFirstRender(context, options) {
      await super._preFirstRender(context, options);
      for (const part of Object.values(this.constructor.PARTS)) await loadTemplates([part.template, ...(part.templates ?? [])]);
    }

    async _renderHTML(context, options) {
      const result = {};
      const configured = this._configureRenderParts(options);
      for (const id of options.parts) {
        const part = configured[id];
        if (!part) throw new Error(`Part "${id}" is not a supported template part for ${this.constructor.name}`);
        await getTemplate(part.template);
        const own = await this._preparePartContext(id, { ...context, partId: `${this.id}-${id}` }, options);
        const markup = await renderTemplate(part.template, own);
        const fragment = parse(markup, { all: true });
        if (part.root) {
          const root = document.createElement(this.options.tag);
          root.append(fragment);
          result[id] = root;
          continue;
        }
        if (fragment.childElementCount !== 1) throw new Error(`Template part "${id}" must render a single HTML element (${part.template})`);
        result[id] = fragment.firstElementChild;
        result[id].dataset.applicationPart = id;
        if (part.id) result[id].id = `${this.id}-${part.id}`;
        if (part.classes?.length) result[id].classList.add(...part.classes);
      }
      return result;
    }

    async _preparePartContext(_partId, context, _options) {
      return context;
    }

    _replaceHTML(result, content, options) {
      for (const [id, element] of Object.entries(result)) {
        const prior = this.#parts[id]?.isConnected ? this.#parts[id] : undefined;
        const state = {};
        if (this.constructor.PARTS[id]?.root) {
          content.replaceChildren(...element.childNodes);
          this.#parts[id] = content;
        } else {
          if (prior) this._preSyncPartState(id, element, prior, state);
          if (prior) prior.replaceWith(element);
          else content.append(element);
          if (prior) this._syncPartState(id, element, prior, state);
          this.#parts[id] = element;
        }
        this._attachPartListeners(id, this.#parts[id], options);
      }
    }

    /** The focus and the scrolling of a part outlive its drawing. */
    _preSyncPartState(id, element, prior, state) {
      const focus = prior.ownerDocument.activeElement;
      if (focus && prior.contains(focus)) state.focus = focus.id ? `#${CSS.escape(focus.id)}` : focus.name ? `${focus.tagName}[name="${focus.name}"]` : undefined;
      state.scroll = (this.constructor.PARTS[id]?.scrollable ?? []).map(selector => {
        const at = selector === "" ? prior : prior.querySelector(selector);
        return [selector, at?.scrollTop ?? 0];
      });
    }

    _syncPartState(_id, element, _prior, state) {
      if (state.focus) element.querySelector(state.focus)?.focus();
      for (const [selector, top] of state.scroll ?? []) {
        const at = selector === "" ? element : element.querySelector(selector);
        if (at) at.scrollTop = top;
      }
    }

    _attachPartListeners(id, element, _options) {
      for (const [selector, config] of Object.entries(this.constructor.PARTS[id]?.forms ?? {})) {
        const form = element.matches(selector) ? element : element.querySelector(selector);
        if (!form) Hooks.onError("HandlebarsApplication", new Error(`part "${id}" has no form ${selector}`));
        else this._listenToForm(form, config);
      }
    }

    _tearDown(options) {
      super._tearDown(options);
      this.#parts = {};
    }
  };
}
