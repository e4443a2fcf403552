/**
 * The client protocol's messages and the bodies of the lobby's HTTP API. Made from the server's own types by
 * `python -m gateway.typings`; do not edit. A field with `?` has a default and is left out on the wire where it has it.
 */

/** Done, and kept. ``seq`` is the entry that holds it. */
export interface Ack {
  type: "ack";
  id: string;
  seq: number;
}

/** A move in the game. */
export interface Act {
  type: "action";
  id: string;
  decision: number;
  action: Record<string, any>;
}

/** Host: put a bot on a free seat. */
export interface AddBot {
  type: "addBot";
  id: string;
  seat?: number | null;
}

/** The last message before the server closes this socket. ``again``: worth connecting anew. */
export interface Bye {
  type: "bye";
  code: "bad_message" | "bad_token" | "bad_version" | "banned" | "closed" | "crowded" | "flood" | "idle" | "kicked" | "left" | "locked" | "not_public" | "overloaded" | "quarantined" | "replaced" | "room_full" | "room_not_found" | "shutdown" | "slow" | "too_big" | "unavailable" | "wrong_key";
  message: string;
  again?: boolean;
  after?: number;
  at?: string;
}

/** Host: close the room for everyone. */
export interface Close {
  type: "close";
  id: string;
}

/** What can be said before and after of a game whose deals can be checked (`gateway/FAIRNESS.md`). */
export interface DealInfo {
  seal: string;
  width: number;
  draws: number;
  pledges: Record<string, any>;
  numbers: Record<string, any>;
  awaited: string[];
  begun: boolean;
}

/** How people come in here; the answer of GET /api/account. */
export interface Entrance {
  guests: boolean;
  signIn: string;
}

/** A message that could not be understood, and had no usable id to reject. The connection stays. */
export interface Error {
  type: "error";
  code: string;
  message: string;
}

/** A game that can be played here. */
export interface GameInfo {
  id: string;
  title: string;
  minPlayers: number;
  maxPlayers: number;
  minutes: [number, number];
  options: Record<string, any>;
}

/** POST /api/guest */
export interface GuestWish {
  name: string;
}

/** The first message on a socket, within 10 s. Nothing else is accepted before its `Welcome`. */
export interface Hello {
  type: "hello";
  token: string;
  room: string;
  join?: "seat" | "watch";
  seq?: number | null;
  key?: string;
  pledge?: string | null;
  v?: number;
}

/** A new token, and what it says; the answer of POST /api/guest and /api/account. */
export interface Issued {
  token: string;
  player: string;
  name: string;
  expiresIn: number;
}

/** POST /api/join */
export interface JoinWish {
  code: string;
}

/** Host: remove a player, spectator or bot. A person who was kicked cannot come back into this room. */
export interface Kick {
  type: "kick";
  id: string;
  player: string;
}

/** Leave for good. During a game the documents say what is played for one who left. */
export interface Leave {
  type: "leave";
  id: string;
}

/** The number that was pledged, once the room's `deal` awaits it. Never for a second seal. */
export interface Lend {
  type: "lend";
  id: string;
  number: string;
}

/** What one missed step told this viewer. */
export interface Missed {
  seq: number;
  events: Record<string, any>[];
}

/** Somebody's connection came or went; ``watching`` is the number of spectators, of whom not each is told of. */
export interface Online {
  type: "presence";
  player: string;
  online: boolean;
  watching: number;
}

/** Host: make another seated person the host. */
export interface PassHost {
  type: "host";
  id: string;
  player: string;
}

/** The room cannot go on for a moment; its timers stand still.

``recovering``: what is sent is kept, and answered after `Resume`. ``storage``: it is refused as ``storage_down``,
to be sent again; only of what was being written just then the answer comes later, when it is known. */
export interface Pause {
  type: "pause";
  reason: "recovering" | "storage";
  message: string;
}

/** Is anybody there? For clients that cannot send WebSocket pings. */
export interface Ping {
  type: "ping";
  t?: number;
}

/** Add a number to the next game's deals; this is its hash (`gateway/FAIRNESS.md`), and falls with every start. */
export interface Pledge {
  type: "pledge";
  id: string;
  pledge: string;
}

/** The answer to Ping. */
export interface Pong {
  type: "pong";
  t: number;
}

/** POST /api/quick */
export interface QuickWish {
  game: string;
}

/** Say that one is (not) ready for the next game; after a game this is the call for a rematch. */
export interface Ready {
  type: "ready";
  id: string;
  ready?: boolean;
}

/** Not done; nothing changed. With ``retry`` the same message may be sent again later. */
export interface Reject {
  type: "reject";
  id: string;
  code: string;
  message: string;
  retry?: boolean;
}

/** The room goes on. After ``recovering`` a fresh `Welcome` has come just before. */
export interface Resume {
  type: "resume";
  deadlineIn?: number | null;
}

/** The room around the game, the same for everyone in it. */
export interface RoomInfo {
  id: string;
  code: string;
  game: string;
  title: string;
  status: "closed" | "finished" | "playing" | "waiting";
  public: boolean;
  spectators: boolean;
  autoStart: boolean;
  locked: boolean;
  invite: string;
  options: Record<string, any>;
  seats: (SeatInfo | null)[];
  minPlayers: number;
  maxPlayers: number;
  host: string | null;
  watching: number;
  games: number;
  deal?: DealInfo | null;
}

/** A line of the lobby's list. */
export interface RoomSummary {
  id: string;
  code: string;
  game: string;
  status: "closed" | "finished" | "playing" | "waiting";
  public: boolean;
  spectators: boolean;
  seats: number;
  taken: number;
  online: number;
  hostName: string;
  games: number;
  locked?: boolean;
}

/** POST /api/rooms */
export interface RoomWish {
  game: string;
  options?: Record<string, any>;
  public?: boolean;
  spectators?: boolean;
  autoStart?: boolean;
  password?: string;
  seats?: number | null;
  bots?: number;
}

/** One taken seat, as everyone sees it. */
export interface SeatInfo {
  player: string;
  name: string;
  bot: boolean;
  ready: boolean;
  online: boolean;
  left: boolean;
  pledge?: string;
}

/** Host: choose the game's options for the next game; ready marks fall. */
export interface SetOptions {
  type: "options";
  id: string;
  options: Record<string, any>;
}

/** Host: change who can find, watch or enter the room, and how it starts. Absent fields stay. */
export interface SetRoom {
  type: "room";
  id: string;
  public?: boolean | null;
  spectators?: boolean | null;
  autoStart?: boolean | null;
  seats?: number | null;
  password?: string | null;
}

/** Take a seat (the first free one where none is named). Only while the room is not playing. */
export interface Sit {
  type: "sit";
  id: string;
  seat?: number | null;
  pledge?: string | null;
}

/** Give the seat back and stay as spectator. Only while the room is not playing. */
export interface Stand {
  type: "stand";
  id: string;
}

/** Host: start the game. All other seated people must be ready. */
export interface Start {
  type: "start";
  id: string;
}

/** One entry of the room's log took effect: what happened, and how things stand now. */
export interface Update {
  type: "update";
  seq: number;
  room?: RoomInfo | null;
  view?: Record<string, any> | null;
  legal?: Record<string, any>[];
  decision?: number;
  deadlineIn?: number | null;
  events?: Record<string, any>[];
}

/** The answer to Hello, and again after the room had to move: the whole picture. */
export interface Welcome {
  type: "welcome";
  seq: number;
  room?: RoomInfo | null;
  view?: Record<string, any> | null;
  legal?: Record<string, any>[];
  decision?: number;
  deadlineIn?: number | null;
  you?: You;
  resumed?: boolean;
  missed?: Missed[];
  v?: number;
}

/** Who this connection is. */
export interface You {
  player: string;
  name: string;
  seat: number | null;
}

export type ClientMessage = Hello | Act | Sit | Stand | Ready | Pledge | Lend | Start | SetOptions | SetRoom | AddBot | Kick | PassHost | Leave | Close | Ping;

export type ServerMessage = Welcome | Update | Ack | Reject | Online | Pause | Resume | Bye | Error | Pong;
