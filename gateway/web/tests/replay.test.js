/** replay.js: what stands on the table after a step, and how long it stands. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { chapterAt, chapters, pause, stateAt } from "../replay.js";

const frame = (seq, at, events, view) => ({ seq, at, events, view });
const TAPE = {
  room: "r", game: "g", number: 1, stateVersion: 2, viewer: "a", result: {},
  players: [{ player: "a", name: "지호", seat: 3, bot: false }, { player: "bot-1", name: "봇 1", seat: 0, bot: true }],
  frames: [
    frame(4, 0, [{ type: "roundStarted", round: 1 }], { total: 0 }),
    frame(5, 700, [{ type: "cardPlayed", player: "a" }], { total: 5 }),
    frame(6, 60_700, [{ type: "cardPlayed", player: "bot-1" }, { type: "roundStarted", round: 2 }], { total: 0 }),
  ],
};
const ROOM = { code: "ABC234", title: "구십구" };

test("a step shows its own view, and the log up to it", () => {
  const state = stateAt(TAPE, 1, ROOM);
  assert.deepEqual(state.view, { total: 5 });
  assert.deepEqual(state.log.map(({ event }) => event.type), ["roundStarted", "cardPlayed"]);
  assert.equal(state.room.status, "playing");
  assert.equal(stateAt(TAPE, 2, ROOM).room.status, "finished");
});

test("everybody sits where they sat, so that they have the same colours", () => {
  const state = stateAt(TAPE, 1, ROOM);
  assert.deepEqual(state.room.seats.map((seat) => seat?.player ?? null), ["bot-1", null, null, "a"]);
  assert.deepEqual(state.room.seats.map((seat) => seat?.bot ?? null), [true, null, null, false]);
  assert.equal(state.you.seat, 3);
});

test("nothing is asked in a replay, and no clock runs", () => {
  for (const at of [0, 1, 2]) {
    const { legal, decision, clock, pending } = stateAt(TAPE, at, ROOM);
    assert.deepEqual([legal, decision, clock, pending], [[], 0, null, []]);
  }
});

test("it is seen by whoever the server tells it to; a spectator has no seat", () => {
  assert.equal(stateAt(TAPE, 0, ROOM).you.player, "a");
  const watched = stateAt({ ...TAPE, viewer: null }, 0, ROOM);
  assert.deepEqual([watched.you.player, watched.you.seat], ["", null]);
});

test("it goes in the rhythm in which it was played, without the long thoughts, and faster if wished", () => {
  assert.equal(pause(TAPE, 0, 1), 700);
  assert.equal(pause(TAPE, 1, 1), 2200);
  assert.equal(pause(TAPE, 1, 4), 550);
  assert.equal(pause(TAPE, 2, 1), 550);
});

test("chapters begin at the steps that hold their events", () => {
  const list = chapters(TAPE);
  assert.deepEqual(list, [{ at: 0, title: "1라운드" }, { at: 2, title: "2라운드" }]);
  assert.deepEqual([0, 1, 2].map((at) => chapterAt(list, at)), [0, 0, 1]);
  assert.equal(chapterAt(chapters(TAPE, () => null), 2), -1);
});
