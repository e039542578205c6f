// Runs Python code in Pyodide, in Node: `node pyodide.mjs FOLDER-OF-PYODIDE ARCHIVE FILE`. Prints what the code returns.
// The modules of searches are in the folder of the archive.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, archive, file] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder + path.sep });
const site = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip", { extractDir: site });
globalThis.location = pathToFileURL(archive);
globalThis.XMLHttpRequest = class {
  open(method, url) {
    this.file = fileURLToPath(url);
  }

  send() {
    this.status = fs.existsSync(this.file) ? 200 : 404;
    if (this.status === 200) this.response = new Uint8Array(fs.readFileSync(this.file)).buffer;
  }
};
const searches = fs.readFileSync(new URL("../../ftk_cli/page/static/searches.js", import.meta.url), "base64");
python.registerJsModule("ftk_searches", await import(`data:text/javascript;base64,${searches}`));
python.runPython(`import importlib, os; importlib.invalidate_caches(); os.chdir("${site}/project")`);
console.log(python.runPython(fs.readFileSync(file, "utf8")));
