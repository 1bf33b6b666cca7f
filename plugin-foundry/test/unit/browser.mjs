// A browser's rules about who may call whom, around Node's fetch, which has none:
// CORS with preflights, mixed content, opaque answers, addresses that are near.
// Only what the module's calls meet is here.

const SAFE = ["accept", "accept-language", "content-type"];

/**
 * The fetch of a page.
 * @param {{origin: string, policy?: EventTarget, forbidden?: string, space?: string, localNetwork?: "granted" | "denied" | "prompt"}} page
 *   forbidden: an origin that the page's content policy blocks. space: where the
 *   page's own address is.
 */
export function browserFetch({ origin, policy, forbidden, space = "loopback", localNetwork = "granted" }) {
  /** @param {string} address @param {any} init */
  return async function fetchOfPage(address, init = {}) {
    const url = new URL(address);
    const near = /^(127\.|localhost$)/.test(url.hostname);
    if (url.origin === forbidden) {
      policy?.dispatchEvent(Object.assign(new Event("securitypolicyviolation"), { blockedURI: address, effectiveDirective: "connect-src" }));
      throw new TypeError("Failed to fetch");
    }
    if (origin.startsWith("https:") && url.protocol === "http:" && !near && !init.targetAddressSpace) throw new TypeError("Failed to fetch");
    if (near && space === "public" && localNetwork !== "granted") throw new TypeError("Failed to fetch");
    if (init.targetAddressSpace && init.targetAddressSpace !== (near ? "loopback" : "local")) throw new TypeError("Failed to fetch");

    const { mode = "cors", ...rest } = init;
    const foreign = url.origin !== origin;
    const headers = new Headers(init.headers);
    const asks = [...headers.keys()].filter(k => !SAFE.includes(k) || k === "content-type" && headers.get(k) === "application/json");
    headers.set("Origin", origin);
    if (foreign && mode === "cors" && (asks.length || !["GET", "POST"].includes(init.method ?? "GET"))) {
      const preflight = await fetch(url, { method: "OPTIONS", signal: init.signal, headers: {
        Origin: origin, "Access-Control-Request-Method": init.method ?? "GET", "Access-Control-Request-Headers": asks.sort().join(","),
      } });
      await preflight.body?.cancel();
      const allowed = (preflight.headers.get("Access-Control-Allow-Headers") ?? "").toLowerCase().split(/,\s*/);
      if (!preflight.ok || !mayRead(preflight, origin) || asks.some(k => !allowed.includes(k))) throw new TypeError("Failed to fetch");
    }
    const response = await fetch(url, { ...rest, headers });
    if (init.redirect === "manual" && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return { type: "opaqueredirect", status: 0, ok: false };
    }
    if (foreign && mode === "no-cors") {
      await response.body?.cancel();
      return { type: "opaque", status: 0, ok: false };
    }
    if (foreign && !mayRead(response, origin)) {
      await response.body?.cancel();
      throw new TypeError("Failed to fetch");
    }
    return response;
  };
}

/** @param {Response} response @param {string} origin */
function mayRead(response, origin) {
  return ["*", origin].includes(response.headers.get("Access-Control-Allow-Origin") ?? "");
}
