/**
 * 다시 보기: a finished game as the server tells it to one viewer (a `Tape`), and what stands on the table after one of
 * its steps. Pure. A table draws such a state as it draws any other; in it nothing is asked, so nothing is legal.
 */

import { nothing } from "./state.js";

const QUICKEST = 550; // ms for a step, at the usual speed
const SLOWEST = 2200; // longer thoughts are cut short

export const SPEEDS = [0.5, 1, 2, 4];

/** Events that begin something in every game that has them; a table's own `chapter` says more. */
const BEGINNINGS = { roundStarted: (e) => `${e.round}라운드`, handStarted: (e) => `${e.hand ?? e.number ?? e.round ?? ""}판`.trim() };

export const anyChapter = (event) => (Object.hasOwn(BEGINNINGS, event.type) ? BEGINNINGS[event.type](event) : null);

/**
 * @param {import("./types/page").Tape} tape
 * @param {number} at
 * @param {{code: string, title: string}} room
 * @returns {import("./types/page").TableState}
 */
export function stateAt(tape, at, room) {
  const last = at === tape.frames.length - 1;
  const names = Object.fromEntries(tape.players.map(({ player, name }) => [player, name]));
  const seats = seatsOf(tape);
  const viewer = tape.viewer ?? "";
  const log = told(tape)[at];
  return {
    ...nothing,
    link: "open",
    you: { player: viewer, name: names[viewer] ?? "", seat: viewer ? seats.findIndex((seat) => seat?.player === viewer) : null },
    room: {
      id: tape.room, game: tape.game, status: last ? "finished" : "playing", seats, host: null, games: tape.number + 1, watching: 0, options: {},
      public: false, spectators: true, autoStart: false, locked: false, invite: "", minPlayers: tape.players.length, maxPlayers: seats.length, ...room,
    },
    view: tape.frames[at].view,
    seq: tape.frames[at].seq,
    log,
    logged: log.length,
    names,
  };
}

/** As they sat: free seats too, for people's colours go by their seats. */
const seatsOf = perTape(({ players }) => {
  const seats = Array(Math.max(...players.map(({ seat }) => seat)) + 1).fill(null);
  for (const { player, name, seat, bot } of players) seats[seat] = { player, name, bot, ready: false, online: true, left: false };
  return seats;
});

/** The log at each step. Its lines are the same objects in all of them, so that they are described and drawn once. */
const told = perTape((tape) => {
  let n = 0;
  const lines = tape.frames.flatMap(({ events }) => events).map((event) => ({ n: ++n, game: tape.number, event }));
  let end = 0;
  return tape.frames.map(({ events }) => lines.slice(0, (end += events.length)));
});

function perTape(make) {
  const made = new WeakMap();
  return (tape) => made.get(tape) ?? (made.set(tape, make(tape)), made.get(tape));
}

/** How long step `at` stands before the next one comes: the rhythm in which it was played, without its long thoughts. */
export function pause(tape, at, speed) {
  const { frames } = tape;
  const played = frames[Math.min(at + 1, frames.length - 1)].at - frames[at].at;
  return Math.max(QUICKEST, Math.min(SLOWEST, played)) / speed;
}

/** Where one may jump to: each with its step. @param {import("./types/page").Table["chapter"]} chapter */
export function chapters(tape, chapter = anyChapter) {
  const names = Object.fromEntries(tape.players.map(({ player, name }) => [player, name]));
  return tape.frames.flatMap(({ events }, at) => events
    .map((event) => ({ at, title: chapter(event, (player) => names[player] ?? player) }))
    .filter(({ title }) => title));
}

/** The chapter in which step `at` lies: the last that began at or before it; −1 before the first. */
export const chapterAt = (list, at) => list.findLastIndex((one) => one.at <= at);
