// The extension: it starts `tkid lsp`, which knows everything, and shows the position beside the text.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const POSITION = "tkid.position"; // the server's command that draws a position
const PAUSE = 150; // milliseconds after which a moved cursor draws the position again

let client;
let panel;
let waiting;

async function activate(context) {
  const [command, ...args] = vscode.workspace.getConfiguration("tkid").get("command");
  client = new LanguageClient(
    "tkid",
    "tkid",
    { command, args, transport: TransportKind.stdio },
    {
      documentSelector: [{ language: "tkid" }],
      middleware: { provideCompletionItem: offerMore, executeCommand: showAnswer },
    },
  );
  context.subscriptions.push(
    vscode.commands.registerCommand("tkid.showPosition", () => draw(true)),
    vscode.window.onDidChangeTextEditorSelection(drawSoon),
    vscode.workspace.onDidChangeTextDocument(drawSoon),
  );
  try {
    await client.start();
  } catch (error) {
    const install = "In a copy of tkid's source, run pip install '.[editor]'. If it is elsewhere, set tkid.command.";
    vscode.window.showErrorMessage(`${command} could not be started. ${install} (${error.message})`);
  }
}

function deactivate() {
  return client?.isRunning() ? client.stop() : undefined;
}

// After a part of a turn, the list of what may follow opens at once.
async function offerMore(document, position, context, token, next) {
  const offered = await next(document, position, context, token);
  for (const item of offered?.items ?? offered ?? []) {
    if (item.textEdit?.newText?.endsWith(" ") || String(item.insertText ?? "").endsWith(" ")) {
      item.command = { command: "editor.action.triggerSuggest", title: "More" };
    }
  }
  return offered;
}

// "Show the position" among the actions of a line is carried out by the server; its answer is a picture.
async function showAnswer(command, args, next) {
  const answer = await next(command, args);
  if (command === POSITION) show(answer, true);
  return answer;
}

function drawSoon() {
  if (!panel) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => draw(false), PAUSE);
}

async function draw(open) {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "tkid" || !client?.isRunning()) return;
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const asked = { command: POSITION, arguments: [uri, editor.selection.active.line] };
  show(await client.sendRequest("workspace/executeCommand", asked), open);
}

function show(answer, open) {
  if (!answer) {
    if (open) vscode.window.showInformationMessage("There is no position yet: the header or the set-up has mistakes.");
    return;
  }
  if (!panel) {
    if (!open) return;
    panel = vscode.window.createWebviewPanel("tkid.position", "Position", {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    panel.onDidDispose(() => (panel = undefined));
  }
  const picture = Buffer.from(answer.svg).toString("base64");
  panel.title = answer.turn ? `After turn ${answer.turn}` : "Start";
  panel.webview.html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>body { margin: 0 } img { width: 100%; max-width: 40rem; display: block; margin: auto }</style></head>
<body><img src="data:image/svg+xml;base64,${picture}" alt="${escaped(answer.title)}"></body></html>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

module.exports = { activate, deactivate };
