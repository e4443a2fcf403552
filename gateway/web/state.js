/**
 * What this page knows of a room, as a value, and what each message makes of it. The server's word always replaces
 * ours: nothing here guesses what a move will do.
 */

import { held, released, wound } from "./net/countdown.js";

const LOG_KEPT = 3000; // a whole game, for what is told of it at its end

/** @typedef {import("./types/page").State} State */

/** @type {State} */
export const nothing = Object.freeze({
  link: "connecting", // connecting | open | lost | ended
  why: null, // what the server said when it sent us away to come again; until we are back
  lost: 0, // times that the link was lost since it was last open
  you: null,
  room: null,
  view: null,
  legal: [],
  decision: 0,
  seq: 0,
  clock: null,
  paused: null, // the server's Pause
  bye: null, // the server's last word
  pending: [], // what was sent and is not answered, or answered and not yet shown: {id, message, ackedAt}
  log: [], // {n, game, event}: what happened, oldest first
  logged: 0,
  sawAll: false, // the log holds the game from its beginning
  names: {}, // of everyone who ever had a seat here
  notice: null, // {n, text}: the newest thing to be said in passing
});

/**
 * The state after a message, at `now` on `performance.now()`'s clock.
 *
 * @param {State} state
 * @param {import("./types/page").Heard} message
 * @param {number} now
 * @returns {State}
 */
export function reduce(state, message, now) {
  switch (message.type) {
    case "welcome":
      return welcomed(state, message, now);
    case "update":
      return message.seq <= state.seq ? state : updated(state, message, now);
    case "presence":
      return { ...state, room: withPresence(state.room, message) };
    case "ack":
      return answered(state, message);
    case "reject":
      return refused(state, message);
    case "error":
      return noticed(state, message.message);
    case "pause":
      return { ...state, paused: message, clock: held(state.clock, now) };
    case "resume":
      return { ...state, paused: null, clock: released(state.clock, message.deadlineIn, now) };
    case "bye":
      return { ...state, link: "ended", bye: message, pending: [] };
    case "$sent":
      return { ...state, pending: [...state.pending, { id: message.id, message: message.message, ackedAt: null }] };
    case "$link":
      return linked(state, message);
    default:
      return state; // a newer server may say more than we know
  }
}

/** @param {State} state @param {import("./types/messages").Welcome} message @returns {State} */
function welcomed(state, message, now) {
  /** @type {State} */
  const fresh = { ...situated(state, message, now), link: "open", why: null, lost: 0, paused: null, you: message.you ?? null };
  if (!message.resumed) return { ...fresh, view: message.view ?? null, log: [], sawAll: false };
  return (message.missed ?? []).filter(({ seq }) => seq > state.seq).reduce((/** @type {State} */ at, { events }) => logged(at, events), fresh);
}

/** @param {State} state @param {import("./types/messages").Update} message */
function updated(state, message, now) {
  return logged(situated(state, message, now), message.events ?? []);
}

/**
 * What Welcome and Update share. Absent on the wire: legal is empty, decision 0, no deadline; the rest is as before.
 *
 * @param {State} state
 * @param {import("./types/messages").Welcome | import("./types/messages").Update} message
 * @returns {State}
 */
function situated(state, message, now) {
  const room = message.room ?? state.room;
  const another = room !== null && state.room !== null && room.games !== state.room.games;
  return {
    ...state,
    room,
    view: message.view ?? (another ? null : state.view),
    legal: message.legal ?? [],
    decision: message.decision ?? 0,
    seq: message.seq,
    clock: wound(state.clock, message.deadlineIn, now),
    log: another ? [] : state.log,
    sawAll: another || state.sawAll,
    names: message.room ? named(state.names, message.room) : state.names,
    pending: state.pending.filter(({ ackedAt }) => ackedAt === null || ackedAt > message.seq),
  };
}

/** What is done is shown as done only once the server has shown it, too. */
function answered(/** @type {State} */ state, { id, seq }) {
  if (seq <= state.seq) return { ...state, pending: without(state.pending, id) };
  const pending = state.pending.map((sent) => (sent.id === id ? { ...sent, ackedAt: seq } : sent));
  return { ...state, pending };
}

/** While the link is lost the countdown runs on, as it does at the server. */
function linked(/** @type {State} */ state, /** @type {{status: "connecting" | "lost", why?: string | null}} */ { status: link, why = null }) {
  if (link === "lost") return { ...state, link, why: why ?? state.why, lost: state.lost + 1 };
  return state.link === "lost" ? state : { ...state, link };
}

/** @param {State} state @param {any[]} events @returns {State} */
function logged(state, events) {
  const game = (state.room?.games ?? 1) - 1;
  const added = events.map((event, i) => ({ n: state.logged + i + 1, game, event }));
  const log = [...state.log, ...added];
  return { ...state, log: log.slice(-LOG_KEPT), logged: state.logged + added.length, sawAll: state.sawAll && log.length <= LOG_KEPT };
}

/** Says why not; but not of what the page has said by itself, of which its person knows nothing. */
function refused(/** @type {State} */ state, { id, message }) {
  const unasked = state.pending.some((sent) => sent.id === id && ["pledge", "lend"].includes(sent.message.type));
  const rest = { ...state, pending: without(state.pending, id) };
  return unasked ? rest : noticed(rest, message);
}

function noticed(state, text) {
  return { ...state, notice: { n: (state.notice?.n ?? 0) + 1, text } };
}

function named(names, room) {
  const seated = room.seats.filter(Boolean).map(({ player, name }) => [player, name]);
  return { ...names, ...Object.fromEntries(seated) };
}

function withPresence(room, { player, online, watching }) {
  const seats = room.seats.map((seat) => (seat?.player === player ? { ...seat, online } : seat));
  return { ...room, seats, watching };
}

const without = (pending, id) => pending.filter((sent) => sent.id !== id);

// ---------------------------------------------------------------- questions to a state

/** @param {State} state @param {string} player @returns {string} */
export const nameOf = (state, player) => state.names[player] ?? (player === state.you?.player ? state.you.name : player);

/** @param {State} state @returns {number} */
export const mySeat = (state) => state.room?.seats.findIndex((seat) => seat?.player === state.you?.player) ?? -1;

/**
 * Someone's seat and its number; of someone who has left, what is still known, and −1.
 *
 * @param {State} state
 * @param {string} player
 * @returns {{seat: import("./types/page").SeatInfo, index: number}}
 */
export function seatOf(state, player) {
  const seats = state.room?.seats ?? [];
  const index = seats.findIndex((seat) => seat?.player === player);
  const gone = { player, name: nameOf(state, player), bot: false, ready: false, online: true, left: true };
  return { seat: seats[index] ?? gone, index };
}

/** @param {State} state */
export const amHost = (state) => state.you !== null && state.room?.host === state.you.player;

/** The move that is on its way, if any. @param {State} state */
export const pendingAction = (state) =>
  state.pending.find(({ message }) => message.type === "action")?.message.action ?? null;

/** @param {State} state @param {string} type */
export const isPending = (state, type) => state.pending.some(({ message }) => message.type === type);

/** A sentence of the server's in which ids stand for people. In one go: a name may look like an id, too. */
export function withNames({ names }, text) {
  const ids = Object.keys(names).sort((a, b) => b.length - a.length).map((id) => id.replace(/[^\w-]/g, "\\$&"));
  return ids.length > 0 ? text.replace(new RegExp(ids.join("|"), "g"), (id) => names[id]) : text;
}
