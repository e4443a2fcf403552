/** What the operators' API answers (`cluster/operators.py`), and what the page makes of it. */

export interface Vitals {
  sessions?: number;
  paused?: number;
  cpu?: number | null;
  memoryTotal?: number | null;
  memoryFree?: number | null;
  diskTotal?: number | null;
  diskFree?: number | null;
}

/** A room on the map: its code, its state, how many people are connected. */
export type Cell = [code: string, state: string, online: number];

export interface OneNode {
  node: string;
  pid: number;
  rooms: number;
  spares: number;
  wanted: number;
  starting: number;
  processes: number;
  limit: number;
  draining: boolean;
  full?: boolean;
  version?: string;
  metrics: string;
  vitals: Vitals;
  cells: Cell[];
}

export interface Gateway {
  name: string;
  sockets?: number;
  limit?: number;
  draining?: boolean;
  pid?: number;
  version?: string;
}

export interface Overview {
  at: number;
  up: number;
  version: string;
  chaos: boolean;
  ready: boolean;
  rooms: number;
  online: number;
  states: Record<string, number>;
  games: Record<string, number>;
  nodes: OneNode[];
  nowhere: Cell[];
  cellsLeftOut: number;
  gateways: Gateway[];
}

export type Column = (number | null)[];

export interface Charts {
  step: number;
  since: number;
  turns: Column;
  p50: Column;
  p99: Column;
  slow: Column;
  timeouts: Column;
  recoveries: Column;
  sessions: Column;
  games: string[];
}

export interface Someone {
  player: string;
  name: string;
  seat?: number | null;
  bot?: boolean;
  online?: boolean;
  left?: boolean;
}

export interface RoomRow {
  id: string;
  code: string;
  game: string;
  state: string;
  status: string;
  epoch: number;
  node: string | null;
  pid: number | null;
  process: string | null;
  seqHeard: number;
  seats: number;
  taken: number;
  online: number;
  games: number;
  public: boolean;
  host: string;
  people: Someone[];
  created: number;
  parked: boolean;
  stranded: string | null;
  quarantined: string | null;
}

export interface Owner {
  epoch: number;
  seq: number;
  wall: number;
  name: string;
}

export interface Room extends RoomRow {
  owners: Owner[];
  seq: number;
  options: Record<string, any>;
  deaths: number;
  fault: string | null;
}

export interface Verdict {
  game: string | null;
  entries: number;
  replayed: number;
  why: string | null;
}

export interface Line {
  seq: number;
  epoch: number;
  at: number;
  kind: string;
  fact: Record<string, any>;
  hidden?: string[];
  who?: string | null;
  id?: string | null;
  digest: string;
  events?: (Record<string, any> & { type: string })[] | null;
}

export interface Inspection {
  verdict: Verdict;
  seq: number;
  at: number;
  lobby: Record<string, any> | null;
  view: Record<string, any> | null;
  asked: string[];
  deadlineIn: number | null;
  lines: Line[];
}

export interface Deed {
  at: number;
  what: string;
  by: string;
  room: string | null;
  node: string | null;
  outcome: string;
  times: number;
}

/** Something that whoever is on call should look at. */
export interface Finding {
  grave: boolean;
  text: string;
  runbook: string;
  href?: string;
}

/** What is asked before something is done. */
export interface Question {
  title: string;
  text: string;
  yes: string;
  danger?: boolean;
  typed?: string; // what must be typed first
  choices?: { value: string; text: string }[];
  then: (choice: string) => Promise<void>;
}

export interface Filters {
  q: string;
  state: string;
  game: string;
  node: string;
}

export interface Route {
  page: "overview" | "rooms" | "room" | "audit";
  room: string;
  filters: Filters;
}

export interface Model {
  token: string;
  operator: string;
  signing: boolean;
  refused: string;
  route: Route;
  overview: Overview | null;
  heard: number; // performance.now() of the last answer; 0: none yet
  silent: string; // why there is none now
  charts: Charts | null;
  game: string;
  minutes: number; // 0: nobody has chosen
  cursor: number | null; // the point of all charts that is looked at
  pointed: string; // what the map says of the room under the pointer
  rooms: { rooms: RoomRow[]; total: number } | null;
  shown: number; // rows of them
  room: Room | null;
  seen: Inspection | null;
  missing: string; // why there is no such room
  unread: string; // why its log cannot be replayed at all
  seq: number | null; // the entry after which it is looked at; null: the last
  first: number | null; // the first entry of the list; null: the last ones
  opened: number | null; // the entry that is unfolded
  revealed: Record<number, any>;
  verdict: (Verdict & { ok: boolean }) | null;
  deeds: Deed[] | null;
  reading: string; // the alert whose page is open
  runbooks: Record<string, string> | null; // Markdown, by alert
  question: Question | null;
  answer: string;
  busy: boolean;
}
