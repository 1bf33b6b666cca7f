/** Whether tests in a browser can run here. In CI they must. */
import { CHROMIUM, hasChromium } from "./browser.mjs";

if (!hasChromium && process.env.CI) throw new Error(`CI needs a browser at ${CHROMIUM}`);

export const skip = hasChromium ? false : `no browser at ${CHROMIUM}`;
