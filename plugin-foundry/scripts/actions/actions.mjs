/** @type {import("../hantei.mjs").Part} */
export const actions = {};
