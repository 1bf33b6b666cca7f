/** Whatever the module's files use of Foundry is in the stand-in. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { fixture } from "../harness/fixture.mjs";
import { knownMembers } from "../harness/members.mjs";
import { skip } from "../harness/skip.mjs";
import { openTable } from "../harness/table.mjs";

test("the stand-in has every member of Foundry that scripts/ uses", { skip }, async () => {
  const members = knownMembers(fileURLToPath(new URL("../..", import.meta.url)));
  assert.ok(members.some(m => m.owner === "Hooks" && m.member === "once") && members.length > 10, "the types were found");
  const table = await openTable({ modules: fixture, hantei: false });
  try {
    const gm = await table.join("gm");
    await gm.do(() => CONFIG.Combat.documentClass.create({ scene: canvas.scene.id })); // one of each kind
    const lacking = list => gm.do(async list => (await import("/harness/page/samples.mjs")).lacking(list), list);
    assert.deepEqual((await lacking(members)).map(m => `${m.owner}.${m.member} (${m.at})`), []);
    const none = [["InternalGame", "class"], ["TokenDocument", "class"], ["Nobody", "class"], ["foundry.utils", "path"]].map(([owner, kind]) => ({ owner, kind, member: "nothing", static: false, at: "" }));
    assert.equal((await lacking(none)).length, none.length);
  } finally {
    await table.close();
  }
});
