/**
 * What sheets say in the module's own words, in the user's language.
 * @import {Words} from "./sheet.mjs"
 */

/** @returns {Words} */
export function sheetWords() {
  return {
    yes: game.i18n.localize("HANTEI.Sheet.Yes"),
    no: game.i18n.localize("HANTEI.Sheet.No"),
    any: game.i18n.localize("HANTEI.Sheet.AnyCheck"),
    band: band => game.i18n.localize(`HANTEI.Sheet.Band.${band}`),
  };
}
