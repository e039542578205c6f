// Python in a worker. The page sends {id, call, args}; the answer is {id, result} or {id, error}.
// While Python loads, the worker sends {step} for each step.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { ARCHIVES, begun, inflated } from "./python.mjs";
import * as searches from "./searches.js";

const INDEX = new URL("pyodide/", import.meta.url).href;

/** The content of a file of the page, which gzip has packed; null if the page has none. */
async function fetched(name) {
  const found = await fetch(new URL(name, import.meta.url));
  return found.ok ? inflated(found.body) : null;
}

async function started() {
  const [memory, ...archives] = await Promise.all([fetched("memory.bin").catch(() => null), ...ARCHIVES.map(fetched)]);
  postMessage({ step: "loading_rules" });
  if (!memory) return begun(loadPyodide, INDEX, archives);
  return begun(loadPyodide, INDEX, archives, { memory }).catch(() => begun(loadPyodide, INDEX, archives)); // of other files
}

async function load() {
  postMessage({ step: "loading_python" });
  const python = await started();
  python.registerJsModule("ftk_searches", searches);
  python.runPython("import sys; from ftk_cli.page import searches; searches.attach(sys.ftk_version)");
  return python.pyimport("ftk_cli.page.calls").answer;
}

const loaded = load();
loaded.then(
  () => postMessage({ step: "ready" }),
  (error) => postMessage({ step: "failed", message: String(error) }),
);

onmessage = async ({ data: { id, call, args } }) => {
  try {
    const answer = await loaded;
    postMessage({ id, ...JSON.parse(answer(JSON.stringify({ call, args }))) });
  } catch (error) {
    postMessage({ id, error: { message: String(error), hint: "", findings: [] } });
  }
};
