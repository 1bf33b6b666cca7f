import { Roll } from "../roll.mjs";
import { Hooks } from "../hooks.mjs";
import { parse } from "../apps/markup.mjs";
import { CLASSES, Document, WorldCollection } from "./document.mjs";

/** A message of the chat. */
export class ChatMessage extends Document {
  static documentName = "ChatMessage";

  _setField(field, value) {
    if (field === "author") this.author = game.users.get(value) ?? null;
    else if (field === "rolls") this.rolls = value.map(r => Roll.fromJSON(r));
    else this[field] = value;
  }

  get isAuthor() {
    return this._source.author === game.user.id;
  }

  get isOwner() {
    return this.canUserModify(game.user);
  }

  canUserModify(user) {
    return user.isGM || this._source.author === user.id;
  }

  getUserLevel(user) {
    return this._source.author === user.id ? 3 : 0;
  }

  get isRoll() {
    return this.rolls.length > 0;
  }

  get alias() {
    return this.speaker.alias || this.author?.name || "";
  }

  get speakerActor() {
    return ChatMessage.getSpeakerActor(this.speaker);
  }

  /** Whether the user may see that it exists. */
  get visible() {
    if (!this.whisper.length) return true;
    return this.isRoll ? true : this.isContentVisible;
  }

  /** Whether the user may read it. */
  get isContentVisible() {
    if (this.blind && !this.isAuthor) return this.whisper.includes(game.user.id);
    if (!this.whisper.length) return true;
    return (this.isAuthor && !this.blind) || this.whisper.includes(game.user.id);
  }

  get logged() {
    return !!ui.chat.element?.querySelector(`[data-message-id="${this.id}"]`);
  }

  static getSpeaker({ scene, actor, token, alias } = {}) {
    const document = token?.document ?? token ?? (actor?.isToken ? actor.token : null) ?? (actor ? null : canvas.tokens?.controlled[0]?.document);
    const being = actor ?? document?.actor ?? (document ? null : game.user.character);
    return {
      scene: (document?.parent ?? scene ?? canvas.scene)?.id ?? null, actor: being?.id ?? null, token: document?.id ?? null,
      alias: alias ?? document?.name ?? being?.name ?? game.user.name,
    };
  }

  static getSpeakerActor({ scene, actor, token }) {
    return game.scenes.get(scene)?.tokens.get(token)?.actor ?? game.actors.get(actor) ?? null;
  }

  static getWhisperRecipients(name) {
    if (/^(gm|dm)$/i.test(name)) return game.users.filter(u => u.isGM);
    if (/^players$/i.test(name)) return game.users.players;
    return game.users.filter(u => u.name.toLowerCase() === name.toLowerCase() || u.character?.name.toLowerCase() === name.toLowerCase());
  }

  static applyRollMode(data, mode) {
    if (mode === "roll") mode = game.settings.get("core", "rollMode");
    if (mode === "gmroll" || mode === "blindroll") data.whisper = this.getWhisperRecipients("GM").map(u => u.id);
    else if (mode === "selfroll") data.whisper = [game.user.id];
    else data.whisper = [];
    data.blind = mode === "blindroll";
    return data;
  }

  static async createDocuments(data, operation = {}) {
    return super.createDocuments(data.map(given => {
      const source = given instanceof Document ? given.toObject() : { ...given };
      source.author ??= game.user.id;
      if (typeof source.author === "object") source.author = source.author.id;
      source.whisper = (source.whisper ?? []).map(u => u.id ?? u);
      source.rolls = (source.rolls ?? []).map(r => (typeof r === "string" ? r : JSON.stringify(r)));
      return source;
    }), operation);
  }

  /** The element of the chat log, for this user. */
  async renderHTML({ canDelete, canClose = false } = {}) {
    const visible = this.isContentVisible;
    const li = parse(`<li class="chat-message message flexcol" data-message-id="${this.id}">
      <header class="message-header flexrow"><h4 class="message-sender"></h4><span class="message-metadata"><time class="message-timestamp"></time>
      <span class="whisper-to"></span></span><span class="flavor-text"></span></header>
      <div class="message-content"></div></li>`);
    if (this.whisper.length) li.classList.add("whisper");
    if (this.blind) li.classList.add("blind");
    li.querySelector(".message-sender").textContent = this.alias;
    li.querySelector(".flavor-text").textContent = visible ? this.flavor : "";
    if (this.whisper.length) li.querySelector(".whisper-to").textContent = this.whisper.map(id => game.users.get(id)?.name).join(", ");
    if (canDelete ?? this.isOwner) li.querySelector(".message-metadata").append(parse('<a class="message-delete" data-action="deleteMessage" aria-label="Delete"></a>'));
    const content = li.querySelector(".message-content");
    if (visible) {
      if (this.content) content.append(parse(this.content, { all: true }));
      for (const roll of this.rolls) content.append(parse(await roll.render(), { all: true }));
    } else {
      content.textContent = "???";
    }
    Hooks.callAll("renderChatMessageHTML", this, li, { canDelete: canDelete ?? this.isOwner, canClose, message: this.toObject(), user: game.user, author: this.author, alias: this.alias });
    return li;
  }

  _onCreate() {
    if (this.visible) void ui.chat.postOne(this);
  }

  _onUpdate() {
    void ui.chat.updateMessage(this);
  }

  _onDelete() {
    ui.chat.deleteMessage(this.id);
  }
}

export class Messages extends WorldCollection {
  constructor() {
    super("ChatMessage");
  }

  async flush() {
    return ChatMessage.deleteDocuments([], { deleteAll: true });
  }
}

CLASSES.ChatMessage = ChatMessage;
