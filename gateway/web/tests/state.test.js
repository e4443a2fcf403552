/** state.js: what each message makes of what the page knows. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { left } from "../net/countdown.js";
import { amHost, isPending, mySeat, nameOf, nothing, pendingAction, reduce, withNames } from "../state.js";

const seat = (player, more = {}) => ({ player, name: player.toUpperCase(), bot: false, ready: false, online: true, left: false, ...more });
const room = (more = {}) => ({ id: "r", code: "ABC234", game: "g", status: "playing", seats: [seat("a"), seat("b"), null], host: "a", watching: 0, games: 1, ...more });
const welcome = (more = {}) => ({ type: "welcome", seq: 5, room: room(), view: { total: 40 }, you: { player: "a", name: "A", seat: 0 }, ...more });
const after = (...messages) => messages.reduce((state, message) => reduce(state, message, message.now ?? 0), nothing);

test("a welcome is the whole picture", () => {
  const state = after(welcome({ legal: [{ type: "play" }], decision: 5, deadlineIn: 1000 }));
  assert.equal(state.link, "open");
  assert.equal(state.decision, 5);
  assert.equal(left(state.clock, 300), 700);
  assert.equal(mySeat(state), 0);
  assert.ok(amHost(state));
});

test("an update replaces what it names; absent legal and decision mean none, absent room and view mean as before", () => {
  const state = after(welcome({ legal: [{ type: "play" }], decision: 5, deadlineIn: 1000 }), { type: "update", seq: 6 });
  assert.deepEqual(state.legal, []);
  assert.equal(state.decision, 0);
  assert.equal(state.clock, null);
  assert.deepEqual(state.view, { total: 40 });
  assert.equal(state.room.code, "ABC234");
});

test("an update from before what is shown changes nothing", () => {
  const state = after(welcome());
  assert.equal(reduce(state, { type: "update", seq: 5, view: { total: 1 } }, 0), state);
});

test("a played card is pending until the server has shown it, whichever of ack and update comes first", () => {
  const action = { type: "play", cardId: "x" };
  const sent = { type: "$sent", id: "p.1", message: { type: "action", decision: 5, action } };
  const ack = { type: "ack", id: "p.1", seq: 6 };
  const update = { type: "update", seq: 6, view: { total: 50 } };
  assert.deepEqual(pendingAction(after(welcome(), sent)), action);
  assert.deepEqual(pendingAction(after(welcome(), sent, ack)), action, "kept, but not yet shown");
  assert.equal(pendingAction(after(welcome(), sent, ack, update)), null);
  assert.deepEqual(pendingAction(after(welcome(), sent, update)), action, "somebody else's step may be shown meanwhile");
  assert.equal(pendingAction(after(welcome(), sent, update, ack)), null);
});

test("a refused card falls back, and the reason is said", () => {
  const sent = { type: "$sent", id: "p.1", message: { type: "action", action: { type: "play" } } };
  const state = after(welcome(), sent, { type: "reject", id: "p.1", code: "over_99", message: "99를 넘어서 낼 수 없어요" });
  assert.equal(isPending(state, "action"), false);
  assert.equal(state.notice.text, "99를 넘어서 낼 수 없어요");
  assert.deepEqual(state.view, { total: 40 });
});

test("what was missed is told; what was told already is not told again", () => {
  const told = after(welcome(), { type: "update", seq: 6, events: [{ type: "one" }] });
  const missed = [{ seq: 6, events: [{ type: "one" }] }, { seq: 7, events: [{ type: "two" }, { type: "three" }] }];
  const state = reduce(told, welcome({ seq: 7, resumed: true, missed }), 0);
  assert.deepEqual(state.log.map(({ event }) => event.type), ["one", "two", "three"]);
  assert.deepEqual(state.log.map(({ n }) => n), [1, 2, 3]);
});

test("a welcome that could not tell what was missed begins the log anew", () => {
  const told = after(welcome(), { type: "update", seq: 6, events: [{ type: "one" }] });
  assert.deepEqual(reduce(told, welcome({ seq: 90 }), 0).log, []);
});

test("another game begins with an empty log and forgets the last view", () => {
  const told = after(welcome(), { type: "update", seq: 6, events: [{ type: "one" }] });
  const state = reduce(told, { type: "update", seq: 7, room: room({ games: 2 }), events: [{ type: "dealt" }] }, 0);
  assert.deepEqual(state.log.map(({ event }) => event.type), ["dealt"]);
  assert.equal(state.view, null);
});

test("the log is bounded", () => {
  const events = Array.from({ length: 3500 }, () => ({ type: "x" }));
  const state = after(welcome(), { type: "update", seq: 6, room: room({ games: 2 }), events });
  assert.equal(state.log.length, 3000);
  assert.equal(state.log.at(-1).n, 3500);
  assert.equal(state.sawAll, false);
});

test("who was there from a game's beginning, and missed nothing, saw all of it", () => {
  const begun = after(welcome(), { type: "update", seq: 6, room: room({ games: 2 }), events: [{ type: "dealt" }] });
  assert.equal(begun.sawAll, true);
  const missed = [{ seq: 7, events: [{ type: "played" }] }];
  assert.equal(reduce(begun, welcome({ seq: 7, room: room({ games: 2 }), resumed: true, missed }), 0).sawAll, true);
  assert.equal(reduce(begun, welcome({ seq: 90, room: room({ games: 2 }) }), 0).sawAll, false);
  assert.equal(after(welcome(), { type: "update", seq: 6, events: [{ type: "played" }] }).sawAll, false);
});

test("presence marks the seat and counts who watches", () => {
  const state = after(welcome(), { type: "presence", player: "b", online: false, watching: 3 });
  assert.equal(state.room.seats[1].online, false);
  assert.equal(state.room.watching, 3);
});

test("a pause holds the clock, and resume goes on with what the server says", () => {
  const paused = after(welcome({ deadlineIn: 10_000 }), { type: "pause", reason: "storage", message: "잠시", now: 4000 });
  assert.equal(paused.paused.reason, "storage");
  assert.equal(left(paused.clock, 60_000), 6000);
  const resumed = reduce(paused, { type: "resume", deadlineIn: 6000 }, 60_000);
  assert.equal(resumed.paused, null);
  assert.equal(left(resumed.clock, 61_000), 5000);
  assert.equal(left(reduce(paused, { type: "resume" }, 60_000).clock, 61_000), 5000);
});

test("the ring keeps its size while one deadline is announced again", () => {
  const state = after(welcome({ deadlineIn: 15_000 }), { type: "update", seq: 6, deadlineIn: 9950, now: 5000 });
  assert.equal(state.clock.whole, 15_000);
  assert.equal(reduce(state, { type: "update", seq: 7, deadlineIn: 3000 }, 6000).clock.whole, 3000);
});

test("losing the link keeps what is shown; only a welcome makes it good", () => {
  const lost = after(welcome(), { type: "$link", status: "lost" }, { type: "$link", status: "connecting" });
  assert.equal(lost.link, "lost");
  assert.deepEqual(lost.view, { total: 40 });
  assert.equal(reduce(lost, welcome(), 0).link, "open");
});

test("names outlive seats, and stand for ids in the server's sentences", () => {
  const gone = after(welcome(), { type: "update", seq: 6, room: room({ seats: [seat("a"), null, null] }) });
  assert.equal(nameOf(gone, "b"), "B");
  assert.equal(withNames(gone, "끝까지 살아남은 사람은 b 님!"), "끝까지 살아남은 사람은 B 님!");
});

test("a name in a sentence is that name, whatever it looks like: another's id, or what replacing gives a meaning to", () => {
  const names = { "g_1": "$&$&$`", "g_10": "g_1 (x)", "b.t": "안나" };
  assert.equal(withNames({ names }, "g_1 g_10 b.t bot"), "$&$&$` g_1 (x) 안나 bot");
  assert.equal(withNames({ names: {} }, "a"), "a");
});

test("a server that sends us away to come again says why, until we are back", () => {
  const away = after(welcome(), { type: "$link", status: "lost", why: "서버를 새로 고치고 있어요" });
  assert.deepEqual([away.link, away.why, away.view], ["lost", "서버를 새로 고치고 있어요", { total: 40 }]);
  assert.equal(reduce(away, welcome(), 0).why, null);
  assert.equal(reduce(away, { type: "$link", status: "lost" }, 0).why, away.why, "also while each attempt to come back fails");
});
