// Parses PowerShell files with the tree-sitter grammar and says where they are
// not PowerShell: node parse.cjs FOLDER FILE...
// FOLDER holds what npm install tree-sitter-powershell web-tree-sitter made.
const fs = require('fs');
// The grammar's lexer is one huge function; optimising it takes half a minute.
require('v8').setFlagsFromString('--liftoff-only');
const path = require('path');
const { createRequire } = require('module');

const [folder, ...files] = process.argv.slice(2);
const installed = createRequire(path.resolve(folder, 'package.json'));
const { Parser, Language } = installed('web-tree-sitter');

async function main() {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(installed.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')));
  let failed = false;
  for (const file of files) {
    const tree = parser.parse(fs.readFileSync(file, 'utf8'));
    const visit = (node) => {
      if (node.isError || node.isMissing) {
        failed = true;
        console.log(`${file}:${node.startPosition.row + 1}:${node.startPosition.column + 1}: not PowerShell: ${node.text.slice(0, 80)}`);
        return;
      }
      for (const child of node.children) if (child && (child.hasError || child.isMissing)) visit(child);
    };
    if (tree.rootNode.hasError) visit(tree.rootNode);
  }
  process.exit(failed ? 1 : 0);
}
main();
