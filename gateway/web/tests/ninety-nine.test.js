/** tables/ninety-nine.js: its words, and what tapping cards comes to. Views are plain values, so no page is needed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { nothing } from "../state.js";
import { describe, gaugeHue, table } from "../tables/ninety-nine.js";

const name = (player) => ({ a: "지호", b: "민서" })[player] ?? player;

const HAND = [
  { id: "05-1", kind: "add", face: "5", v: 5, playable: true, previews: [{ legal: true, total: 90 }] },
  { id: "p09-1", kind: "plusMinus", face: "±9", v: 9, playable: true, previews: [{ legal: true, total: 94, sign: "+" }, { legal: true, total: 76, sign: "-" }] },
  { id: "j-1", kind: "joker", face: "조커", playable: true, previews: [{ legal: true, total: { min: 60, max: 99 }, jokerValue: { min: 60, max: 99 } }] },
  { id: "10-1", kind: "add", face: "10", v: 10, playable: false, previews: [{ legal: false, total: 105, reason: "99를 넘어서 낼 수 없어요" }] },
];

const VIEW = {
  mode: "kr-product", options: { lives: 0, turnSeconds: 15 }, total: 85, direction: 1, current: "a", seats: ["a", "b"], handCounts: { a: 4, b: 5 },
  lives: { a: 0, b: 0 }, alive: { a: true, b: true }, onBoard: { a: false, b: false }, recentPlays: [], round: 1, phase: "playing", hand: HAND,
};

function scene({ decision = 7, pending = [], view = {} } = {}) {
  const played = [], hints = [];
  const seats = ["a", "b"].map((player) => ({ player, name: name(player), bot: false, ready: false, online: true, left: false }));
  const state = { ...nothing, you: { player: "a", name: "지호" }, room: { seats, status: "playing" }, view: { ...VIEW, ...view }, decision, pending };
  const ctx = { state, ui: {}, redraw() {}, act: { play: (action) => played.push(action), hint: (text) => hints.push(text) } };
  return { ctx, played, hints, draw: () => table(ctx) };
}

function* all(vnode) {
  if (typeof vnode !== "object") return;
  yield vnode;
  for (const child of vnode.children) yield* all(child);
}
const find = (tree, test) => [...all(tree)].filter(test);
const cards = (tree) => find(tree, ({ props }) => props.class?.includes("nncard"));
const words = (vnode) => (typeof vnode === "object" ? vnode.children.map(words).join(" ") : String(vnode));
const button = (tree, label) => find(tree, (one) => one.tag === "button" && words(one).includes(label))[0];

test("the first tap shows what a card makes, the second plays it", () => {
  const { draw, played } = scene();
  cards(draw())[0].props.onclick();
  assert.ok(words(draw()).includes("내면 → 90"));
  cards(draw())[0].props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: "05-1" }]);
});

test("a ± card asks which way, with what each makes", () => {
  const { draw, played } = scene();
  cards(draw())[1].props.onclick();
  button(draw(), "−9 → 76").props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: "p09-1", sign: "-" }]);
});

test("a way over 99 can be seen, but not taken", () => {
  const previews = [{ legal: false, total: 101, sign: "+" }, { legal: true, total: 83, sign: "-" }];
  const { draw } = scene({ view: { hand: [{ ...HAND[1], previews }] } });
  cards(draw())[0].props.onclick();
  assert.equal(button(draw(), "+9 → 101").props.disabled, true);
});

test("the joker is dialled within its range", () => {
  const { ctx, draw, played } = scene();
  cards(draw())[2].props.onclick();
  assert.equal(button(draw(), "조커를").props.disabled, undefined);
  button(draw(), "60").props.onclick();
  find(draw(), ({ props }) => props["aria-label"] === "1 줄이기")[0].props.onclick();
  assert.equal(ctx.ui.joker, 60);
  find(draw(), ({ props }) => props["aria-label"] === "1 늘리기")[0].props.onclick();
  button(draw(), "조커를 61로 내기").props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: "j-1", jokerValue: 61 }]);
});

test("a card that would go over is marked, and says why", () => {
  const { draw, played, hints } = scene();
  const card = cards(draw())[3];
  assert.ok(card.props.class.includes("dead"));
  assert.ok(words(card).includes("99 초과"));
  card.props.onclick();
  assert.deepEqual([played, hints], [[], ["99를 넘어서 낼 수 없어요"]]);
});

test("out of turn a card can be looked at, not played", () => {
  const { draw, played, hints } = scene({ decision: 0, view: { current: "b" } });
  cards(draw())[0].props.onclick();
  cards(draw())[0].props.onclick();
  assert.deepEqual([played, hints], [[], ["아직 내 차례가 아니에요"]]);
});

test("while a card is on its way no other can follow", () => {
  const pending = [{ id: "p.1", message: { type: "action", action: { type: "play", cardId: "05-1" } }, ackedAt: null }];
  assert.ok(cards(scene({ pending }).draw()).every(({ props }) => props.disabled));
});

test("a spectator sees no hand", () => {
  const { hand: _, ...view } = VIEW;
  const { ctx } = scene();
  ctx.state = { ...ctx.state, view, you: { player: "z" }, decision: 0 };
  assert.equal(cards(table(ctx)).length, 0);
});

test("the gauge goes from green by way of yellow to red", () => {
  assert.ok(gaugeHue(0) > 120 && gaugeHue(80) < 60 && gaugeHue(99) < 10);
  for (let total = 1; total <= 99; total += 1) assert.ok(gaugeHue(total) <= gaugeHue(total - 1));
});

test("events are told with names and their particles", () => {
  assert.equal(describe({ type: "cardPlayed", player: "a", face: "0", choice: "방향 바꾸기", total: 86 }, name), "지호: 0 (방향 바꾸기) → 86");
  assert.equal(describe({ type: "eliminated", player: "b", round: 1 }, name), "민서가 탈락했어요");
  assert.equal(describe({ type: "cardDrawn", player: "a" }, name), null);
  assert.equal(describe({ type: "newKind", player: "a" }, name), "지호: new kind");
});
