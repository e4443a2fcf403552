/** ui/cards.js: what is drawn and said of a card, from its written face alone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardBack, parsed, playingCard, spoken } from "../ui/cards.js";
import { all, words } from "./looking.js";

test("a face comes apart into rank and suit, a joker into what it counts as", () => {
  assert.deepEqual(parsed("10♥"), { joker: false, suit: "H", rank: "10" });
  assert.deepEqual(parsed("A♠"), { joker: false, suit: "S", rank: "A" });
  assert.deepEqual(parsed("조커(J♣)"), { joker: true, suit: "C", rank: "J" });
  assert.deepEqual(parsed("조커"), { joker: true, suit: null, rank: "" });
});

test("it is read out with the suit's name", () => {
  assert.deepEqual(["10♥", "A♦", "조커(J♣)", "조커"].map(spoken), ["하트 10", "다이아몬드 A", "조커, 클로버 J로 셈", "조커"]);
});

test("every card shows its rank and the shape of its suit; a joker says that it is one", () => {
  for (const face of ["2♠", "10♥", "J♦", "Q♣", "K♠", "A♥"]) {
    const card = playingCard(face);
    assert.ok(words(card).includes(face.slice(0, -1)), face);
    assert.ok([...all(card)].filter(({ tag, props }) => tag === "path" && props.transform).length >= 2, face);
  }
  assert.match(words(playingCard("조커(7♥)")), /7.*조커/);
  assert.match(words(playingCard("조커")), /조커/);
});

test("suits differ by shape", () => {
  const shapes = ["S", "H", "D", "C"].map((suit) => [...all(playingCard(`5${{ S: "♠", H: "♥", D: "♦", C: "♣" }[suit]}`))].find(({ tag }) => tag === "path").props.d);
  assert.equal(new Set(shapes).size, 4);
});

test("a card face down tells nothing", () => {
  assert.equal(words(cardBack()).trim(), "");
  assert.deepEqual(cardBack(), cardBack());
});
