/** The module's id: its folder, the scope of its flags and settings. */
export const MODULE = "hantei";
