// Python in a worker. The page sends {id, call, args}; the answer is {id, result} or {id, error}.
// While Python loads, the worker sends {step} for each step.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { begun, inflated } from "./python.mjs";
import * as searches from "./searches.js";

const INDEX = new URL("pyodide/", import.meta.url).href;

const fetched = async (name) => {
  const found = await fetch(new URL(name, import.meta.url));
  return found.ok ? found.arrayBuffer() : null;
};

/** The memory of a Python that has begun, null if the page has none. */
async function remembered() {
  const packed = await fetched("memory.gz");
  return packed && inflated(packed, "gzip");
}

async function started() {
  const [archive, memory] = await Promise.all([fetched("ftk.zip"), remembered().catch(() => null)]);
  postMessage({ step: "loading_rules" });
  if (!memory) return begun(loadPyodide, INDEX, archive);
  return begun(loadPyodide, INDEX, archive, { memory }).catch(() => begun(loadPyodide, INDEX, archive)); // of another version
}

async function load() {
  postMessage({ step: "loading_python" });
  const python = await started();
  python.registerJsModule("ftk_searches", searches);
  python.runPython("from ftk_cli.page import searches; searches.attach()");
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
