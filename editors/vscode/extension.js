// Starts `ftk lsp`. Everything else is the work of the language server.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

// A name such as `turn.keep` is one word, so that a double click takes all of it.
const NAME = /[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/u;

let client;

function folder() {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
}

function command() {
  const words = vscode.workspace.getConfiguration("ftk").get("command");
  const [program, ...args] = words.map((word) => word.replaceAll("${workspaceFolder}", folder()));
  return { command: program, args, options: folder() ? { cwd: folder() } : {} };
}

async function start() {
  const selector = [{ scheme: "file", language: "yaml" }];
  client = new LanguageClient("ftk", "ftk", command(), { documentSelector: selector });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`ftk lsp does not start: ${error.message}. Install it with: pip install 'ftk[lsp]'`);
  }
}

async function restart() {
  await deactivate();
  await start();
}

// The server sends places as its protocol has them; the editor wants its own objects.
function showReferences(uri, position, places) {
  const convert = client.protocol2CodeConverter;
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    convert.asUri(uri),
    convert.asPosition(position),
    places.map((place) => convert.asLocation(place)),
  );
}

// A task saves the files before it runs, and its terminal stays open after it. No shell reads the words.
function play([program, ...args]) {
  const execution = new vscode.ProcessExecution(program, args, { cwd: folder() });
  const task = new vscode.Task({ type: "ftk" }, vscode.TaskScope.Workspace, "play", "ftk", execution, []);
  task.presentationOptions = { focus: true, clear: true };
  return vscode.tasks.executeTask(task);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("ftk.showReferences", showReferences),
    vscode.commands.registerCommand("ftk.play", play),
    vscode.commands.registerCommand("ftk.restart", restart),
    vscode.languages.setLanguageConfiguration("yaml", { wordPattern: NAME }),
  );
  await start();
}

async function deactivate() {
  await client?.stop().catch(() => {}); // one that never started cannot be stopped
}

module.exports = { activate, deactivate };
