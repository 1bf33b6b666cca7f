/** Which members of Foundry the module's files use, by what the types say of each. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Where they are kept: to find them all files have to be checked, which the types step does anyway. */
const KEPT = fileURLToPath(new URL("../../../build/foundry/members.json", import.meta.url));

/** @typedef {{owner: string, member: string, static: boolean, kind: "class" | "interface" | "path", at: string}} Member */

/** The module's files and what says of which types they are. @param {string} folder  Of the package, with its tsconfig.json. */
export function programOf(folder) {
  const path = join(folder, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder, undefined, path);
  return ts.createProgram(fileNames, options);
}

/** Changes with whatever the members depend on. @param {string} folder */
function digestOf(folder) {
  const hash = createHash("sha256");
  const files = ["package-lock.json", "tsconfig.json", "test/harness/members.mjs"];
  for (const part of ["scripts", "types"]) for (const file of readdirSync(join(folder, part), { recursive: true }).sort()) files.push(join(part, String(file)));
  for (const file of files) if (statSync(join(folder, file)).isFile()) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}

/** The members, as they were kept if nothing has changed since. @param {string} folder @returns {Member[]} */
export function knownMembers(folder) {
  const kept = existsSync(KEPT) && JSON.parse(readFileSync(KEPT, "utf8"));
  return kept && kept.digest === digestOf(folder) ? kept.members : keepMembers(folder, programOf(folder));
}

/** Finds the members and keeps them. @param {string} folder @param {ts.Program} program @returns {Member[]} */
export function keepMembers(folder, program) {
  const members = foundryMembers(folder, program);
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify({ digest: digestOf(folder), members }));
  return members;
}

/**
 * @param {string} folder
 * @param {ts.Program} program
 * @returns {Member[]}
 */
function foundryMembers(folder, program) {
  const checker = program.getTypeChecker();
  const found = new Map();
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.includes("/scripts/") || file.fileName.includes("node_modules")) continue;
    const note = (name, node) => {
      let symbol = checker.getSymbolAtLocation(name);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      for (const declaration of symbol?.declarations ?? []) {
        if (!declaration.getSourceFile().fileName.includes("/foundry-vtt-types/")) continue;
        const owner = ownerOf(declaration);
        if (!owner) continue;
        const at = `${relative(folder, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
        const isStatic = !!(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Static);
        const key = `${owner.name}.${symbol.name}`;
        if (!found.has(key)) found.set(key, { ...owner, owner: owner.name, member: symbol.name, static: isStatic, at });
      }
    };
    const visit = node => {
      if (ts.isPropertyAccessExpression(node)) {
        note(node.name, node);
        const chain = pathOf(node);
        if (chain) found.set(chain, { owner: chain.split(".").slice(0, -1).join("."), member: node.name.text, static: false, kind: "path", at: `${relative(folder, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
      }
      // const { settings } = game; const { api } = foundry.applications;
      if (ts.isObjectBindingPattern(node)) {
        const from = ts.isVariableDeclaration(node.parent) && node.parent.initializer && pathOf(node.parent.initializer);
        for (const { propertyName, name } of from ? node.elements : []) {
          const member = (propertyName ?? name).text;
          found.set(`${from}.${member}`, { owner: from, member, static: false, kind: "path", at: `${relative(folder, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
        }
        const type = checker.getTypeAtLocation(node);
        for (const element of node.elements) {
          const key = element.propertyName ?? element.name;
          const property = ts.isIdentifier(key) && type.getProperty(key.text);
          for (const declaration of (property && property.declarations) || []) {
            const owner = declaration.getSourceFile().fileName.includes("/foundry-vtt-types/") && ownerOf(declaration);
            if (owner) found.set(`${owner.name}.${property.name}`, { ...owner, owner: owner.name, member: property.name, static: false, at: `${relative(folder, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...found.values()];
}

/** "foundry.applications.api", if that is what an expression says. */
function pathOf(node) {
  if (ts.isIdentifier(node)) return ["foundry", "CONST"].includes(node.text) ? node.text : null;
  if (!ts.isPropertyAccessExpression(node)) return null;
  const before = pathOf(node.expression);
  return before && `${before}.${node.name.text}`;
}

/** What a member is declared in: a class or an interface with a name. */
function ownerOf(declaration) {
  for (let at = declaration.parent; at; at = at.parent) {
    if (ts.isClassDeclaration(at) && at.name) return { name: at.name.text, kind: "class" };
    if (ts.isInterfaceDeclaration(at)) return { name: at.name.text, kind: "interface" };
    if (ts.isTypeLiteralNode(at)) return null; // the shape of some data
  }
  return null;
}
