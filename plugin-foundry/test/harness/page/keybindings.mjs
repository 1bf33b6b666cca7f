/** game.keybindings: keys that packages declare, and who is called. */
import { Hooks } from "./hooks.mjs";

const MODIFIERS = { CONTROL: "Control", SHIFT: "Shift", ALT: "Alt", Control: "Control", Shift: "Shift", Alt: "Alt" };

export class ClientKeybindings {
  actions = new Map();

  register(namespace, action, { name, hint, editable = [], uneditable = [], onDown = null, onUp = null, repeat = false, restricted = false, reservedModifiers = [], precedence = 0 }) {
    if (!name) throw new Error(`the keybinding ${namespace}.${action} has no name`);
    for (const { key, modifiers = [] } of [...editable, ...uneditable]) {
      if (!/^(Key[A-Z]|Digit\d|F\d+|Arrow\w+|Numpad\w+|[A-Z][A-Za-z]+)$/.test(key)) throw new Error(`"${key}" is no KeyboardEvent code`);
      for (const modifier of modifiers) if (!(modifier in MODIFIERS)) throw new Error(`"${modifier}" is no modifier`);
    }
    this.actions.set(`${namespace}.${action}`, { namespace, action, name, hint, editable, uneditable, onDown, onUp, repeat, restricted, reservedModifiers, precedence });
  }

  get(namespace, action) {
    const found = this.actions.get(`${namespace}.${action}`);
    return found && [...found.uneditable, ...found.editable];
  }

  /** Keys in a field are the field's. */
  _listen() {
    for (const [type, handler] of [["keydown", "onDown"], ["keyup", "onUp"]]) {
      addEventListener(type, event => {
        if (event.target.matches?.("input, textarea, select, [contenteditable]")) return;
        const pressed = Object.entries({ Control: event.ctrlKey || event.metaKey, Shift: event.shiftKey, Alt: event.altKey }).filter(([, on]) => on).map(([m]) => m);
        const matching = [...this.actions.values()].filter(a => (!a.restricted || game.user.isGM) && a[handler] && (a.repeat || !event.repeat)
          && [...a.uneditable, ...a.editable].some(({ key, modifiers = [] }) => key === event.code && modifiers.map(m => MODIFIERS[m]).sort().join() === pressed.filter(m => !a.reservedModifiers.includes(m)).sort().join()));
        for (const action of matching.sort((a, b) => a.precedence - b.precedence)) {
          try {
            if (action[handler]({ event, key: event.code, up: type === "keyup", repeat: event.repeat }) === true) return event.preventDefault();
          } catch (error) {
            Hooks.onError("ClientKeybindings", error);
          }
        }
      });
    }
  }
}
