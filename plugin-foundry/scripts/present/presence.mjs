/**
 * Whether a GM is at the table, for the other GMs' clients: one of them writes, and
 * who has no connection cannot. It is a flag of the user, true while any of the
 * user's pages is connected.
 * @import {Part} from "../hantei.mjs"
 */
import { connection } from "../connection.mjs";
import { MODULE } from "../constants.mjs";

/** What has been said so far is said before the next thing. */
let saying = Promise.resolve();

/** Says how it stands now, if that is not what was said. */
function say() {
  saying = saying.then(async () => {
    const { status } = connection;
    // On the way nothing is known yet: a page that is loaded anew was connected just now.
    if (status === "connecting" || (game.user.getFlag(MODULE, "live") ?? false) === (status === "live")) return;
    await game.user.setFlag(MODULE, "live", status === "live");
  }).catch(error => console.warn("hantei | whether this GM is there was not told", error));
}

/** @type {Part} */
export const presence = {
  ready() {
    if (!game.user.isGM) return;
    connection.onStatus(say);
    // Another page of the same user has lost its connection, and this one has not.
    Hooks.on("updateUser", user => { if (user.isSelf && connection.status === "live") say(); });
    say();
  },
};
