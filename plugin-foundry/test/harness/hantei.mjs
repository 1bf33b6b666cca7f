/** A real Hantei server with a database of its own. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The program: HANTEI_BIN, or what is built now. @type {Promise<string> | undefined} */
let program;

function build() {
  program ??= (async () => {
    if (process.env.HANTEI_BIN) return process.env.HANTEI_BIN;
    const path = join(REPOSITORY, "build/bin/hantei-harness");
    await promisify(execFile)("go", ["build", "-o", path, "./server/cmd/hantei"], { cwd: REPOSITORY });
    return path;
  })();
  return program;
}

/** A refusal by the server. */
export class Refused extends Error {
  constructor(status, body) {
    super(`${status} ${body.reason ?? body.status}: ${body.message} ${body.field ?? ""}`);
    Object.assign(this, { status, reason: body.reason, field: body.field });
  }
}

export class Hantei {
  /**
   * @param {{origins?: string[], flags?: string[], tls?: {certFile: string, keyFile: string}}} [options]
   *   origins: pages that may call.
   */
  constructor({ origins = [], flags = [], tls } = {}) {
    Object.assign(this, { origins, flags, tls });
    this.port = 0;
    this.admin = "";
    this.output = "";
    this.process = null;
  }

  get url() {
    return `${this.tls ? "https" : "http"}://127.0.0.1:${this.port}`;
  }

  /** Starts it, or starts it again on the same port with the same tables. */
  async start() {
    const path = await build();
    this.folder ??= await mkdtemp(join(tmpdir(), "hantei-harness-"));
    const args = ["serve", "--db", join(this.folder, "hantei.db"), "--http-addr", `127.0.0.1:${this.port}`, "--grpc-addr", "127.0.0.1:0", "--rate-limit", "0", "--auth-failures", "0", "--shutdown-grace", "1s"];
    if (this.origins.length) args.push("--cors-origin", this.origins.join(","));
    if (this.tls) args.push("--tls-cert", this.tls.certFile, "--tls-key", this.tls.keyFile);
    const child = spawn(path, [...args, ...this.flags], { stdio: ["ignore", "pipe", "pipe"] });
    this.process = child;
    this.ended = new Promise(resolve => child.once("exit", resolve));
    // Log lines of this start alone.
    this.output = "";
    await new Promise((resolve, reject) => {
      const read = data => {
        this.output += data;
        this.admin ||= this.output.match(/hta_[\w-]+/)?.[0] ?? "";
        const port = this.output.match(/HTTP on https?:\/\/127\.0\.0\.1:(\d+)/)?.[1];
        if (port && this.admin && this.output.includes('"msg":"ready"')) {
          this.port = Number(port);
          resolve();
        }
      };
      child.stdout.setEncoding("utf8").on("data", read);
      child.stderr.setEncoding("utf8").on("data", read);
      this.ended.then(code => reject(new Error(`the server ended (${code}):\n${this.output}`)));
    });
    return this;
  }

  /** Ends it at once, as a crash would. */
  async kill() {
    this.process?.kill("SIGKILL");
    await this.ended;
  }

  /** Ends it as it wants to end, and removes its database. */
  async stop() {
    this.process?.kill("SIGTERM");
    await this.ended;
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Calls it with a token; the admin's unless said otherwise.
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async call(method, path, body, token = this.admin, language = "en") {
    const response = await fetch(this.url + path, {
      method, body: body && JSON.stringify(body),
      headers: { Authorization: `Bearer ${token}`, "Accept-Language": language, ...(body && { "Content-Type": "application/json" }) },
    });
    const answer = await response.json();
    if (!response.ok) throw new Refused(response.status, answer);
    return answer;
  }
}
