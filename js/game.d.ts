/** A game as WebAssembly, made by `ftk compile GAME --target wasm`. Seats count from 0. */

/** The JSON beside a module. */
export interface Description {
  format: 2;
  game: string;
  version: string;
  digest: string;
  title: string;
  players: number;
  rulings: Record<string, string>;
  /** Where the parts of a state begin, in bytes; `bytes` is its size, `room` that of a zone in cards. */
  state: Record<
    | "registers" | "random" | "sizes" | "place" | "player" | "count" | "asked" | "chosen" | "legal" | "zones"
    | "room" | "bytes",
    number
  >;
  numbers: { absent: number; limit: number; over: number; together: number };
  values: Record<string, { register: number; title: string; holds: string; words?: string[] }>;
  zones: Record<string, { number: number; title: string }>;
  /** The face of every card. */
  cards: number[];
  faces: string[];
  rules: string[];
  actions: {
    count: number;
    options: {
      first: number;
      size: number;
      rule: string;
      title: string;
      says: string;
      picks: { name: string; size: number; words: number; ranks?: number[][] }[];
    }[];
    words: string[][];
  };
  result: { ranks: number | null; scores: number | null; returns: number[] | null; columns: string[] };
}

export class Game {
  static load(module: BufferSource | WebAssembly.Module, description: Description): Promise<Game>;
  readonly description: Description;
  readonly players: number;
  newState(seed: number | bigint): State;
  playGames(seed: number | bigint, first: number, count: number): Record<string, BigInt64Array>;
  actionToString(action: number): string;
  ruleOfAction(action: number): string | undefined;
  cardName(card: number): string;
}

export class State {
  readonly game: Game;
  /** The seat to act; -2 in a secret choice of several seats, -1 at the end. */
  readonly player: number;
  isTerminal(): boolean;
  deciders(): number[];
  legalActions(seat?: number): number[];
  /** Carries out a legal action. Throws RangeError for another; the state is then unchanged. */
  apply(action: number, seat?: number): this;
  rollout(seed: number | bigint): this;
  clone(): State;
  value(name: string): number | null;
  zone(name: string): number[];
  ranking(): number[];
  scores(): number[];
  returns(): number[];
}
