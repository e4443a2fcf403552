/** net/session.js: a connection's life, without a socket. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Session } from "../net/session.js";

const make = (more = {}) => new Session({ token: "t", room: "r", prefix: "p", random: () => 1, ...more });
const text = (message) => JSON.stringify(message);
const sent = (effects) => effects.filter((one) => one.do === "send").map((one) => JSON.parse(one.text));
const told = (effects) => effects.filter((one) => one.do === "tell").map((one) => one.message);
const doing = (effects) => effects.map((one) => one.do);

/** A session that has been welcomed at time 0. */
function welcomed(more) {
  const session = make(more);
  session.start(0);
  session.opened(0);
  session.received(text({ type: "welcome", seq: 5, you: { player: "me" } }), 0);
  return session;
}

test("the first message is hello, and asks for a seat", () => {
  const session = make();
  assert.deepEqual(doing(session.start(0)), ["tell", "open"]);
  assert.deepEqual(sent(session.opened(0)), [{ type: "hello", token: "t", room: "r", join: "seat", v: 1 }]);
});

test("a lost connection is opened again, later each time, and says what was seen last", () => {
  const session = welcomed();
  assert.deepEqual(told(session.closed(1000)), [{ type: "$link", status: "lost" }]);
  assert.equal(session.wakeAt, 1300);
  assert.deepEqual(session.tick(1299), []);
  assert.ok(doing(session.tick(1300)).includes("open"));
  session.closed(1300);
  assert.equal(session.wakeAt, 1900);
  session.tick(1900);
  const [hello] = sent(session.opened(1950));
  assert.equal(hello.seq, 5);
  assert.equal(hello.join, "watch", "whoever stood up stays standing");
});

test("waits differ between clients, and never grow past a bound", () => {
  const session = make({ random: () => 0 });
  session.start(0);
  for (let i = 0; i < 20; i += 1) {
    session.closed(0);
    assert.ok(session.wakeAt >= 150 && session.wakeAt <= 8000);
    session.tick(session.wakeAt);
  }
});

test("an unanswered action is sent again, under the same id, after the next welcome", () => {
  const session = welcomed();
  const { id, effects } = session.say({ type: "action", decision: 5, action: { type: "play" } }, 10);
  assert.equal(sent(effects)[0].id, id);
  session.closed(20);
  session.tick(1000);
  assert.deepEqual(sent(session.opened(1000)).map((one) => one.type), ["hello"]);
  const again = sent(session.received(text({ type: "welcome", seq: 6 }), 1100));
  assert.deepEqual(again, [{ type: "action", decision: 5, action: { type: "play" }, id }]);
  assert.deepEqual(told(session.received(text({ type: "ack", id, seq: 6 }), 1110)).map((one) => one.type), ["ack"]);
  assert.deepEqual(session.received(text({ type: "ack", id, seq: 6 }), 1111), [], "a second answer is no news");
});

test("what is said before the welcome waits for it; a second welcome on one socket repeats nothing", () => {
  const session = make();
  session.start(0);
  session.opened(0);
  assert.deepEqual(sent(session.say({ type: "ready" }, 0).effects), []);
  const welcome = text({ type: "welcome", seq: 1 });
  assert.equal(sent(session.received(welcome, 1)).length, 1);
  assert.equal(sent(session.received(welcome, 2)).length, 0);
});

test("every id is new, and begins with the page's own name", () => {
  const session = welcomed();
  const ids = [1, 2, 3].map(() => session.say({ type: "ready" }, 0).id);
  assert.deepEqual(ids, ["p.1", "p.2", "p.3"]);
});

test("a refusal that may be repeated is repeated, and told only when that does not help", () => {
  const session = welcomed();
  const { id } = session.say({ type: "ready" }, 0);
  const no = text({ type: "reject", id, code: "busy", message: "바빠요", retry: true });
  let now = 0;
  for (let i = 0; i < 6; i += 1) {
    assert.deepEqual(session.received(no, now), []);
    now = session.wakeAt;
    assert.equal(sent(session.tick(now))[0].id, id);
  }
  assert.equal(told(session.received(no, now))[0].code, "busy");
});

test("a refusal for good is told at once", () => {
  const session = welcomed();
  const { id } = session.say({ type: "start" }, 0);
  const no = { type: "reject", id, code: "not_ready", message: "아직" };
  assert.deepEqual(told(session.received(text(no), 1)), [no]);
});

test("resume sends at once what was refused while the room stood still", () => {
  const session = welcomed();
  const { id } = session.say({ type: "ready" }, 0);
  session.received(text({ type: "reject", id, code: "storage_down", message: "", retry: true }), 0);
  const effects = session.received(text({ type: "resume" }), 1);
  assert.equal(sent(effects)[0].id, id);
});

test("silence is asked about, and without an answer the socket is dropped", () => {
  const session = welcomed();
  assert.equal(session.wakeAt, 12_000);
  assert.deepEqual(sent(session.tick(12_000)).map((one) => one.type), ["ping"]);
  assert.deepEqual(session.received(text({ type: "pong", t: 12_000 }), 12_100), []);
  assert.equal(session.wakeAt, 24_100);
  session.tick(24_100);
  assert.deepEqual(doing(session.tick(30_100)), ["close", "tell"]);
  assert.equal(session.state, "resting");
});

test("looking at the page again does not wait for the next attempt", () => {
  const session = welcomed();
  session.closed(0);
  assert.ok(doing(session.nudge(5)).includes("open"));
  assert.deepEqual(session.nudge(6), [], "one attempt at a time");
});

test("a bye for good ends it; one with `again` waits as long as it says", () => {
  const ended = welcomed();
  const effects = ended.received(text({ type: "bye", code: "replaced", message: "" }), 0);
  assert.deepEqual(doing(effects), ["close", "tell"]);
  assert.equal(ended.wakeAt, null);
  assert.deepEqual(ended.nudge(9e9), []);

  const back = welcomed();
  back.received(text({ type: "bye", code: "shutdown", message: "", again: true, after: 2000 }), 0);
  assert.equal(back.wakeAt, 2300);
});

test("a gateway that ends may name another; where that does not answer, it is the old address again", () => {
  const at = (effects) => effects.find((one) => one.do === "open").at;
  const session = welcomed();
  session.received(text({ type: "bye", code: "shutdown", message: "", again: true, at: "https://b.example" }), 0);
  assert.equal(at(session.tick(session.wakeAt)), "https://b.example");
  session.opened(1000);
  session.received(text({ type: "welcome", seq: 5 }), 1000);
  session.closed(2000);
  assert.equal(at(session.tick(session.wakeAt)), "https://b.example", "it let us in before");
  session.closed(3000);
  assert.equal(at(session.tick(session.wakeAt)), null);
});

test("a connection that does not come about is given up", () => {
  const session = make();
  session.start(0);
  assert.deepEqual(doing(session.tick(10_000)), ["close", "tell"]);
});

test("text that is not JSON, and messages of a later version, do no harm", () => {
  const session = welcomed();
  assert.deepEqual(session.received("{", 0), []);
  assert.deepEqual(told(session.received(text({ type: "confetti" }), 0)), [{ type: "confetti" }]);
});

test("a key is shown at the door, and from then on the invitation of the room", () => {
  const session = make({ key: "만두" });
  session.start(0);
  assert.equal(sent(session.opened(0))[0].key, "만두");
  session.received(text({ type: "welcome", seq: 5, you: { player: "me" }, room: { locked: true, invite: "one" } }), 0);
  session.received(text({ type: "update", seq: 6, room: { locked: true, invite: "two" } }), 0);
  session.received(text({ type: "update", seq: 7 }), 0);
  session.closed(1000);
  session.tick(2000);
  assert.equal(sent(session.opened(2000))[0].key, "two");
});

test("where nothing is locked, nothing is shown", () => {
  const session = welcomed();
  session.received(text({ type: "update", seq: 6, room: { locked: false, invite: "one" } }), 0);
  session.closed(1000);
  session.tick(2000);
  assert.equal("key" in sent(session.opened(2000))[0], false);
});
