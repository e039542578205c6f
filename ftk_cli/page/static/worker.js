// Python in a worker. The page sends {id, call, args}; the answer is {id, result} or {id, error}.
// While Python loads, the worker sends {step} for each step.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import * as searches from "./searches.js";

const ROOT = "/ftk";

async function load() {
  postMessage({ step: "loading_python" });
  const archive = fetch(new URL("ftk.zip", import.meta.url)).then((found) => found.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  postMessage({ step: "loading_rules" });
  python.unpackArchive(await archive, "zip", { extractDir: ROOT });
  python.registerJsModule("ftk_searches", searches);
  python.runPython(`
import os, sys
sys.path.insert(0, "${ROOT}")
os.chdir("${ROOT}/project")
from ftk_cli.page import searches
searches.attach()
`);
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
