/** ui/cards.js: what is drawn and said of a card, from its written face alone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardBack, parsed, playingCard, spoken } from "../ui/cards.js";
import { SUITS } from "../ui/icons.js";

test("a face comes apart into rank and suit, a joker into what it counts as", () => {
  assert.deepEqual(parsed("10♥"), { joker: false, suit: "H", rank: "10" });
  assert.deepEqual(parsed("A♠"), { joker: false, suit: "S", rank: "A" });
  assert.deepEqual(parsed("조커(J♣)"), { joker: true, suit: "C", rank: "J" });
  assert.deepEqual(parsed("조커"), { joker: true, suit: null, rank: "" });
});

test("it is read out with the suit's name", () => {
  assert.deepEqual(["10♥", "A♦", "조커(J♣)", "조커"].map(spoken), ["하트 10", "다이아몬드 A", "클로버 J 조커", "조커"]);
});

const picture = (vnode) => decodeURIComponent(vnode.props.src.replace("data:image/svg+xml,", ""));
const shapes = (vnode) => [...picture(vnode).matchAll(/<path d="([^"]+)" fill="#/g)].map(([, path]) => path);

test("every card shows its rank and, twice, the shape of its suit; a joker says that it is one", () => {
  for (const face of ["2♠", "10♥", "J♦", "Q♣", "K♠", "A♥"]) {
    assert.ok(picture(playingCard(face)).includes(`>${face.slice(0, -1)}</text>`), face);
    assert.equal(shapes(playingCard(face)).filter((path) => path === SUITS[parsed(face).suit].path).length, 2, face);
  }
  assert.match(picture(playingCard("조커(7♥)")), />7<.*>조커</);
  assert.match(picture(playingCard("조커")), />조커</);
});

test("suits differ by shape and by colour", () => {
  const cards = ["♠", "♥", "♦", "♣"].map((sign) => playingCard(`5${sign}`));
  assert.equal(new Set(cards.map((card) => shapes(card)[0])).size, 4);
  assert.equal(new Set(cards.map((card) => picture(card).match(/<text[^>]*fill="([^"]+)"/)[1])).size, 4);
});

test("a card face down tells nothing", () => {
  assert.doesNotMatch(picture(cardBack()), /<text/);
  assert.equal(cardBack(), cardBack());
  assert.equal(cardBack().props["data-face"], undefined);
});

test("a card is described once, however often it is drawn", () => {
  assert.equal(playingCard("9♣"), playingCard("9♣"));
});
