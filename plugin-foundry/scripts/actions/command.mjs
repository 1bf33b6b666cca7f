/**
 * What is written behind "/hantei" in the chat. Free of Foundry.
 *
 * @typedef {{kind: "open", search: string}
 *   | {kind: "roll", formula: string, text: string, secret: boolean}
 *   | {kind: "questions"} | {kind: "policies"} | {kind: "help"}} Command
 */

/**
 * Reads a chat message; null if it is not for Hantei.
 * @param {string} message
 * @returns {Command | null}
 */
export function commandOf(message) {
  const [, rest] = message.trim().match(/^\/hantei(?=\s|$)(.*)$/is) ?? [];
  if (rest === undefined) return null;
  const [, word, more] = rest.trim().match(/^(\S*)\s*(.*)$/s) ?? ["", "", ""];
  switch (word.toLowerCase()) {
    case "":
      return { kind: "open", search: "" };
    case "act":
      return { kind: "open", search: more };
    case "roll":
    case "secret":
      return rollOf(more, word.toLowerCase() === "secret");
    case "questions":
      return { kind: "questions" };
    case "always":
      return { kind: "policies" };
    default:
      return { kind: "help" };
  }
}

/**
 * Dice first, then what they are for: "2d6+3 how long it lasts".
 * @param {string} rest
 * @param {boolean} secret
 * @returns {Command}
 */
function rollOf(rest, secret) {
  const [, formula, text] = rest.normalize("NFKC").match(/^([\dd+\-\s]*[\dd])(?:\s+(.*))?$/is) ?? [];
  if (!formula) return { kind: "help" };
  return { kind: "roll", formula: formula.replace(/\s+/g, ""), text: text ?? "", secret };
}
