/** A table drawn from a scene and positions: see docs/looks.md and README.md. */
import type { Position, Scene } from "./view.js";

/** What a click on a thing does, and its words. */
export interface Option {
  text: string;
  act: () => void;
  /** What it is to a choice of several things: free to be picked, chosen already, where what is chosen can go, or another thing in its place. */
  is?: "free" | "chosen" | "target" | "other";
  /** What is taken there, as keys of a type and a number. */
  takes?: string[];
  /** Whether something else is picked after it. */
  goesOn?: boolean;
}

export interface Given {
  /** Who looks, from 0; null for an observer. */
  seat?: number | null;
  /** What a click on a thing does, null for nothing: `type` is card, player, zone, an enum or the steps of a track; a card is a face in a zone. */
  at?: (type: string, index: number, zone?: number) => Option | null;
  /** What the Escape key does. */
  release?: () => void;
  /** Squares whose pieces are in danger, as keys of a type and a number. */
  threatened?: Set<string>;
  /** Numbers of zones and names of values that are marked. */
  lit?: Set<number | string>;
  /** An earlier position: what differs from it is tinted. */
  since?: Position;
  /** A word beside the name of each player. */
  people?: string[];
  /** The words of the interface; without it they are English. */
  words?: (key: string, values?: Record<string, string | number>) => string;
}

export interface Move {
  from: number;
  to: number;
  /** Faces; null for one that is not known. */
  faces: (number | null)[];
}

export function drawTable(scene: Scene, position: Position, given?: Given): HTMLElement;
export function colourOf(scene: Scene, seat: number): { colour: string; ink: string };
export function moves(scene: Scene, before: Position, after: Position): Move[];
export function changes(scene: Scene, before: Position, after: Position): Set<number | string>;
/** Where the zones and cards of a table are drawn, for `animate` once it is drawn anew. */
export function placesOf(root: Element): Map<number | string, unknown>;
/** Cards fly to where they lie now, unless the reader wants no motion; in `duration` milliseconds, 0 for no flight. */
export function animate(
  root: Element,
  scene: Scene,
  before: Position,
  after: Position,
  was?: ReturnType<typeof placesOf> | null,
  duration?: number,
): Promise<void>;
