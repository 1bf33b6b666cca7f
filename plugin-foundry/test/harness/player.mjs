/** A user at the page: what they do, what they see, what reached them. */

export class Player {
  /** @type {string[]} */
  errors = [];

  /**
   * @param {import("./table.mjs").Table} table
   * @param {any} user     The document.
   * @param {import("playwright-core").BrowserContext} context
   */
  constructor(table, user, context) {
    Object.assign(this, { table, user, context });
    this.page = null;
  }

  get id() {
    return this.user._id;
  }

  /** Opens the page, in a further tab if there is one. Resolves when the world is ready. */
  async open({ clock = "free" } = {}) {
    const page = await this.context.newPage();
    page.on("pageerror", error => this.errors.push(error.message));
    page.on("console", message => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    if (clock === "held") await page.clock.install();
    await page.goto(`${this.table.origin}/join?user=${this.id}`);
    await page.evaluate(held => {
      if (held) harness.clock.hold();
      return harness.ready;
    }, clock === "held");
    if (clock === "held") await page.clock.pauseAt(Date.now() + 1000);
    this.page = page;
    return this;
  }

  async reload() {
    await this.page.reload();
    await this.page.evaluate(() => harness.ready);
  }

  /** Lets time go by on a page whose clock is held: timers and animations. */
  async advance(ms) {
    await this.page.clock.runFor(ms);
  }

  /** Shows or hides the tab: a hidden one gets no frames. */
  async hide(hidden = true) {
    await this.page.evaluate(value => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (value ? "hidden" : "visible") });
      harness.clock.hide(value);
      if (!value) harness.clock.wake();
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  }

  /** Runs something in the page. */
  do(work, argument) {
    return this.page.evaluate(work, argument);
  }

  /**
   * Waits until something is so in the page, and returns it. Nothing is waited for
   * by time; the limit is for what never comes.
   */
  async until(condition, argument, { timeout = 10_000 } = {}) {
    const handle = await this.page.waitForFunction(condition, argument, { timeout, polling: 30 });
    return handle.jsonValue();
  }

  /** Writes into the chat. */
  async say(text) {
    await this.do(text => ui.chat.processMessage(text), text);
  }

  /** The chat as the user reads it: who, what. */
  chat() {
    return this.do(() => [...document.querySelectorAll(".chat-log > .message")].filter(m => !m.classList.contains("dsn-hide")).map(m => ({
      id: m.dataset.messageId, sender: m.querySelector(".message-sender").textContent, text: m.querySelector(".message-content").innerText.trim(), whisper: m.classList.contains("whisper"),
    })));
  }

  /** Waits for a message whose text has some words. */
  message(words) {
    return this.until(words => [...document.querySelectorAll(".chat-log > .message:not(.dsn-hide)")].find(m => m.textContent.includes(words))?.dataset.messageId, words);
  }

  /** Where the tokens are seen, by name. */
  tokens() {
    return this.do(() => Object.fromEntries(canvas.tokens.placeables.map(t => [t.document.name, { x: t.x, y: t.y, visible: t.visible, statuses: t.effects.children.map(e => e.name) }])));
  }

  /** Presses the mouse on a token. */
  async click(name, { button = "left" } = {}) {
    const at = await this.#place(name);
    await this.page.mouse.click(at.x, at.y, { button });
  }

  /** Drags a token by some squares. */
  async drag(name, { columns = 0, rows = 0 }) {
    const from = await this.#place(name);
    const to = await this.#place(name, { columns, rows });
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(to.x, to.y, { steps: 3 });
    await this.page.mouse.up();
  }

  #place(name, { columns = 0, rows = 0 } = {}) {
    return this.do(({ name, columns, rows }) => {
      const { x, y } = canvas.tokens.placeables.find(t => t.document.name === name).center;
      const { size } = canvas.grid;
      return canvas.clientCoordinatesFromCanvas({ x: x + columns * size, y: y + rows * size });
    }, { name, columns, rows });
  }

  /** All notifications so far: type and words. */
  notifications() {
    return this.do(() => ui.notifications._shown.map(({ type, message }) => ({ type, message })));
  }

  /** The words that rose over tokens. */
  said() {
    return this.do(() => canvas.interface._said);
  }

  /** What hooks and windows threw, and keys without text. A test ends with both empty. */
  async faults() {
    const { failures, missing } = await this.do(() => ({ failures: harness.failures, missing: [...harness.missing] }));
    return [...failures, ...missing.map(key => `no text: ${key}`)];
  }

  /** Every byte that the user's pages received from Hantei. */
  received() {
    return this.table.recorder.received(this.id);
  }

  /** What the user's pages asked of Hantei. */
  requests() {
    return this.table.recorder.sent(this.id);
  }

  async screenshot(path) {
    await this.do(() => new Promise(resolve => {
      canvas._frame();
      setTimeout(resolve);
    }));
    return this.page.screenshot({ path });
  }
}
