/**
 * Dice that were thrown by hand, as the server reads them. Free of Foundry.
 */

/**
 * What a dice prompt asks for, "2D6" for example; null if it is no throw of equal dice.
 * @param {string} dice
 * @returns {{count: number, sides: number} | null}
 */
export function diceOf(dice) {
  const [, count, sides] = dice.match(/^(\d*)[dD](\d+)$/) ?? [];
  return sides ? { count: Number(count || 1), sides: Number(sides) } : null;
}

/**
 * Writes a throw down from what a person typed: the face of each die ("4 4 3",
 * "4,4,3") or their sum ("11"). null if it cannot have been thrown.
 * @param {string} dice   What is asked for.
 * @param {string} typed
 * @returns {string | null}
 */
export function givenDice(dice, typed) {
  const asked = diceOf(dice);
  // Full-width digits are what a Japanese keyboard gives.
  const plain = typed.normalize("NFKC").trim();
  if (!asked || !/^\d+([\s,、+]+\d+)*$/.test(plain)) return null;
  const { count, sides } = asked;
  const numbers = plain.split(/[\s,、+]+/).map(Number);
  const sum = numbers.reduce((a, b) => a + b, 0);
  if (count > 1 && numbers.length === 1) return sum >= count && sum <= count * sides ? `${dice}=${sum}` : null;
  if (numbers.length !== count || numbers.some(face => face < 1 || face > sides)) return null;
  return count === 1 ? `${dice}=${sum}` : `${dice}=${sum}(${numbers.join(",")})`;
}
