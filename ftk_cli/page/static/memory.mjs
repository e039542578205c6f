// Writes the memory of Python once it has done some work, so that browsers need not do it. `ftk page` runs it:
// `node memory.mjs ARCHIVE FILE`, with an archive of one game, which is not in gzip. Without them, the archives beside this
// file are read, and memory.bin is written there. python.mjs restores the memory.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { ARCHIVES, begun, kept } from "./python.mjs";

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const [given, file = beside("memory.bin")] = process.argv.slice(2);
const read = given ? [readFile(given)] : ARCHIVES.map(async (name) => gunzipSync(await readFile(beside(name))));
const archives = (await Promise.all(read)).map((archive) => new Uint8Array(archive).buffer);
const python = await begun(loadPyodide, beside("pyodide/"), archives, { keeps: true });
python.runPython("from ftk_cli.page.warm import warm; warm()");
await writeFile(file, gzipSync(kept(python)));
