import type { Description, State } from "./game.js";
import type { Scene } from "./view.js";

/** `<ftk-table>`. Each source is the address of a file, or what it holds. */
export class FtkTable extends HTMLElement {
  module: string | ArrayBuffer | WebAssembly.Module;
  description: string | Description;
  scene: string | Scene;
  /** The log of `ftk play --log`, or null. */
  log: string | null;
  /** The seats that people play, from 0. */
  readonly people: number[];
  /** The state that is shown; null before it is loaded. */
  readonly state: State | null;
  /** Plays choices on, of the log or of bots, up to the choice of a person; a negative number takes choices back. */
  step(n?: number): Promise<void>;
  choose(seat: number, action: number): void;
}

export interface FtkTableEvents {
  "ftk-choice": CustomEvent<{ seat: number; action: number; text: string }>;
  "ftk-over": CustomEvent<{ ranking: number[]; scores: number[] }>;
}

declare global {
  interface HTMLElementTagNameMap {
    "ftk-table": FtkTable;
  }
}
