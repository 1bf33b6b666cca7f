/** Checks the types of the module's files, as `tsc --noEmit` does, and keeps what they use of Foundry for the tests in the browser. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { keepMembers, programOf } from "./harness/members.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const program = programOf(folder);
const found = ts.getPreEmitDiagnostics(program);
if (found.length) {
  console.error(ts.formatDiagnosticsWithColorAndContext(found, { getCanonicalFileName: name => name, getCurrentDirectory: () => folder, getNewLine: () => "\n" }));
  process.exit(1);
}
keepMembers(folder, program);
