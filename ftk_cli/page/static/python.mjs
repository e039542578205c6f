// Python with ftk: begun from its archive, or restored from the memory that memory.mjs has kept of one that has done some work.
/** The archives of the page, in gzip. */
export const ARCHIVES = ["program.bin", "games.bin"];
const ROOT = "/ftk";
const PAGE = 65536; // bytes by which memory grows

/** Python with the files of archives. `memory`, if any, is that of a Python that had the same files. */
export async function begun(loadPyodide, indexURL, archives, { memory = null, keeps = false } = {}) {
  const restored = memory && { _loadSnapshot: memory, _snapshotDeserializer: read, createPyodideModule: await grown(indexURL) };
  const python = await loadPyodide({ indexURL, _makeSnapshot: keeps, ...restored });
  const files = archives.flatMap((archive) => [...unpacked(archive)]);
  for (const folder of new Set(files.map(([name]) => `${ROOT}/${name}`.replace(/\/[^/]*$/, "")))) python.FS.mkdirTree(folder);
  for (const [name, content] of files) python.FS.writeFile(`${ROOT}/${name}`, content, { canOwn: true });
  python.runPython(`
import importlib, os, sys
if "${ROOT}" not in sys.path:
    sys.path.insert(0, "${ROOT}")
importlib.invalidate_caches()
os.chdir("${ROOT}/project")
version = open("${ROOT}/version").read()
if getattr(sys, "ftk_version", version) != version:
    raise RuntimeError("the memory is that of other files")
sys.ftk_version = version
`);
  return python;
}

/** The memory of Python. Of JavaScript it may hold what the stand-in of the library regex does: texts and patterns. */
export const kept = (python) => python.makeMemorySnapshot({ serializer: written });

function written(value) {
  if (value instanceof String) return { text: String(value) };
  if (value instanceof RegExp) return { source: value.source, flags: value.flags };
  if (value === RegExp.prototype.exec) return { exec: true };
  throw new Error(`Python holds what cannot be kept: ${value}`);
}

function read({ text, source, flags, exec }) {
  if (exec) return RegExp.prototype.exec;
  return text === undefined ? new RegExp(source, flags) : Object(text);
}

/** Makes the module of Pyodide with as much memory as is restored: its settings alone do not. */
async function grown(indexURL) {
  const { default: create } = await import(`${indexURL}pyodide.asm.mjs`);
  return (settings) => {
    const make = settings.instantiateWasm;
    settings.instantiateWasm = (imports, done) => make(imports, (instance, module) => {
      const { memory } = instance.exports;
      memory.grow(Math.max(0, Math.ceil((settings.INITIAL_MEMORY - memory.buffer.byteLength) / PAGE)));
      return done(instance, module);
    });
    return create(settings);
  };
}

/** The files of a zip archive without folders, as names and contents: they are not packed one by one, which is slow to undo. */
function* unpacked(archive) {
  const view = new DataView(archive);
  const text = new TextDecoder();
  const end = archive.byteLength - 22; // the record at the end, which has no comment
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left; left -= 1) {
    const [length, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const content = new Uint8Array(archive, start, view.getUint32(at + 24, true));
    yield [text.decode(new Uint8Array(archive, at + 46, length)), content];
    at += 46 + length + extra + comment;
  }
}

/** The content of bytes that gzip has packed. */
export function inflated(stream) {
  return new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
