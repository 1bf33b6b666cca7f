/** Which members of Foundry the module's files use, by what the types say of each. */
import { join, relative } from "node:path";
import ts from "typescript";

/**
 * @param {string} folder  Of the package, with its tsconfig.json.
 * @returns {{owner: string, member: string, static: boolean, kind: "class" | "interface" | "path", at: string}[]}
 */
export function foundryMembers(folder) {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
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
        const path = pathOf(node);
        if (path) found.set(path, { owner: path.split(".").slice(0, -1).join("."), member: node.name.text, static: false, kind: "path", at: `${relative(folder, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
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
