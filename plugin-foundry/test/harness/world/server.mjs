/**
 * Serves a world over HTTP: the page of each user, the module's files from the disk
 * as they are shipped, and the operations on documents. Every client gets every
 * operation in the same order over one stream of server-sent events, its own too.
 */
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { page } from "./page.mjs";
import { Refusal } from "./world.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const HARNESS = join(HERE, "..");
const PACKAGE = join(HARNESS, "../..");

const TYPES = {
  ".html": "text/html; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".json": "application/json",
  ".css": "text/css; charset=utf-8", ".hbs": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp",
};

/** Files that are shared with the pages but do not belong to a module. */
const FILES = {
  "/lib/pixi.js": join(PACKAGE, "node_modules/pixi.js/dist/pixi.min.js"),
  "/lib/handlebars.js": join(PACKAGE, "node_modules/handlebars/dist/handlebars.min.js"),
};

/** A world on the network. */
export class WorldServer {
  /** Streams by user id. @type {Map<string, Set<Stream>>} */
  streams = new Map();
  /** Users who are told nothing for now. @type {Set<string>} */
  #held = new Set();
  /** What shall be lost on the way to a user. @type {Map<string, (operation: any) => boolean>} */
  #lossy = new Map();
  #servers = [];
  #queries = new Map();

  /**
   * @param {import("./world.mjs").World} world
   * @param {{modules: Module[], whispers?: "delivered" | "withheld", page?: object}} options
   *   modules: what is active, with the folders of their files; page: passed on to the pages.
   * @typedef {{id: string, folder: string | null, active?: boolean, manifest?: any}} Module
   */
  constructor(world, { modules, whispers = "delivered", page = {} }) {
    this.world = world;
    this.whispers = whispers;
    this.page = page;
    this.modules = modules.map(m => ({ active: true, ...m, manifest: m.manifest ?? JSON.parse(readFileSync(join(m.folder, "module.json"), "utf8")) }));
    this.streamed = 0;
    world.on("operation", operation => this.#broadcast(operation));
  }

  /**
   * Listens; returns the origin.
   * @param {{key: string | Buffer, cert: string | Buffer, host?: string, port?: number}} [tls]
   */
  async listen({ key, cert, host = "127.0.0.1", port = 0 } = {}) {
    const handler = (request, response) => {
      this.#handle(request, response).catch(error => {
        if (!response.headersSent) response.writeHead(error instanceof Refusal ? 403 : 500, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ error: error.message }));
      });
    };
    const server = cert ? createSecureServer({ key, cert }, handler) : createServer(handler);
    await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    this.#servers.push(server);
    return `${cert ? "https" : "http"}://${host}:${server.address().port}`;
  }

  async close() {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
  }

  /** Keeps from a user what happens, until release(). */
  hold(userId) {
    this.#held.add(userId);
  }

  release(userId) {
    this.#held.delete(userId);
    for (const stream of this.streams.get(userId) ?? []) stream.flush();
  }

  /** Loses operations on the way to a user; null ends it. */
  lose(userId, which) {
    if (which) this.#lossy.set(userId, which);
    else this.#lossy.delete(userId);
  }

  #broadcast(operation) {
    for (const [userId, streams] of this.streams) {
      const own = operation.userId === userId;
      if (!own && this.#lossy.get(userId)?.(operation)) continue;
      if (this.#withheld(operation, userId)) continue;
      for (const stream of streams) stream.send({ operation }, this.#held.has(userId) && !own);
    }
  }

  /**
   * Whether an operation on whispered messages or another user's settings is not for
   * a user. Whether Foundry sends whispers to everybody is not certain: both are here.
   */
  #withheld({ name, action, data }, userId) {
    if (name === "Setting" && action === "create") return data.every(s => s.user && s.user !== userId);
    if (name !== "ChatMessage" || action !== "create" || this.whispers === "delivered") return false;
    return data.every(m => m.whisper.length && !m.whisper.includes(userId) && m.author !== userId);
  }

  #send(message, to = () => true) {
    for (const [userId, streams] of this.streams) for (const stream of streams) if (to(userId, stream)) stream.send(message, this.#held.has(userId));
  }

  #presence(userId) {
    this.#send({ presence: { userId, active: !!this.streams.get(userId)?.size } });
  }

  async #handle(request, response) {
    const url = new URL(request.url, "http://world");
    const path = decodeURIComponent(url.pathname);
    if (request.method === "POST") return json(response, await this.#post(path, await body(request), request));
    if (path === "/join") return html(response, page(this.world.user(url.searchParams.get("user")) ?? gone(url.searchParams.get("user")), this));
    if (path === "/world/data") return json(response, this.#data(url.searchParams.get("user")));
    if (path === "/world/stream") return this.#stream(url.searchParams, request, response);
    if (path === "/favicon.ico") return response.writeHead(204).end();
    return this.#file(path, response);
  }

  #data(userId) {
    const snapshot = this.world.snapshot(this.world.user(userId));
    if (this.whispers === "withheld") {
      snapshot.collections.ChatMessage = snapshot.collections.ChatMessage.filter(m => !m.whisper.length || m.whisper.includes(userId) || m.author === userId);
    }
    return {
      ...snapshot, page: this.page, active: [...this.streams].filter(([, s]) => s.size).map(([id]) => id),
      modules: this.modules.map(({ id, active, manifest }) => ({ id, active, manifest })),
    };
  }

  #stream(params, request, response) {
    const userId = params.get("user");
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const stream = new Stream(response, params.get("session"));
    const streams = this.streams.get(userId) ?? new Set();
    this.streams.set(userId, streams.add(stream));
    // What happened between the page's first reading and this stream.
    const since = Number(params.get("sequence"));
    for (const operation of this.world.log.filter(o => o.sequence > since)) if (!this.#withheld(operation, userId)) stream.send({ operation });
    stream.send({ open: true });
    this.#presence(userId);
    request.on("close", () => {
      streams.delete(stream);
      this.#presence(userId);
    });
  }

  async #post(path, { user, session, ...message }) {
    switch (path) {
      case "/world/operation":
        return { sequence: this.world.perform(message.operation, user).sequence, ids: undefined };
      case "/world/socket": {
        const module = this.modules.find(m => message.event === `module.${m.id}`);
        // Foundry's server knows the channel only of packages that ask for it.
        if (!module?.manifest.socket) throw new Refusal(`no package has the socket ${message.event}`);
        this.#send({ socket: { event: message.event, data: message.data, userId: user } }, (_, stream) => stream.session !== session);
        return {};
      }
      case "/world/query":
        return this.#query(message, user);
      case "/world/reply":
        this.#queries.get(message.id)?.(message);
        return {};
      default:
        throw new Error(`nothing at ${path}`);
    }
  }

  /** Asks a user's client something and waits for its answer. */
  #query({ to, name, data, timeout = 30_000 }, from) {
    const [stream] = this.streams.get(to) ?? [];
    if (!stream) throw new Refusal("the user is not connected");
    const id = String(++this.streamed);
    stream.send({ query: { id, name, data, from } });
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve({ error: "the query timed out" }), timeout);
      this.#queries.set(id, answer => { clearTimeout(timer); resolve(answer); });
    });
  }

  #file(path, response) {
    const module = this.modules.find(m => m.folder && path.startsWith(`/modules/${m.id}/`));
    const file = FILES[path]
      ?? (module && inside(module.folder, path.slice(`/modules/${module.id}/`.length)))
      ?? (path.startsWith("/harness/") ? inside(HARNESS, path.slice("/harness/".length)) : undefined);
    if (path.startsWith("/icons/")) return response.writeHead(200, { "Content-Type": TYPES[".svg"] }).end(ICON);
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end(`nothing at ${path}`);
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Cache-Control": "no-store" });
    createReadStream(file).pipe(response);
  }
}

/** What one page is told. */
class Stream {
  #waiting = [];

  constructor(response, session) {
    this.response = response;
    this.session = session;
  }

  send(message, held = false) {
    if (held) this.#waiting.push(message);
    else this.response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  flush() {
    for (const message of this.#waiting.splice(0)) this.send(message);
  }

  end() {
    this.response.end();
  }
}

/** Any picture that a document names. */
const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><circle cx="50" cy="50" r="48" fill="#58707f"/></svg>';

function inside(folder, path) {
  const file = normalize(join(folder, path));
  return file.startsWith(normalize(folder)) ? file : undefined;
}

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

function json(response, value) {
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(value));
}

function html(response, text) {
  response.writeHead(200, { "Content-Type": TYPES[".html"], "Cache-Control": "no-store" });
  response.end(text);
}

function gone(id) {
  throw new Refusal(`there is no user ${id}`);
}
