/** @type {import("../hantei.mjs").Part} */
export const prompts = {};
