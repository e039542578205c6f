import type { Game, State } from "./game.js";

/** The file GAME-N.scene.json: docs/wasm.md describes it. */
export interface Scene {
  format: 1;
  game: string;
  title: string;
  lang: string;
  players: string[];
  [part: string]: unknown;
}

/** What a seat may know of a position. `next` are the seats to act. */
export interface Position {
  zones: { zone: number; size: number; faces: (number | null)[]; seen: boolean }[];
  values: Record<string, Record<number, number | null>>;
  next: number[];
  over: boolean;
}

/** An action in the words of a scene, with its parts, which lie on the table. */
export interface Action {
  action: number;
  text: string;
  kind: string;
  title: string;
  rule: string;
  parts: { name: string; type: string; at: number; word: string; label: string }[];
}

export function positionOf(state: State, scene: Scene, seat?: number | null): Position;
export function actionOf(game: Game, scene: Scene, action: number): Action;
