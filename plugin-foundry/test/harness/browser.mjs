/** Debian's Chromium, one for all tests of a file; each user has a profile of their own. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"];

/** @param {string[]} [flags]  Further ones, for the network's sake. */
export function openBrowser(flags = []) {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

/** A profile whose requests say whose they are: a header that no preflight asks about. */
export function openContext(browser, user, options = {}) {
  return browser.newContext({ viewport: { width: 1500, height: 900 }, ignoreHTTPSErrors: true, userAgent: `Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0 harness-user/${user}`, ...options });
}
