/** ui/waiting.js: what a host who waits alone in an open room is offered. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { nothing } from "../state.js";
import { waiting } from "../ui/waiting.js";
import { button, withClass, words } from "./looking.js";

const seat = (player, bot = false) => ({ player, name: player, bot, ready: false, online: true, left: false });

function scene(room = {}, ui = {}) {
  const state = { ...nothing, you: { player: "a", name: "a", seat: 0 }, room: { code: "ABC234", title: "구십구", status: "waiting", public: true, spectators: true, autoStart: false, options: {}, seats: [seat("a"), null, null, null], minPlayers: 2, maxPlayers: 10, host: "a", watching: 0, games: 0, ...room } };
  const started = [];
  const ctx = { state, ui, game: null, redraw() {}, act: { startWithBots: (n) => started.push(n) } };
  return { draw: () => waiting(ctx), started, ui };
}

test("somebody who waits alone in an open room is told that others are looked for, and then offered bots", () => {
  const { draw, ui, started } = scene();
  assert.match(words(withClass(draw(), "seeking")[0]), /찾고 있어요/);
  assert.equal(button(draw(), "1명 더 있어야 해요").props.disabled, true);
  ui.seeksSince = performance.now() - 8001;
  const offer = withClass(draw(), "offer")[0];
  button(offer, "봇 2명과 시작").props.onclick();
  assert.deepEqual(started, [2]);
});

test("no more bots are offered than there are seats, and as many as the game needs", () => {
  const since = { seeksSince: -8001 };
  assert.match(words(withClass(scene({ seats: [seat("a"), null] }, since).draw(), "offer")[0]), /봇 1명/);
  assert.match(words(withClass(scene({ minPlayers: 4, seats: [seat("a"), null, null, null, null] }, since).draw(), "offer")[0]), /봇 3명/);
  assert.match(words(withClass(scene({ minPlayers: 4, seats: [seat("a"), seat("bot-1", true), null, null] }, since).draw(), "offer")[0]), /봇 2명/);
});

test("nobody is offered bots who waits for friends, or is not alone, or is not the host", () => {
  const since = { seeksSince: -8001 };
  for (const room of [{ public: false }, { seats: [seat("a"), seat("b"), null], minPlayers: 3 }, { host: "b", seats: [seat("a"), null] }, { seats: [seat("a"), seat("bot-1", true)] }]) {
    assert.equal(withClass(scene(room, { ...since }).draw(), "seeking").length, 0, JSON.stringify(room));
  }
});
