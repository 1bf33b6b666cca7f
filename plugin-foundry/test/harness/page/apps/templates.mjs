/** Handlebars as Foundry has it: templates by path, and its helpers. */

const loaded = new Map();

export async function getTemplate(path) {
  if (!loaded.has(path)) {
    const url = path.startsWith("/") ? path : `/${path}`;
    loaded.set(path, fetch(url).then(async response => {
      if (!response.ok) throw new Error(`there is no template ${path}`);
      const text = await response.text();
      Handlebars.registerPartial(path, Handlebars.compile(text));
      return Handlebars.compile(text);
    }));
  }
  return loaded.get(path);
}

/** Loads templates; an object gives partials their names. */
export async function loadTemplates(paths) {
  const entries = Array.isArray(paths) ? paths.map(p => [p, p]) : Object.entries(paths);
  return Promise.all(entries.map(async ([name, path]) => {
    const template = await getTemplate(path);
    Handlebars.registerPartial(name, template);
    return template;
  }));
}

export async function renderTemplate(path, data = {}) {
  const template = await getTemplate(path);
  return template(data, { allowProtoMethodsByDefault: true, allowProtoPropertiesByDefault: true });
}

/** The helpers that Foundry registers. */
export function registerHelpers() {
  const bool = fn => (...args) => fn(...args.slice(0, -1));
  Handlebars.registerHelper({
    localize: (key, { hash }) => (Object.keys(hash).length ? game.i18n.format(String(key), hash) : game.i18n.localize(String(key))),
    eq: bool((a, b) => a === b), ne: bool((a, b) => a !== b), lt: bool((a, b) => a < b), gt: bool((a, b) => a > b), lte: bool((a, b) => a <= b), gte: bool((a, b) => a >= b),
    not: bool(a => !a), and: bool((...all) => all.every(Boolean)), or: bool((...all) => all.some(Boolean)),
    concat: bool((...all) => all.join("")), ifThen: bool((condition, yes, no) => (condition ? yes : no)),
    checked: value => (value ? "checked" : ""), disabled: value => (value ? "disabled" : ""),
    numberFormat: (value, { hash }) => Number(value).toFixed(hash.decimals ?? 0).replace(/^(?!-)/, hash.sign ? "+" : ""),
    selectOptions(choices, { hash }) {
      const { selected, localize = false, blank, valueAttr, labelAttr } = hash;
      const entries = Array.isArray(choices) ? choices.map(c => [c[valueAttr ?? "value"], c[labelAttr ?? "label"]]) : Object.entries(choices).map(([k, v]) => [valueAttr ? v[valueAttr] : k, labelAttr ? v[labelAttr] : v?.label ?? v]);
      if (blank !== undefined) entries.unshift(["", blank]);
      const text = value => Handlebars.escapeExpression(localize ? game.i18n.localize(String(value)) : value);
      return new Handlebars.SafeString(entries.map(([value, label]) =>
        `<option value="${Handlebars.escapeExpression(value)}"${[].concat(selected ?? []).map(String).includes(String(value)) ? " selected" : ""}>${text(label)}</option>`).join(""));
    },
  });
}
