import { fileURLToPath } from "node:url";

/** The module that the stand-in's own tests run. */
export const fixture = [{ id: "proof", folder: fileURLToPath(new URL("./fixture", import.meta.url)) }];
