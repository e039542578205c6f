// Checks of files that are not open, in a worker of its own: an edit never waits for them.
import { Remote } from "./remote.js";

const MEMORY = 4; // gigabytes of a device with room for a second Python

export class Background {
  #page; #own = null; #known = new Map(); // names of files and their texts there
  #game = "";

  constructor(page) {
    this.#page = page;
  }

  /** The answer of `check_file` for a file, among all files of a game as they are edited now. */
  async check(game, files, { name, text }) {
    const remote = this.#remote();
    if (remote !== this.#page.remote) await this.#sent(remote, game, files);
    return remote.call("check_file", { name, text, lang: this.#page.lang() });
  }

  /** Sends what is edited. */
  async #sent(remote, game, files) {
    if (game !== this.#game) for (const one of await remote.call("files", { game })) this.#known.set(one.name, one.text);
    this.#game = game;
    for (const { name, text, readonly } of files.filter((one) => one.text !== this.#known.get(one.name))) {
      if (!readonly) await remote.call("keep_file", { name, text });
      this.#known.set(name, text);
    }
  }

  /** Python of its own, or that of the page on small devices. */
  #remote() {
    if ((navigator.deviceMemory ?? MEMORY) < MEMORY || navigator.hardwareConcurrency < 2) return this.#page.remote;
    return (this.#own ??= new Remote((step, message) => step === "failed" && this.#page.fail({ message })));
  }

  stop() {
    this.#own?.stop();
    this.#own = null;
    this.#known.clear();
    this.#game = "";
  }
}
