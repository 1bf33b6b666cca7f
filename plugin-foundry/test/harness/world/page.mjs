/**
 * The page of a user. Foundry loads the scripts and styles of all active modules
 * into it; the module's styles go into a cascade layer, as since version 13.
 * @param {{_id: string, name: string}} user
 * @param {import("./server.mjs").WorldServer} server
 */
export function page(user, server) {
  const active = server.modules.filter(m => m.active);
  const styles = active.flatMap(m => (m.manifest.styles ?? []).map(s => `@import "/modules/${m.id}/${s.src ?? s}" layer(modules);`));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(server.world.title)}</title>
<link rel="stylesheet" href="/harness/page/page.css">
<style>@layer modules;\n${styles.join("\n")}</style>
<script src="/lib/pixi.js"></script>
<script src="/lib/handlebars.js"></script>
</head>
<body class="vtt game theme-light" data-user="${escape(user._id)}">
<div id="interface">
  <div id="ui-left"><div id="scene-controls-box"></div><div id="players"></div></div>
  <div id="ui-middle"><div id="ui-top"><ul id="notifications"></ul></div><div id="board-box"></div><div id="hotbar"></div></div>
  <div id="ui-right"><div id="sidebar"></div></div>
</div>
<div id="hud"></div>
<script type="module" src="/harness/page/main.mjs"></script>
</body>
</html>
`;
}

const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
