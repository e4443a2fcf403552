/** tables/parlett-ninety-nine.js: bids, tricks and scores as they come to the eye and to the hand. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { chapter, describe, hints, score, sound, table } from "../tables/parlett-ninety-nine.js";
import { button, find, seated, withClass, words } from "./looking.js";

const HAND = [["0D06", "6♦", 0], ["1S14", "A♠", 1], ["2H10", "10♥", 2], ["3C11", "J♣", 3], ["JK", "조커(8♥)", 2]].map(([id, face, value]) => ({ id, face, value }));

const VIEW = {
  phase: "bidding", round: 2, trump: "H", trumpFace: "♥ 하트", turnUp: { id: "2H08", face: "8♥" }, dealer: "b", current: null, waiting: ["a", "b", "c"], trick: [], lastTrick: [], hand: HAND,
  bids: {}, hands: {}, handCounts: { a: 5, b: 5, c: 5 }, tricksWon: { a: 0, b: 0, c: 0 }, scores: { a: 12, b: 31, c: 0 }, roundScores: [{ a: 12, b: 31, c: 0 }], lastRound: {}, premiums: [], offers: {}, played: [],
  seats: ["a", "b", "c"], options: { form: "three", variant: "standard", unbidPremium: "on", rounds: 9, turnSeconds: 20 }, deadline: 1,
};

const threes = (cards) => cards.flatMap((a, i) => cards.slice(i + 1).flatMap((b, j) => cards.slice(i + j + 2).map((c) => ({ type: "bid", cardIds: [a.id, b.id, c.id] }))));
const plays = (...ids) => ids.map((cardId) => ({ type: "play", cardId }));
const playing = (more = {}) => ({ ...VIEW, phase: "playing", current: "a", waiting: ["a"], trick: [{ id: "2H09", face: "9♥", player: "c" }], bids: { a: { tricks: 3, cards: [{ id: "x", face: "2♣" }, { id: "y", face: "2♦" }, { id: "z", face: "3♦" }] }, b: { hidden: true }, c: { hidden: true } }, ...more });
const held = (tree) => withClass(tree, "held");

test("three marked cards are added up, and laid as the legal action that names them", () => {
  const { draw, played } = seated(table, VIEW, { legal: threes(HAND) });
  for (const i of [3, 0, 2]) held(draw())[i].props.onclick();
  assert.match(words(withClass(draw(), "sum")[0]), /5/);
  button(draw(), "5트릭으로 내려놓기").props.onclick();
  assert.deepEqual(played, [{ type: "bid", cardIds: ["0D06", "2H10", "3C11"] }]);
});

test("with fewer than three the button says how many are lacking, and why nothing happens", () => {
  const { draw, played, hints: said } = seated(table, VIEW, { legal: threes(HAND) });
  held(draw())[0].props.onclick();
  button(draw(), "2장 더 골라요").props.onclick();
  assert.deepEqual([played, said], [[], ["비딩 카드 3장을 골라 주세요. 지금 1장이에요"]]);
});

test("a fourth card is not taken, a marked one is taken back", () => {
  const { draw, ctx, hints: said } = seated(table, VIEW, { legal: threes(HAND) });
  for (const i of [0, 1, 2, 3]) held(draw())[i].props.onclick();
  assert.equal(said.length, 1);
  held(draw())[1].props.onclick();
  assert.deepEqual(ctx.ui.bid, ["0D06", "2H10"]);
});

test("ten more count where the table says so", () => {
  const bid = (form, picks) => {
    const { draw } = seated(table, { ...VIEW, options: { ...VIEW.options, form }, hand: [...HAND, { id: "0D07", face: "7♦", value: 0 }, { id: "0D08", face: "8♦", value: 0 }] }, { legal: threes(HAND) });
    for (const i of picks) held(draw())[i].props.onclick();
    return words(withClass(draw(), "lay")[0]);
  };
  assert.match(bid("noNpc", [0, 1, 2]), /3 또는 13트릭/);
  assert.match(bid("four", [0, 5, 6]), /0 또는 10트릭/);
  assert.match(bid("four", [0, 1, 2]), /3트릭으로/);
});

test("marks do not outlive their round", () => {
  const { draw, ctx } = seated(table, VIEW, { legal: threes(HAND) });
  held(draw())[0].props.onclick();
  ctx.state = { ...ctx.state, view: { ...VIEW, round: 3 } };
  assert.equal(withClass(draw(), "picked").length, 0);
});

test("others' bids lie face down; a shown one lies open with its number", () => {
  const shown = { tricks: 6, cards: [{ id: "p", face: "2♣" }, { id: "q", face: "3♣" }, { id: "r", face: "4♦" }] };
  const tree = seated(table, playing({ bids: { ...playing().bids, b: shown } })).draw();
  const [b, c] = withClass(tree, "plate");
  assert.equal(withClass(c, "back").length, 3);
  assert.equal(withClass(b, "back").length, 0);
  assert.match(b.props["aria-label"], /비딩 6/);
  assert.match(c.props["aria-label"], /비딩은 비밀/);
});

test("the first tap picks a card up, the second plays it", () => {
  const { draw, played } = seated(table, playing(), { legal: plays("2H10", "JK") });
  held(draw())[2].props.onclick();
  assert.deepEqual(played, []);
  held(draw())[2].props.onclick();
  assert.deepEqual(played, plays("2H10"));
});

test("a card that cannot follow is dimmed, and says which suit must", () => {
  const { draw, played, hints: said } = seated(table, playing(), { legal: plays("2H10", "JK") });
  const card = held(draw())[3];
  assert.ok(card.props.class.includes("dead"));
  assert.match(card.props["aria-label"], /낼 수 없어요/);
  card.props.onclick();
  assert.deepEqual([played, said], [[], ["♥ 하트를 가지고 있으면 그 무늬를 내야 해요"]]);
});

test("out of turn a card can be picked, not played", () => {
  const { draw, played, hints: said } = seated(table, playing({ current: "b", waiting: ["b"] }), { decision: 0 });
  held(draw())[0].props.onclick();
  held(draw())[0].props.onclick();
  assert.deepEqual([played, said], [[], ["아직 내 차례가 아니에요"]]);
});

test("the NPC's cards are played from its open hand by whoever leads it", () => {
  const view = playing({ seats: ["a", "b"], options: { ...VIEW.options, form: "npc" }, current: "npc", controller: "a", hands: { npc: [{ id: "0D09", face: "9♦" }] }, bids: { npc: { hidden: true } }, tricksWon: { a: 0, b: 0, npc: 1 }, scores: { a: 0, b: 0, npc: 0 }, trick: [] });
  const { draw, played } = seated(table, view, { legal: plays("0D09") });
  const [card] = held(withClass(draw(), "openhand")[0]);
  card.props.onclick();
  held(withClass(draw(), "openhand")[0])[0].props.onclick();
  assert.deepEqual(played, plays("0D09"));
  const looking = seated(table, { ...view, controller: "b", waiting: ["b"] }, { decision: 0 }).draw();
  assert.equal(held(withClass(looking, "openhand")[0]).length, 0);
});

test("a trick stays for a moment after its last card, with who took it", () => {
  const scene = seated(table, playing());
  scene.draw();
  const last = [["2H09", "9♥", "c"], ["2H10", "10♥", "a"], ["2H06", "6♥", "b"]].map(([id, face, player]) => ({ id, face, player }));
  scene.ctx.state = { ...scene.ctx.state, view: playing({ trick: [], lastTrick: last }), log: [{ n: 1, event: { type: "trickWon", player: "a", tricks: 1 } }] };
  const [taker] = withClass(scene.draw(), "taker");
  assert.match(taker.props["aria-label"], /지호: 하트 10, 땄어요/);
  scene.ctx.ui.heldUntil = 0;
  assert.equal(withClass(scene.draw(), "taker").length, 0);
});

test("a premium bid is offered with what it is worth; a number is chosen where one is to be said", () => {
  const kinds = [{ type: "premium", kind: "none" }, { type: "premium", kind: "declare", tricks: { min: 0, max: 9 } }];
  const { draw, played } = seated(table, { ...VIEW, phase: "premium" }, { legal: kinds });
  find(draw(), ({ props }) => props["aria-label"] === "하나 늘리기")[0].props.onclick();
  const declare = button(draw(), "트릭 수 선언");
  assert.match(words(declare), /30점/);
  declare.props.onclick();
  assert.deepEqual(played, [{ type: "premium", kind: "declare", tricks: 4 }]);
});

test("the declarer names a trump suit, or none", () => {
  const legal = ["S", "H", "D", "C", null].map((suit) => ({ type: "trump", suit }));
  const { draw, played } = seated(table, { ...VIEW, phase: "trump", trump: null, turnUp: null, current: "a", waiting: ["a"] }, { legal });
  button(draw(), "트럼프 없이").props.onclick();
  button(draw(), "클로버").props.onclick();
  assert.deepEqual(played.map(({ suit }) => suit), [null, "C"]);
});

test("the round's score tells success by a sign and a word, not by colour alone; one's own failed bid is known to oneself", () => {
  const row = (more) => ({ tricks: 3, made: false, bid: null, bonus: 0, premium: 0, points: 3, ...more });
  const view = playing({ phase: "roundEnd", current: null, waiting: ["a"], lastRound: { a: row({}), b: row({ made: true, bid: 3, bonus: 30, points: 33 }), c: row({}) }, trick: [] });
  const { draw, played } = seated(table, view, { legal: [{ type: "ready" }] });
  const rows = find(draw(), ({ tag }) => tag === "tr").slice(1).map(words);
  assert.match(rows[0], /지호\s+3\s+3.*실패/);
  assert.match(rows[1], /성공.*\+33/);
  assert.match(rows[2], /\?/);
  button(draw(), "다음 라운드").props.onclick();
  assert.deepEqual(played, [{ type: "ready" }]);
});

test("the score sheet has every round and the sum", () => {
  const { ctx, draw } = seated(table, VIEW);
  button(draw(), "점수표").props.onclick();
  assert.equal(ctx.ui.scores, true);
  assert.match(words(withClass(draw(), "scores")[0]), /1\s+12\s+31\s+0.*합계\s+12\s+31\s+0/s);
});

test("a spectator has no hand and is asked nothing", () => {
  const { hand: _, ...view } = playing();
  const tree = seated(table, view, { me: "z", decision: 0 }).draw();
  assert.equal(held(tree).length, 0);
  assert.equal(withClass(tree, "plate").length, 3);
});

test("events are told with names; the NPC by its own", () => {
  const name = (player) => ({ a: "지호", b: "민서" })[player] ?? player;
  assert.equal(describe({ type: "cardPlayed", player: "npc", by: "a", cardId: "0D09", face: "9♦" }, name), "NPC: 9♦ (지호가 냄)");
  assert.equal(describe({ type: "trickWon", player: "b", tricks: 2 }, name), "민서가 트릭을 땄어요 (2)");
  assert.equal(describe({ type: "bidPlaced", player: "b" }, name), "민서가 비딩 카드를 놓았어요");
  assert.equal(describe({ type: "handDealt", player: "a", cards: [] }, name), null);
  assert.equal(sound({ type: "trickWon" }), "take");
  assert.equal(chapter({ type: "roundStarted", round: 4 }), "4라운드");
  assert.equal(score({ score: 31 }), "31점");
});

test("hints come when they matter", () => {
  const ids = (view, me = "a") => hints({ view, you: { player: me } }).map(({ id }) => id);
  assert.deepEqual(ids(VIEW), ["prl-bid", "prl-joker"]);
  assert.deepEqual(ids(playing({ current: "b", waiting: ["b"] })), []);
});
