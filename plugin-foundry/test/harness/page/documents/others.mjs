/** Documents that hold no more than their data. */
import { CLASSES, Document } from "./document.mjs";

export class Folder extends Document {
  static documentName = "Folder";

  get contents() {
    return game.collections.get(this.type).filter(d => d._source.folder === this.id);
  }
}

export class Setting extends Document {
  static documentName = "Setting";
}

export class JournalEntry extends Document {
  static documentName = "JournalEntry";
}

export class JournalEntryPage extends Document {
  static documentName = "JournalEntryPage";
}

/** A macro; a script's own words are those that Foundry gives it. */
export class Macro extends Document {
  static documentName = "Macro";

  _setField(field, value) {
    this[field] = field === "author" ? game.users.get(value) ?? null : value;
  }

  get isAuthor() {
    return this._source.author === game.user.id;
  }

  get canExecute() {
    return this.testUserPermission(game.user, "LIMITED") || this.isAuthor;
  }

  canUserModify(user) {
    return user.isGM || this._source.author === user.id;
  }

  async execute(scope = {}) {
    if (this.type === "chat") return ui.chat.processMessage(this.command);
    const AsyncFunction = (async () => {}).constructor;
    const token = scope.token ?? canvas.tokens.controlled[0];
    const args = { speaker: CLASSES.ChatMessage.getSpeaker(), actor: scope.actor ?? token?.actor ?? game.user.character, token, character: game.user.character, scope };
    return new AsyncFunction(...Object.keys(args), this.command).call(this, ...Object.values(args));
  }

  _onCreate() {
    ui.hotbar.render();
  }
}

Object.assign(CLASSES, { Folder, Setting, JournalEntry, JournalEntryPage, Macro });
