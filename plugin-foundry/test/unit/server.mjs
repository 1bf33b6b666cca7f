// A real Hantei for tests: the demo's table, on ports of its own.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = new URL("../../..", import.meta.url).pathname;

/** Why there can be no server here; false if there can. In CI it has to be there. */
export const noServer = (() => {
  if (process.env.HANTEI) return false;
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return false;
  } catch {
    if (process.env.CI) throw new Error("CI needs Go, or the program in HANTEI");
    console.error("SKIPPED: everything against a real server, since there is no Go and no HANTEI=PROGRAM");
    return "no Go";
  }
})();

/** @type {string | undefined} */
let built;

/** The program: HANTEI, or built from the source. */
function program() {
  if (process.env.HANTEI) return process.env.HANTEI;
  if (!built) {
    const folder = mkdtempSync(join(tmpdir(), "hantei-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    built = join(folder, "hantei");
    execFileSync("go", ["build", "-o", built, "./server/cmd/hantei"], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  }
  return built;
}

/**
 * Starts a server with the demo's table.
 * @param {{http?: string, db?: string, args?: string[]}} [options]
 */
export async function startServer({ http = "127.0.0.1:0", db, args = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "hantei-"));
  const child = spawn(program(), ["demo", "--db", db ?? join(folder, "demo.db"), "--http-addr", http, "--grpc-addr", "127.0.0.1:0", "--heartbeat", "1s", ...args],
    { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise(resolve => child.once("exit", resolve));
  let said = "";
  await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", text => {
      said += text;
      if (/^NURSE=/m.test(said)) resolve(undefined);
    });
    void ended.then(() => reject(new Error(`the server did not start: ${said}`)));
  });
  /** @param {string} name */
  const word = name => said.match(new RegExp(`^${name}=(.*)$`, "m"))?.[1] ?? "";
  return {
    url: word("URL"), table: word("TABLE"), gm: word("GM"), officer: word("OFFICER"), nurse: word("NURSE"),
    code: said.match(/[A-Z0-9]{4}-[A-Z0-9]{4}/)?.[0] ?? "",
    async stop(signal = "SIGTERM") {
      child.kill(/** @type {NodeJS.Signals} */ (signal));
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
