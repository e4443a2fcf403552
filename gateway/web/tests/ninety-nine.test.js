/** tables/ninety-nine.js: its words, and what tapping cards comes to. Views are plain values, so no page is needed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { rules } from "../rules/ninety-nine.js";
import { chapter, describe, gaugeHue, hints, score, table } from "../tables/ninety-nine.js";
import { button, find, seated, withClass, words } from "./looking.js";

const name = (player) => ({ a: "지호", b: "민서" })[player] ?? player;

const HAND = [
  { id: "05-1", kind: "add", face: "5", v: 5, playable: true, previews: [{ legal: true, total: 90 }] },
  { id: "p09-1", kind: "plusMinus", face: "±9", v: 9, playable: true, previews: [{ legal: true, total: 94, sign: "+" }, { legal: true, total: 76, sign: "-" }] },
  { id: "j-1", kind: "joker", face: "조커", playable: true, previews: [{ legal: true, total: { min: 60, max: 99 }, jokerValue: { min: 60, max: 99 } }] },
  { id: "10-1", kind: "add", face: "10", v: 10, playable: false, previews: [{ legal: false, total: 105, reason: "99를 넘어서 낼 수 없어요" }] },
];

const VIEW = {
  mode: "kr-product", options: { lives: 0, turnSeconds: 15 }, total: 85, direction: 1, current: "a", seats: ["a", "b"], handCounts: { a: 4, b: 5 },
  lives: { a: 0, b: 0 }, alive: { a: true, b: true }, onBoard: { a: false, b: false }, recentPlays: [], drawCount: 61, round: 1, phase: "playing", hand: HAND,
};

const scene = ({ decision = 7, pending = [], view = {}, log = [] } = {}) => seated(table, { ...VIEW, ...view }, { decision, pending, log });

const cards = (tree) => withClass(tree, "nncard");

test("the first tap shows what a card makes, the second plays it", () => {
  const { draw, played } = scene();
  cards(draw())[0].props.onclick();
  assert.equal(withClass(draw(), "bubble")[0].props["data-says"], "내면 → 90");
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
  button(withClass(draw(), "tray")[0], "60").props.onclick();
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
  ctx.state = { ...ctx.state, view, you: { player: "z", name: "손님", seat: null }, decision: 0 };
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

test("lives are hearts; a lost one is broken, and said", () => {
  const tree = scene({ view: { options: { lives: 3, turnSeconds: 15 }, lives: { a: 2, b: 1 } } }).draw();
  const [b, a] = withClass(tree, "hearts");
  assert.deepEqual([b, a].map((one) => withClass(one, "broken").length), [2, 1]);
  assert.equal(b.props["aria-label"], "목숨 1개");
});

test("whoever is out is told that they may stay", () => {
  const { draw } = scene({ decision: 0, view: { hand: [], alive: { a: false, b: true }, current: "b" } });
  assert.match(words(draw()), /탈락했어요. 끝까지 구경할 수 있어요/);
});

test("a card flies from whoever plays it to the middle, and the new one to its player; once", () => {
  const { draw, ctx } = scene({});
  draw();
  const events = [{ type: "cardPlayed", player: "b", face: "10", total: 85 }, { type: "cardDrawn", player: "b", drawCount: 40 }];
  ctx.state = { ...ctx.state, logged: 2, log: events.map((event, i) => ({ n: i + 1, game: 0, event })) };
  assert.equal(words(withClass(draw(), "thrown")[0]), "10");
  assert.deepEqual(ctx.ui.moving.map(({ from, to }) => [from, to]), [["b", "$plate"], ["$pile", "b"]]);
  ctx.ui.moving.forEach((one) => (one.until = 0));
  assert.equal(withClass(draw(), "flight").length, 0);
});

test("hints tell of special cards when they are first held", () => {
  const ids = hints({ view: VIEW, decision: 1 }).map(({ id }) => id);
  assert.deepEqual(ids, ["nn-lead", "nn-plusMinus", "nn-joker"]);
});

test("a replay can jump to rounds, lost lives and who is out", () => {
  assert.equal(chapter({ type: "roundStarted", round: 2 }, name), "2라운드");
  assert.equal(chapter({ type: "eliminated", player: "b" }, name), "민서 탈락");
  assert.equal(chapter({ type: "cardPlayed", player: "b" }, name), null);
  assert.equal(score({ livesLost: 2 }), "목숨 −2");
  assert.equal(score({ livesLost: 0 }), null);
});

test("the rules are those of the room's mode", () => {
  const text = (options) => JSON.stringify(rules(options));
  assert.match(text({}), /60~99/);
  assert.match(text({ jokerRange: "0-99" }), /0~99/);
  assert.match(text({ mode: "classic", lives: "auto" }), /목숨 3개/);
  assert.doesNotMatch(text({ mode: "classic" }), /±9/);
});
