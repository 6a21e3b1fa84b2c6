// Runs the extension with stand-ins for VS Code and for its client, and prints what a person would see as JSON: EXTENSION.
const Module = require("module");

const seen = { commands: {}, panels: [], messages: [], asked: [] };
let answer = null;

class LanguageClient {
  constructor(...given) {
    LanguageClient.middleware = given[3].middleware;
    this.code2ProtocolConverter = { asUri: (uri) => uri };
  }
  async start() {
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
  isRunning() {
    return this.running;
  }
  async sendRequest(method, params) {
    seen.asked.push([method, params]);
    return answer;
  }
}

const nothing = () => undefined;
const standIns = {
  "vscode-languageclient/node": { LanguageClient, TransportKind: { stdio: 0 } },
  vscode: {
    ViewColumn: { Beside: 2 },
    workspace: { getConfiguration: () => ({ get: () => ["tkid", "lsp"] }), onDidChangeTextDocument: nothing },
    commands: { registerCommand: (name, run) => (seen.commands[name] = run) },
    window: {
      activeTextEditor: { document: { languageId: "tkid", uri: "file:///x.tkid" }, selection: { active: { line: 3 } } },
      onDidChangeTextEditorSelection: nothing,
      showErrorMessage: (text) => seen.messages.push(text),
      showInformationMessage: (text) => seen.messages.push(text),
      createWebviewPanel: () => {
        const panel = { webview: {}, onDidDispose: nothing };
        seen.panels.push(panel);
        return panel;
      },
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);

async function main(file) {
  const extension = require(file);
  await extension.activate({ subscriptions: [] });
  await seen.commands["tkid.showPosition"]();
  answer = { turn: 4, title: 'A "b" <c>', svg: "<svg/>" };
  await seen.commands["tkid.showPosition"]();
  const offer = async () => ({ items: [{ insertText: "7. Ann " }, { insertText: "7. Ann Pass" }] });
  const { items } = await LanguageClient.middleware.provideCompletionItem(0, 0, 0, 0, offer);
  await extension.deactivate();
  const [panel] = seen.panels;
  const { messages, asked } = seen;
  const offered = items.map((item) => Boolean(item.command));
  console.log(JSON.stringify({ messages, asked, title: panel.title, html: panel.webview.html, offered }));
}

main(...process.argv.slice(2));
