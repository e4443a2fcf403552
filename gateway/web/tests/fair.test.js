/** fair/: what a page adds to the deals, and how it checks them, by the same vectors as every other checker. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { check, turn } from "../fair/check.js";
import { Lots } from "../fair/lots.js";
import { fromHex, pledgeOf, sha256, toHex } from "../fair/sha256.js";

const vectors = JSON.parse(readFileSync(new URL("../../vectors/fairness.json", import.meta.url), "utf8"));

test("SHA-256 is SHA-256, at every length around its blocks", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, i) => (31 * i + length) % 256);
    assert.equal(toHex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"), String(length));
  }
});

test("pledges and turns are those of the vectors", () => {
  for (const { player, number, pledge } of vectors.pledges) assert.equal(pledgeOf(player, number), pledge);
  for (const one of vectors.turns) assert.deepEqual(turn(fromHex(one.lot, 32), one.draw, one.width), one.turn);
});

for (const evidence of vectors.evidence) {
  test(`right evidence is right: ${evidence.game}`, () => assert.deepEqual(check(evidence), []));
}

for (const { of, why, at, to } of vectors.altered) {
  test(`altered evidence is found out: ${why}`, () => {
    const wrong = structuredClone(vectors.evidence[of]);
    const last = at.pop();
    at.reduce((tree, step) => tree[step], wrong)[last] = to;
    assert.notDeepEqual(check(wrong), []);
  });
}

test("nonsense is no evidence", () => {
  for (const nonsense of [null, 7, "x", [], {}, { v: 1 }]) assert.notDeepEqual(check(nonsense), []);
});

// ---------------------------------------------------------------- our own number

const N = (digit) => digit.repeat(64);
const SEAL = N("e"), OTHER = N("f");

/** A memory like the browser's, and numbers 1, 2, 3 … */
function page(kept = new Map()) {
  let next = 0;
  const memory = { read: (key) => kept.get(key) ?? null, write: (key, value) => kept.set(key, value) };
  return new Lots("r", memory, () => N(String((next += 1))));
}

const seat = (pledge = "") => ({ player: "me", name: "나", bot: false, ready: false, online: true, left: false, pledge });
const deal = (pledge, more = {}) => ({ seal: SEAL, width: 20, draws: 9, pledges: { me: pledge }, numbers: {}, awaited: ["me"], begun: false, ...more });
const room = (more) => /** @type {any} */ ({ status: "waiting", games: 0, seats: [seat()], deal: null, ...more });

test("who sits down pledges a number, and opens it when the room has sealed the game", () => {
  const lots = page();
  const pledge = lots.pledge("me");
  assert.equal(pledge, pledgeOf("me", N("1")));
  assert.deepEqual(lots.follow(room(), "me"), { type: "pledge", pledge });
  assert.equal(lots.follow(room({ seats: [seat(pledge)] }), "me"), null);
  assert.deepEqual(lots.follow(room({ deal: deal(pledge) }), "me"), { type: "lend", number: N("1") });
});

test("a number is opened for one seal only, also after a reload", () => {
  const kept = new Map();
  const lots = page(kept);
  const pledge = lots.pledge("me");
  lots.follow(room({ deal: deal(pledge) }), "me");
  for (const same of [lots, page(kept)]) {
    assert.equal(same.follow(room({ deal: deal(pledge, { seal: OTHER }) }), "me"), null);
    assert.deepEqual(same.follow(room({ deal: deal(pledge) }), "me"), { type: "lend", number: N("1") });
  }
  const fresh = lots.pledge("me");
  assert.equal(fresh, pledgeOf("me", N("2")));
  assert.deepEqual(lots.follow(room({ status: "finished", games: 1, deal: deal(pledge, { begun: true }) }), "me"), { type: "pledge", pledge: fresh });
});

test("nothing is opened before the pledge was told, nor what another window pledged, nor by who does not sit", () => {
  const lots = page();
  const pledge = lots.pledge("me");
  assert.equal(lots.follow(room({ deal: deal(N("d")) }), "me"), null);
  assert.equal(lots.follow(room({ deal: deal(pledge, { awaited: ["other"] }) }), "me"), null);
  assert.equal(lots.follow(room({ seats: [null] }), "me"), null);
  assert.equal(lots.follow(room({ status: "playing", seats: [seat()] }), "me"), null);
});
