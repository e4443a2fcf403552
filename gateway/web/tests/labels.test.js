/** tables/labels.js: any game's view, actions and events in Korean, as far as it goes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { describe, facesIn, filled, grouped, isRange, said, word } from "../tables/labels.js";

const name = (player) => ({ p1: "지호", p2: "민서" })[player] ?? player;
const VIEW = { hand: [{ id: "j-1", face: "조커", kind: "joker" }], table: { open: [{ id: "7H", suit: "♥", rank: 7 }] } };

test("known words are Korean, others are taken apart", () => {
  assert.equal(word("total"), "합계");
  assert.equal(word("secretAgentCount"), "secret agent count");
  assert.equal(word("toString"), "to string", "words are not looked up in what every object has");
});

test("a range is exactly min and max", () => {
  assert.ok(isRange({ min: 60, max: 99 }));
  assert.ok(!isRange({ min: 60, max: 99, step: 1 }));
  assert.ok(!isRange(null));
});

test("cards are found wherever they lie in a view", () => {
  assert.deepEqual([...facesIn(VIEW)], [["j-1", "조커"], ["7H", "♥7"]]);
});

test("actions are grouped by type and told apart by what differs", () => {
  const legal = [
    { type: "play", cardId: "j-1", jokerValue: { min: 60, max: 99 } },
    { type: "play", cardId: "7H", target: "p2" },
    { type: "bet", amount: 100 },
    { type: "pass" },
  ];
  const groups = grouped(legal, VIEW, name);
  assert.deepEqual(groups.map(({ title, actions }) => [title, actions.map(({ label }) => label)]), [
    ["내기", ["조커", "♥7 · 민서"]],
    ["걸기", ["금액 100"]],
    ["넘기기", ["넘기기"]],
  ]);
  assert.deepEqual(groups[0].actions[0].ranges, ["jokerValue"]);
});

test("ranges are filled in; untouched ones stand at their least", () => {
  const action = { type: "bet", amount: { min: 10, max: 50 }, tip: { min: 1, max: 3 } };
  assert.deepEqual(filled(action, { amount: 20 }), { type: "bet", amount: 20, tip: 1 });
});

test("values are said for people", () => {
  assert.equal(said(null, name), "없음");
  assert.equal(said(["p1", "p2"], name), "지호, 민서");
  assert.equal(said(true, name), "예");
  assert.equal(said({ p1: 3 }, name), "지호 3");
  assert.equal(said("playing", name), "진행 중");
});

test("any event makes a line", () => {
  assert.equal(describe({ type: "cardPlayed", player: "p1", cardId: "p09-1", face: "±9", total: 81 }, name), "지호: 카드를 냈어요 (카드 ±9, 합계 81)");
  assert.equal(describe({ type: "duelBegan" }, name), "duel began");
});
