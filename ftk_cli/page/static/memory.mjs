// Writes memory.bin beside this file: the memory of Python once it has done some work, so that browsers need not do it.
// `ftk page` runs it: `node memory.mjs ARCHIVE`, with an archive of one game, which is not in gzip; without it, the archive
// beside this file is read. python.mjs restores the memory.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { begun, kept } from "./python.mjs";

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const [given] = process.argv.slice(2);
const archive = given ? await readFile(given) : gunzipSync(await readFile(beside("ftk.bin")));
const python = await begun(loadPyodide, beside("pyodide/"), new Uint8Array(archive).buffer, { keeps: true });
python.runPython("from ftk_cli.page.warm import warm; warm()");
await writeFile(beside("memory.bin"), gzipSync(kept(python)));
