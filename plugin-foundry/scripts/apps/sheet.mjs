/**
 * A character's sheet as the ruleset lays it out, without knowing the ruleset, and
 * what was changed of it. Free of Foundry.
 * @import * as Api from "../../types/api.js"
 *
 * @typedef {object} Words  What the sheet says in the module's own words.
 * @property {string} yes
 * @property {string} no
 * @property {string} any     Any check.
 * @property {(band: string) => string} band
 */

/**
 * @typedef {object} Detail  A table, or names with values.
 * @property {string} key
 * @property {string} title
 * @property {string[]} [columns]
 * @property {string[][]} [rows]
 * @property {{name: string, value: string}[]} [pairs]
 */

/**
 * What a sheet shows. What the seat may not see is not there.
 * @param {Api.CharacterViewJson} character
 * @param {Api.RulesetJson | null} ruleset
 * @param {Words} words
 */
export function sheetOf(character, ruleset, words) {
  const infos = ruleset?.stats ?? [];
  const stats = new Map(character.stats?.map(stat => [stat.key, stat]));
  const resources = new Map(character.resources?.map(resource => [resource.key, resource]));
  /** @type {Map<string, {key: string, name: string, stats: {key: string, name: string, of: string, specialised: boolean, value: number, base: number | undefined}[]}>} */
  const groups = new Map();
  const bars = [];
  for (const { key = "", name = key, group = "", groupName, resource: isResource, speciality = false } of infos) {
    const resource = resources.get(key);
    const bar = isResource && resource && barOf(resource, words);
    if (bar && (bar.known || bar.band)) bars.push({ key, name, ...bar });
    const stat = stats.get(key);
    if (isResource || !stat || stat.value === undefined) continue;
    const block = groups.get(group) ?? { key: group, name: groupName || group, stats: [] };
    const of = stat.speciality ?? "";
    block.stats.push({ key, name, of, specialised: speciality || of !== "", value: stat.value, base: stat.base });
    groups.set(group, block);
  }
  return {
    bars,
    groups: [...groups.values()],
    statuses: (character.statuses ?? []).map(({ key = "", causes = [] }) => {
      const info = ruleset?.statuses?.find(status => status.key === key);
      const why = causes.flatMap(cause => ruleset?.words?.find(word => word.key === cause)?.text ?? []);
      return { key, name: info?.name || key, icon: info?.icon ?? "", why: why.join(" · ") };
    }),
    modifiers: (character.modifiers ?? []).map(modifier => modifierOf(modifier, infos, words)),
    details: detailsOf(character, ruleset, words),
    profile: (character.profile ?? []).map(({ label = "", text = "" }) => ({ label, text })),
    notes: character.notes ?? "",
  };
}

/**
 * @param {Api.ResourceJson} resource
 * @param {Words} words
 */
function barOf({ value, max, band }, words) {
  const known = value !== undefined;
  return {
    value, max, known,
    percent: known && max ? Math.min(100, Math.max(0, Math.round((value / max) * 100))) : 0,
    band: !known && band && band !== "BAND_UNSPECIFIED" ? words.band(band) : "",
  };
}

/** How a modifier is written. @type {Record<string, (value: number) => string>} */
const OPS = {
  MODIFIER_OP_SET: value => `= ${value}`,
  MODIFIER_OP_ADD: value => (value < 0 ? `−${-value}` : `+${value}`),
  MODIFIER_OP_MULTIPLY: value => `× ${value}`,
  MODIFIER_OP_DIVIDE: value => `÷ ${value}`,
  MODIFIER_OP_FLOOR: value => `≥ ${value}`,
  MODIFIER_OP_CAP: value => `≤ ${value}`,
};

/**
 * @param {Api.ModifierJson} modifier
 * @param {Api.StatInfoJson[]} infos
 * @param {Words} words
 */
export function modifierOf({ appliesTo = "", op, value, reason = "" }, infos, words) {
  const name = infos.find(info => info.key === appliesTo)?.name;
  return {
    to: name ?? (appliesTo === "check" || !appliesTo ? words.any : readable(appliesTo.replace("#", ""))),
    value: value === undefined ? "" : OPS[op ?? ""]?.(value) ?? String(value),
    reason,
  };
}

/**
 * The ruleset's own: those fields that it names, or all of them if it names none.
 * A list becomes a table, anything else a list of names and values.
 * @param {Api.CharacterViewJson} character
 * @param {Api.RulesetJson | null} ruleset
 * @param {Words} words
 * @returns {Detail[]}
 */
function detailsOf(character, ruleset, words) {
  const own = ownDetails(character);
  const infos = ruleset?.details ?? [];
  const top = infos.length ? infos.filter(info => !info.path?.includes(".")).map(info => info.path ?? "") : Object.keys(own).map(snake);
  const say = valueWords(ruleset, words);
  return top.flatMap(/** @returns {Detail[]} */ path => {
    const part = own[camel(path)];
    const title = infos.find(info => info.path === path)?.name ?? readable(path);
    const rows = (Array.isArray(part) ? part : part === undefined || part === null ? [] : [part])
      .filter(row => typeof row !== "object" || Object.keys(row).length);
    if (!rows.length) return [];
    if (typeof rows[0] !== "object") return [{ key: path, title, pairs: [{ name: title, value: rows.map(row => say(path, row)).join(", ") }] }];
    const columns = columnsOf(path, rows, infos);
    const cells = rows.map(row => columns.map(column => say(column.path, row[column.field])));
    if (Array.isArray(part)) return [{ key: path, title, columns: columns.map(column => column.name), rows: cells }];
    const pairs = columns.map((column, i) => ({ name: column.name, value: cells[0][i] })).filter(pair => pair.value !== "");
    return pairs.length ? [{ key: path, title, pairs }] : [];
  });
}

/**
 * @param {string} path
 * @param {Record<string, unknown>[]} rows
 * @param {Api.DetailInfoJson[]} infos
 */
function columnsOf(path, rows, infos) {
  if (!infos.length) {
    const fields = [...new Set(rows.flatMap(Object.keys))].filter(field => field !== "audience");
    return fields.map(field => ({ path: `${path}.${snake(field)}`, field, name: readable(snake(field)) }));
  }
  return infos
    .filter(info => info.path?.startsWith(`${path}.`) && !info.path.slice(path.length + 1).includes("."))
    .map(({ path: full = "", name }) => ({ path: full, field: camel(full.slice(path.length + 1)), name: name ?? full }))
    .filter(({ field }) => rows.some(row => row[field] !== undefined));
}

/**
 * Says a value of the details: by the words that the field has for it, or by the
 * name of the gear, stat or status that it is the key of.
 * @param {Api.RulesetJson | null} ruleset
 * @param {Words} words
 * @returns {(path: string, value: unknown) => string}
 */
function valueWords(ruleset, words) {
  const details = new Map(ruleset?.details?.map(info => [info.path, info]));
  const stats = new Map(ruleset?.stats?.map(info => [info.key, info.name]));
  const names = new Map([...stats, ...(ruleset?.statuses ?? []).map(info => /** @type {const} */ ([info.key, info.name]))]);
  const gear = new Map(ruleset?.gear?.map(info => [info.id, info.name]));
  return say;

  /**
   * @param {string} path
   * @param {unknown} value
   * @returns {string}
   */
  function say(path, value) {
    if (value === undefined || value === null) return "";
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (Array.isArray(value)) return value.map(v => say(path, v)).join(", ");
    if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${readable(snake(k))} ${say(`${path}.${snake(k)}`, v)}`).join(", ");
    const info = details.get(path);
    const text = String(value);
    const word = info?.values?.find(v => v.value === text)?.text;
    return word ?? (info?.gear ? gear.get(text) : names.get(text) ?? gear.get(text)) ?? text;
  }
}

/** @param {Api.CharacterViewJson} character @returns {Record<string, any>} */
function ownDetails(character) {
  return Object.values(character.details ?? {})[0] ?? {};
}

/**
 * The ids of what the character carries.
 * @param {Api.CharacterViewJson} character
 * @param {Api.RulesetJson | null} ruleset
 * @returns {string[]}
 */
export function gearOf(character, ruleset) {
  const path = ruleset?.details?.find(info => info.gear)?.path?.split(".").map(camel);
  if (!path) return [];
  /** @param {any} value @param {string[]} rest @returns {string[]} */
  const walk = (value, [field, ...rest]) => {
    if (Array.isArray(value)) return value.flatMap(v => walk(v, [field, ...rest]));
    if (field === undefined) return value === undefined ? [] : [String(value)];
    return value === undefined || value === null ? [] : walk(value[field], rest);
  };
  return walk(ownDetails(character), path);
}

/**
 * What a form has changed of a sheet, to send; null if nothing.
 * @param {Api.CharacterViewJson} character  As it was when the form was made.
 * @param {Api.RulesetJson | null} ruleset
 * @param {Iterable<[string, string]>} entries  "name", "stat.KEY", "of.KEY", "value.KEY", "max.KEY", "label" and "text" for each entry of the profile, "notes", and "gear" for each thing.
 * @returns {{name?: string, sheet?: Api.SheetInputJson, updateMask: string} | null}
 */
export function changesOf(character, ruleset, entries) {
  const form = [...entries];
  const given = new Map(form);
  const number = (/** @type {string} */ key) => {
    const text = (given.get(key) ?? "").normalize("NFKC").trim();
    return /^-?\d+$/.test(text) ? Number(text) : undefined;
  };
  /** @type {Api.SheetInputJson} */
  const sheet = {};
  const mask = [];
  const stats = (character.stats ?? []).flatMap(({ key, value, speciality = "" }) => {
    const now = number(`stat.${key}`) ?? value;
    const of = (given.get(`of.${key}`) ?? speciality).trim();
    return now === value && of === speciality ? [] : [{ key, value: now, ...(of !== speciality && { speciality: of }) }];
  });
  const resources = (character.resources ?? []).flatMap(({ key, value, max }) => {
    const now = number(`value.${key}`);
    const most = number(`max.${key}`);
    const change = { ...(now !== undefined && now !== value && { value: now }), ...(most !== undefined && most !== max && { max: most }) };
    return Object.keys(change).length ? [{ key, ...change }] : [];
  });
  if (stats.length) mask.push("sheet.stats");
  if (resources.length) mask.push("sheet.resources");
  const before = gearOf(character, ruleset);
  const gear = form.filter(([key]) => key === "gear").map(([, id]) => id);
  const carried = given.has("gears") && (gear.length !== before.length || gear.some(id => !before.includes(id)));
  if (carried) mask.push("sheet.gear");
  const profile = profileIn(form);
  const told = profile !== null && JSON.stringify(profile) !== JSON.stringify((character.profile ?? []).map(({ label, text }) => ({ label, text })));
  if (told) mask.push("sheet.profile");
  const notes = given.get("notes")?.replaceAll("\r\n", "\n");
  const noted = notes !== undefined && notes !== (character.notes ?? "");
  if (noted) mask.push("sheet.notes");
  const name = (given.get("name") ?? "").trim();
  const renamed = name !== "" && name !== character.name;
  if (renamed) mask.push("name");
  if (!mask.length) return null;
  if (stats.length) sheet.stats = stats;
  if (resources.length) sheet.resources = resources;
  if (carried) sheet.gear = gear;
  if (told) sheet.profile = profile;
  if (noted) sheet.notes = notes;
  return { ...(renamed && { name }), ...(Object.keys(sheet).length && { sheet }), updateMask: mask.join(",") };
}

/**
 * The profile that a form says, without lines that are empty; null if it says none.
 * @param {[string, string][]} form
 */
function profileIn(form) {
  const of = (/** @type {string} */ name) => form.filter(([key]) => key === name).map(([, value]) => value.trim());
  const [labels, texts] = [of("label"), of("text")];
  if (!labels.length) return null;
  return labels.map((label, i) => ({ label, text: texts[i] ?? "" })).filter(({ label, text }) => label || text);
}

/** @param {string} text */
function snake(text) {
  return text.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** @param {string} text */
function camel(text) {
  return text.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** A key as words: "death_round" is "Death round". @param {string} key */
export function readable(key) {
  const text = key.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
