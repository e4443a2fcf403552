/** tables/labels.js: any game's view, actions and events in Korean, as far as it goes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { describe, facesIn, filled, grouped, isRange, named, said, word } from "../tables/labels.js";

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

test("whole numbers are ids where a view calls something so and the field names cards, and numbers elsewhere", () => {
  const view = { hand: [{ id: 5, face: "3띠", label: "3월 벚꽃 띠" }, { id: 14, face: "8광" }], players: { p1: { cards: [{ hidden: true }] } } };
  const faces = facesIn(view);
  assert.deepEqual([...faces], [[5, "3띠"], [14, "8광"]], "a hidden card is called nothing");
  const legal = [
    { type: "choose", cardIds: [5, 14] },
    { type: "kitKeep", keep: [14] },
    { type: "play", cardId: 5, target: "p2" },
    { type: "play", cardId: 6 },
    { type: "bet", amount: 5 },
    { type: "rejoin", accept: true },
  ];
  assert.deepEqual(grouped(legal, view, name).map(({ title, actions }) => [title, ...actions.map(({ label }) => label)]), [
    ["고르기", "3띠, 8광"],
    ["가질 카드 고르기", "8광"],
    ["내기", "3띠 · 민서", "카드 6"],
    ["걸기", "금액 5"],
    ["재참가", "하기 예"],
  ]);
  assert.equal(named("count", 5, faces), 5);
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
  assert.equal(describe({ type: "shown", player: "p2", cards: [{ id: 5, face: "3띠" }, { id: 14, face: "8광" }], name: "1끗" }, name), "민서: 패를 보여 줬어요 (카드 3띠, 8광, 이름 1끗)");
  assert.equal(describe({ type: "attacked", player: "p1", source: "p2", via: "bang", needed: 1 }, name), "지호: 공격을 받았어요 (누구에게서 민서, 무엇으로 사격, 막을 횟수 1)");
  assert.equal(describe({ type: "duelBegan" }, name), "duel began");
});
