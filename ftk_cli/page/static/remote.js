// Calls of Python functions in the worker, one after the other.

/** What a call could not do: a message, a hint and findings. */
export class Refused extends Error {
  constructor({ message, hint, findings }) {
    super(message);
    Object.assign(this, { hint, findings });
  }
}

export class Remote {
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  #waiting = new Map();
  #last = 0;

  /** `onStep` receives the name of every step of loading; the last is "ready" or "failed". */
  constructor(onStep) {
    this.#worker.onmessage = ({ data }) => ("id" in data ? this.#settle(data) : onStep(data.step, data.message));
    this.#worker.onerror = (event) => onStep("failed", event.message);
  }

  /** The result of a Python function (see ftk_cli/page/calls.py). Rejects with Refused. */
  call(name, args = {}) {
    const id = ++this.#last;
    this.#worker.postMessage({ id, call: name, args });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Ends the worker; calls that wait are never answered. */
  stop() {
    this.#worker.terminate();
  }

  #settle({ id, result, error }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Refused(error));
    else resolve(result);
  }
}
