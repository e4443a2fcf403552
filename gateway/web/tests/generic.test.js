/** tables/generic.js: any view can be read, any legal action pressed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { nothing } from "../state.js";
import { table } from "../tables/generic.js";

const seats = [["a", "지호"], ["b", "민서"]].map(([player, name]) => ({ player, name }));

function scene(view, legal, more = {}) {
  const played = [];
  const state = { ...nothing, you: { player: "a", name: "지호" }, room: { seats, status: "playing" }, names: { a: "지호", b: "민서" }, view, legal, decision: legal.length, ...more };
  const ctx = { state, ui: {}, game: null, redraw() {}, act: { play: (action) => played.push(action) } };
  return { played, ctx, draw: () => table(ctx) };
}

const words = (vnode) => (typeof vnode === "object" ? vnode.children.map(words).join(" ") : String(vnode));
function* all(vnode) {
  if (typeof vnode !== "object") return;
  yield vnode;
  for (const child of vnode.children) yield* all(child);
}
const buttons = (tree) => [...all(tree)].filter(({ tag }) => tag === "button");

test("a button plays its action as it was listed", () => {
  const { draw, played } = scene({ hand: [{ id: "7H", face: "♥7" }] }, [{ type: "play", cardId: "7H" }, { type: "pass" }]);
  const found = buttons(draw());
  assert.deepEqual(found.map(words), ["♥7", "넘기기"]);
  for (const one of found) one.props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: "7H" }, { type: "pass" }]);
});

test("a range is stepped, then played", () => {
  const { draw, played } = scene({}, [{ type: "bet", amount: { min: 10, max: 12 } }]);
  const more = () => buttons(draw()).find(({ props }) => props["aria-label"] === "하나 늘리기");
  for (let i = 0; i < 5; i += 1) more().props.onclick();
  buttons(draw()).at(-1).props.onclick();
  assert.deepEqual(played, [{ type: "bet", amount: 12 }]);
});

test("any three of six are marked, not searched for in a list of twenty", () => {
  const cards = ["a1", "b2", "c3", "d4", "e5", "f6"];
  const threes = cards.flatMap((a, i) => cards.slice(i + 1).flatMap((b, j) => cards.slice(i + j + 2).map((c) => ({ type: "bid", cardIds: [a, b, c] }))));
  const { draw, played } = scene({ hand: cards.map((id) => ({ id, face: id.toUpperCase() })) }, threes);
  const press = (text) => buttons(draw()).find((one) => words(one) === text).props.onclick();
  assert.equal(buttons(draw()).length, 7);
  for (const text of ["F6", "A1", "C3", "A1", "B2"]) press(text);
  press("비딩 · F6, C3, B2");
  assert.deepEqual(played, [{ type: "bid", cardIds: ["b2", "c3", "f6"] }]);
});

test("cards whose ids are numbers are marked by what is on them", () => {
  const hand = [11, 22, 33, 44, 55, 66].map((id) => ({ id, face: `${id}월`, kind: "normal" }));
  const threes = hand.flatMap((a, i) => hand.slice(i + 1).flatMap((b, j) => hand.slice(i + j + 2).map((c) => ({ type: "discard", cardIds: [a.id, b.id, c.id] }))));
  const { draw, played } = scene({ hand }, threes);
  const press = (text) => buttons(draw()).find((one) => words(one) === text).props.onclick();
  for (const text of ["66월", "11월", "44월"]) press(text);
  press("버리기 · 66월, 11월, 44월");
  assert.deepEqual(played, [{ type: "discard", cardIds: [11, 44, 66] }]);
});

test("nothing can be pressed while a move is on its way, or the room is paused", () => {
  const closed = (more) => [...all(scene({}, [{ type: "pass" }], more).draw())].find(({ tag }) => tag === "fieldset").props.disabled;
  assert.equal(closed({}), false);
  assert.equal(closed({ pending: [{ id: "1", message: { type: "action", action: { type: "pass" } }, ackedAt: null }] }), true);
  assert.equal(closed({ paused: { message: "" } }), true);
});

test("what is known of each person becomes one table", () => {
  const tree = scene({ chips: { a: 10, b: 20 }, folded: { a: false, b: true } }, []).draw();
  const rows = [...all(tree)].filter(({ tag }) => tag === "tr").map((row) => row.children.map(words));
  assert.deepEqual(rows, [["사람", "칩", "다이"], ["지호", "10", "아니요"], ["민서", "20", "예"]]);
});

test("any shape of view is drawn", () => {
  const strange = { a: null, deep: { deeper: [[1, 2], { id: "x", rank: "A", suit: "♠" }, { odd: [] }] }, empty: [], text: "<b>", big: { min: 1, max: 2 } };
  const text = words(scene(strange, []).draw());
  for (const part of ["없음", "♠A", "<b>", "1"]) assert.ok(text.includes(part), part);
});
