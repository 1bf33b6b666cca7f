import { readFileSync } from "node:fs";
import { test } from "node:test";
const font = readFileSync("/tmp/jpfont/node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf").toString("base64");
import { openTable, picture } from "../harness/table.mjs";
test("look", async () => {
  for (const [language, dark] of [["ja", false], ["en", true]]) {
    const table = await openTable({ language });
    try {
      table.setting("hantei.url", table.url);
      table.setting("hantei.place", "loopback");
      const players = [];
      for (const name of ["gm", "eri"]) {
        const here = `${table.world.id}.${table.things.users[name]._id}`;
        const p = await table.join(name, { client: { "hantei.credentials": { [here]: { token: table.seats[name].token, table: table.id } }, "hantei.speed": 0 } });
        await p.until(() => game.modules.get("hantei").api.status === "live");
        await p.page.addStyleTag({ content: `@font-face{font-family:JP;src:url(data:font/ttf;base64,${font})} body, body *:not(i){font-family:"DejaVu Sans",JP,sans-serif !important}` });
        if (dark) await p.page.addStyleTag({ content: ".chat-log .message { background: #1b1a1f !important; color: #e8e4dc !important; } .message-sender { color: inherit }" });
        players.push(p);
      }
      const [gm, eri] = players;
      const say = (x, y, z) => table.act(x, y, z);
      await say("gm", { coc: { startCombat: { combatants: ["officer", "nurse", "thug"], notes: "<b>地下室</b>の扉が開く" } } }, { dice: ["1D100=10", "1D100=90"] });
      await say("jun", { coc: { endTurn: {} } }, { actor: "officer" });
      await say("eri", { coc: { endTurn: {} } }, { actor: "nurse" });
      await say("jun", { coc: { attack: { weapon: "baton", target: "thug" } } }, { actor: "officer", dice: ["1D100=3"] });
      await table.answer("gm", "thug", "dodge", { dice: ["1D100=99", "1D6=1", "1D4=1"] });
      await table.as("eri", "POST", `/v1/tables/${table.id}:roll`, { actor: "nurse", formula: "2D6+1D8+1D20+1D10+1D12+3", text: language === "ja" ? "包帯の残り" : "how long the bandages last" });
      await table.as("gm", "POST", `/v1/tables/${table.id}:roll`, { formula: "1D100", text: "secret", audience: "AUDIENCE_GM" });
      await gm.message("secret");
      await gm.do(() => { for (const d of document.querySelectorAll(".hantei-card details")) d.open = true; });
      await gm.screenshot(picture(`look-${language}-gm`));
      await gm.page.evaluate(() => { const l = document.querySelector(".chat-log"); l.scrollTop = 0; });
      await gm.screenshot(picture(`look-${language}-gm-top`));
      await eri.message("1D20");
      await eri.screenshot(picture(`look-${language}-eri`));
      console.log(JSON.stringify(await table.faults()));
    } finally { await table.close(); }
  }
});
