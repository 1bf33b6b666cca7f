/** ui.chat: the messages that the user may see, and the box to write in. */
import { Hooks } from "../hooks.mjs";
import { parse } from "../apps/markup.mjs";
import { SidebarTab } from "./sidebar.mjs";
import { openMenu } from "./context-menu.mjs";

export class ChatLog extends SidebarTab {
  static tabName = "chat";
  /** Messages are shown one after another. */
  #posting = Promise.resolve();

  static MESSAGE_PATTERNS = {};

  build(element) {
    element.append(parse('<ol class="chat-log plain"></ol>'), parse('<form class="chat-form"><textarea id="chat-message" class="chat-input" aria-label="Chat"></textarea></form>'));
    const input = element.querySelector("textarea");
    input.addEventListener("keydown", event => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      const text = input.value;
      input.value = "";
      void this.processMessage(text);
    });
    element.addEventListener("contextmenu", event => {
      const li = event.target.closest(".message");
      if (!li) return;
      event.preventDefault();
      const entries = [];
      Hooks.callAll("getChatMessageContextOptions", this, entries);
      openMenu(li, entries, event);
    });
    element.addEventListener("click", event => {
      const id = event.target.closest("[data-action=deleteMessage]")?.closest(".message").dataset.messageId;
      if (id) void game.messages.get(id).delete();
    });
  }

  get log() {
    return this.element.querySelector(".chat-log");
  }

  get collection() {
    return game.messages;
  }

  async populate() {
    for (const message of game.messages.contents.sort((a, b) => a.timestamp - b.timestamp)) if (message.visible) await this.postOne(message);
  }

  async postOne(message) {
    if (!this.element) return undefined; // it will be drawn with all that there is
    this.#posting = this.#posting.then(async () => {
      if (this.log.querySelector(`[data-message-id="${message.id}"]`)) return;
      const li = await message.renderHTML();
      if (game.messages.has(message.id)) this.log.append(li);
      this.scrollBottom();
    }).catch(error => Hooks.onError("ChatLog#postOne", error));
    return this.#posting;
  }

  async updateMessage(message) {
    await this.#posting;
    if (!this.element) return undefined;
    const old = this.log.querySelector(`[data-message-id="${message.id}"]`);
    if (!old && message.visible) return this.postOne(message);
    old?.replaceWith(await message.renderHTML());
  }

  deleteMessage(id) {
    this.element?.querySelector(`.chat-log [data-message-id="${id}"]`)?.remove();
  }

  async scrollBottom() {
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** What a user wrote. A hook may take it; a command that nobody knows is an error. */
  async processMessage(text, { speaker } = {}) {
    const message = text.trim();
    if (!message) return undefined;
    const data = { user: game.user.id, speaker: speaker ?? ChatMessage.getSpeaker() };
    if (!Hooks.call("chatMessage", this, message, data)) return undefined;
    const whisper = message.match(/^\/w(?:hisper)?\s+(?:\[([^\]]+)\]|(\S+))\s+([^]+)/i);
    if (whisper) return ChatMessage.create({ content: foundry.utils.escapeHTML(whisper[3]), speaker: data.speaker, whisper: ChatMessage.getWhisperRecipients(whisper[1] ?? whisper[2]) });
    if (message.startsWith("/")) {
      ui.notifications.error(`${message.split(" ")[0]} is not a valid chat command`);
      return undefined;
    }
    return ChatMessage.create({ content: foundry.utils.escapeHTML(message), speaker: data.speaker });
  }
}
