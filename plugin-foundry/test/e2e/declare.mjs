/** How people declare something: by the window of actions, as it stands in the page. */

const OFFER = "#hantei-actions .hantei-offer";

/** Opens the window for a character, or for the table (""). */
export async function openActions(player, actor) {
  await player.do(actor => game.modules.get("hantei").api.openActions(actor), actor);
  await player.page.waitForSelector(OFFER);
}

/** Looks for an offer by its words, or by some of them if no other has them, and opens it or takes it. */
export async function takeOffer(player, search) {
  await player.page.fill("#hantei-actions [name=search]", search);
  const id = await player.until(([offer, search]) => {
    if (document.querySelector("#hantei-actions [name=search]").value !== search) return null;
    const found = [...document.querySelectorAll(`${offer}:not(.hantei-barred)`)];
    const exact = found.filter(line => line.querySelector(".hantei-choice-text").textContent.replace("…", "") === search);
    const [only, ...more] = exact.length ? exact : found;
    return only && !more.length && !only.querySelector("button").disabled ? only.dataset.offer : null;
  }, [OFFER, search]);
  await player.page.click(`${OFFER}[data-offer="${id}"] [data-action=take]`);
}

/** Says what the dice on the table show. */
export const give = (player, dice) => player.page.fill("#hantei-actions [name=given]", dice);

/** Fills the open form in: from the input's name to the value, of a choice its words. */
export async function fillIn(player, values) {
  await player.page.waitForSelector("#hantei-actions .hantei-form");
  for (const [name, value] of Object.entries(values)) {
    const field = player.page.locator(`#hantei-actions .hantei-form [name$=".${name}"]`).first();
    if (value === true) await field.check();
    else if (await field.evaluate(f => f.tagName === "SELECT")) await field.selectOption({ label: value });
    else await field.fill(String(value));
  }
}

export const send = player => player.page.click("#hantei-actions .hantei-form [data-action=send]");

/** What the window says of a refusal. */
export const refusal = player => player.until(() => document.querySelector("#hantei-actions [data-error]:not([hidden])")?.textContent);

/**
 * Declares something, and waits until the page is told of it.
 * @param {import("../harness/player.mjs").Player} player
 * @param {string} search
 * @param {{fill?: Record<string, string | number | true>, dice?: string, told: string}} what  told: the name of an event.
 */
export async function declare(player, search, { fill, dice, told }) {
  const before = await player.do(name => window.told.filter(n => n === name).length, told);
  if (dice) await give(player, dice);
  await takeOffer(player, search);
  if (fill) {
    await fillIn(player, fill);
    await send(player);
  }
  await player.until(([name, n]) => window.told.filter(t => t === name).length > n && document.querySelector("#hantei-actions .hantei-form") === null, [told, before]);
  await player.until(() => document.querySelector("#hantei-actions [name=given]")?.value === "");
}

/** Closes a window by its id. */
export const shut = (player, id) => player.do(id => foundry.applications.instances.get(id)?.close({ animate: false }), id);
