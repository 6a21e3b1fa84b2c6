// Prints the scopes of each piece of each line of a file, as VS Code's own engine finds them: GRAMMAR FILE.
const fs = require("fs");
const path = require("path");
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
const { Registry, parseRawGrammar, INITIAL } = require("vscode-textmate");

async function main(grammar, file) {
  const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
  await loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(grammar, "utf-8"), grammar),
  });
  const language = await registry.loadGrammar("source.tkid");
  let state = INITIAL;
  const found = fs.readFileSync(file, "utf-8").split("\n").map((line) => {
    const { tokens, ruleStack } = language.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.map((token) => [token.scopes.at(-1), line.slice(token.startIndex, token.endIndex)]);
  });
  console.log(JSON.stringify(found));
}

main(...process.argv.slice(2));
