/**
 * The shapes that the page's modules hand each other. What comes over the wire is in `messages.d.ts`, which is made from
 * the server's own types; nothing of it is written again here.
 */

import type { Ack, Bye, Entrance, Error, Issued, Online, Pause, Pong, Reject, Resume, RoomInfo, RoomSummary, GameInfo, SeatInfo, Update, Welcome, You } from "./messages";

export type Json = Record<string, any>;
export type Action = Json;
export type Event = Json & { type: string };

// ---------------------------------------------------------------- what the page knows of a room

export interface Clock {
  until: number;
  whole: number;
  held: number | null;
}

export interface Sent {
  id: string;
  message: Json & { type: string };
  ackedAt: number | null;
}

export interface State {
  readonly link: "connecting" | "open" | "lost" | "ended";
  readonly why: string | null;
  readonly lost: number;
  readonly you: You | null;
  readonly room: RoomInfo | null;
  readonly view: Json | null;
  readonly legal: readonly Action[];
  readonly decision: number;
  readonly seq: number;
  readonly clock: Clock | null;
  readonly paused: Pause | null;
  readonly bye: Bye | null;
  readonly pending: readonly Sent[];
  readonly log: readonly { n: number; game: number; event: Event }[];
  readonly logged: number;
  readonly sawAll: boolean;
  readonly names: Readonly<Record<string, string>>;
  readonly notice: { n: number; text: string } | null;
}

/** What `reduce` takes: the server's messages, and two of our own. */
export type Heard =
  | Welcome | Update | Ack | Reject | Online | Pause | Resume | Bye | Error | Pong
  | { type: "$sent"; id: string; message: Json & { type: string } }
  | { type: "$link"; status: "connecting" | "lost"; why?: string };

// ---------------------------------------------------------------- a table

/** The state of a room whose table is shown: there is a room, a view, and somebody who looks. */
export interface TableState extends State {
  readonly you: You;
  readonly room: RoomInfo;
  readonly view: Json;
}

export interface TableContext {
  state: TableState;
  /** The table's own memory (which card is picked); emptied with each game. */
  ui: Json;
  /** The lobby's entry of the game; null until it is here. */
  game: GameInfo | null;
  /** A finished game is being watched again: nothing is legal, and no clock runs. */
  replay: boolean;
  act: {
    /** Does one of `legal`, its ranges filled in. */
    play(action: Action): void;
    /** Says something in passing: why a thing cannot be done. */
    hint(text: string): void;
    /** A sound, without waiting for the server: a card that was picked up. */
    sound(name: string): void;
  };
  redraw(): void;
}

export type Name = (player: string) => string;

/** What `tables/<id>.js` exports. All but the first two may be left out. */
export interface Table {
  table(ctx: TableContext): VNode;
  /** A line for the log; null: not worth one. */
  describe(event: Event, name: Name, view?: Json): string | null;
  /** Which sound goes with an event (`ui/sound.js`). */
  sound?(event: Event, me: string): string | null;
  /** Where one may jump to in a replay: what begins with this event. */
  chapter?(event: Event, name: Name): string | null;
  /** What a newcomer should know just now, one after the other; each is shown until it has been read once. */
  hints?(state: TableState): Hint[];
  /** The lines of the result sheet beside a player's name: "목숨 −2". */
  score?(line: Json, view: Json): string | null;
  /** Below the ranking of a finished game: what it was, and which. `events` are all of the game; null: some were missed. */
  details?(view: Json, name: Name, events: Event[] | null): [string, string][];
}

export interface Hint {
  id: string;
  text: string;
}

// ---------------------------------------------------------------- rules/<id>.js

/** A game's rules in brief. `options` are those of the room, or {} in the lobby. */
export type Rules = (options: Json) => { lead: string; sections: RulesSection[] };

/** `presets` of rules/<id>.js, if it has any: options that go well together. */
export interface Preset {
  title: string;
  options: Json;
}

export interface RulesSection {
  title: string;
  /** A string is a paragraph, an array a list, `rows` a table with a head in its first column. */
  body: (string | string[] | { rows: string[][] })[];
}

// ---------------------------------------------------------------- drawing

export interface VNode {
  tag: string;
  props: Json;
  children: any[];
}

// ---------------------------------------------------------------- replays

/** GET /api/rooms/{id}/replay */
export interface Tape {
  room: string;
  game: string;
  number: number;
  stateVersion: number;
  players: { player: string; name: string; seat: number; bot: boolean }[];
  viewer: string | null;
  result: Json;
  frames: { seq: number; at: number; events: Event[]; view: Json }[];
}

export interface Replay {
  room: { id: string; code: string; game: string };
  number: number;
  tape: Tape | null;
  refusal: { code: string; message: string } | null;
  at: number;
  speed: number;
  playing: boolean;
  ui: Json;
}

/** GET /api/rooms/{id}/fairness: see FAIRNESS.md */
export interface Evidence {
  v: number;
  room: string;
  game: string;
  number: number;
  over: boolean;
  viewer: string | null;
  players: string[];
  names: Record<string, string>;
  silent: string[];
  seal: string;
  width: number;
  draws: number;
  pledges: Record<string, string>;
  numbers: Record<string, string>;
  lot: string;
  drawn: EvidenceDraw[];
  tree: any;
}

export interface EvidenceDraw {
  draw: number;
  what: string;
  count: number;
  items?: string[];
  taken?: (string | null)[];
  opened: { position: number; item: string; player: string | null; face: string }[];
}

export interface Preferences {
  sound: boolean;
  vibration: boolean;
  big: boolean;
  hints: boolean;
}

// ---------------------------------------------------------------- the page

export interface Link {
  say(message: Json & { type: string }): string;
  end(): void;
}

export interface Room {
  summary: RoomSummary;
  state: State;
  ui: Json;
  link: Link | null;
  /** The id of the `leave` that is on its way. */
  leaving: string | null;
  /** The token was renewed once already. */
  renewed: boolean;
  /** Our numbers for the deals. */
  lots: import("../fair/lots.js").Lots;
  /** By the game's number: the seal that was told us before it began, and what we opened for it. */
  seals: Record<number, { seal: string; lent: string | null }>;
}

/** What lies over the page: its kind, and whatever that needs. */
export type Sheet = Json & { kind: string };

export interface Model {
  me: Me;
  preferences: Preferences;
  lobby: Lobby;
  room: Room | null;
  replay: Replay | null;
  sheet: Sheet | null;
}

export interface Lobby {
  games: GameInfo[] | null;
  rooms: RoomSummary[] | null;
  error: string | null;
  busy: string | null;
  last: { id: string; code: string; title: string } | null;
  entrance: Entrance;
}

/** What every view is given. `act` is `app.js`'s: whatever can be done. */
export interface PageContext {
  me: Me;
  lobby: Lobby;
  act: Json;
  redraw(): void;
  plain: boolean;
  game: GameInfo | null;
  preferences: Preferences;
  watched: Replay | null;
  state: State | undefined;
  ui: Json | undefined;
}

/** The same for what is drawn of a room that we are in, and have heard of. */
export interface RoomContext extends PageContext {
  state: State & { you: You; room: RoomInfo };
  ui: Json;
  replay?: boolean;
}

export interface Me {
  name: string;
  token: string | null;
  player: string | null;
}

export type { GameInfo, Issued, RoomSummary, RoomInfo, SeatInfo, You };
