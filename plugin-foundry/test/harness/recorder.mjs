/**
 * Stands between the pages and Hantei. It changes nothing by itself, keeps every
 * byte that each user's page received, and can break connections, refuse them,
 * hold answers back or answer otherwise.
 */
import { createServer, request as forward } from "node:http";
import { createServer as createSecureServer } from "node:https";

export class Recorder {
  /** @type {{user: string, method: string, path: string, status: number, sent: string, body: string}[]} */
  exchanges = [];
  #target;
  #servers = [];
  #open = new Set();
  #refusing = false;
  /** Answers of its own: given a request, what to answer, or nothing. @type {((request: {method: string, path: string, user: string}) => any) | null} */
  answer = null;
  /** Headers that it takes out of answers, for a server that lacks them. */
  without = [];

  /** @param {() => number} port  Where Hantei is now. */
  constructor(port) {
    this.#target = port;
  }

  async listen({ key, cert, host = "127.0.0.1", port = 0 } = {}) {
    const server = cert ? createSecureServer({ key, cert }, (q, r) => this.#handle(q, r)) : createServer((q, r) => this.#handle(q, r));
    server.on("connection", socket => {
      if (this.#refusing) socket.destroy();
      this.#open.add(socket);
      socket.on("close", () => this.#open.delete(socket));
    });
    await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    this.#servers.push(server);
    return `${cert ? "https" : "http"}://${host}:${server.address().port}`;
  }

  /** Breaks all connections, in the middle of streams too. */
  cut() {
    for (const socket of this.#open) socket.destroy();
  }

  /** Breaks all and takes no more, until online(). */
  offline() {
    this.#refusing = true;
    this.cut();
  }

  online() {
    this.#refusing = false;
  }

  /**
   * All that a user's pages received from Hantei, as text. JSON stands there as
   * JSON.stringify writes it, since the server's own spaces vary.
   */
  received(user) {
    return this.exchanges.filter(e => e.user === user).flatMap(e => e.body.split("\n")).map(compact).join("\n");
  }

  /** What a user's pages sent, as [method, path, body]. */
  sent(user) {
    return this.exchanges.filter(e => e.user === user && e.method !== "OPTIONS").map(e => ({ method: e.method, path: e.path, body: e.sent && JSON.parse(e.sent), status: e.status }));
  }

  async close() {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
  }

  #handle(request, response) {
    // Each user's browser names itself (see browser.mjs); Hantei does not care.
    const user = request.headers["user-agent"]?.match(/harness-user\/(\w+)/)?.[1] ?? "";
    const exchange = { user, method: request.method, path: request.url, status: 0, sent: "", body: "" };
    this.exchanges.push(exchange);
    const own = this.answer?.({ method: request.method, path: request.url, user });
    if (own) {
      exchange.status = own.status ?? 200;
      exchange.body = typeof own.body === "string" ? own.body : JSON.stringify(own.body ?? {});
      response.writeHead(exchange.status, { "Content-Type": "application/json", "Access-Control-Allow-Origin": request.headers.origin ?? "*", "Access-Control-Allow-Headers": "authorization, content-type, accept-language", ...own.headers });
      return void response.end(exchange.body);
    }
    const onward = forward({ host: "127.0.0.1", port: this.#target(), method: request.method, path: request.url, headers: request.headers, agent: false });
    onward.on("response", answer => {
      exchange.status = answer.statusCode;
      const headers = { ...answer.headers };
      for (const name of this.without) delete headers[name];
      response.writeHead(answer.statusCode, headers);
      response.flushHeaders();
      answer.on("data", data => { exchange.body += data; });
      answer.on("aborted", () => response.destroy());
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.on("data", data => { exchange.sent += data; });
    request.pipe(onward);
    return undefined;
  }
}

function compact(line) {
  try {
    return JSON.stringify(JSON.parse(line));
  } catch {
    return line;
  }
}
