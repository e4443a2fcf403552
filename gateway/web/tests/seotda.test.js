/** tables/seotda.js: what it draws of a view, what its buttons do, what it says of events. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { chapter, describe, details, hints, score, sound, table } from "../tables/seotda.js";
import { hwatu, hwatuBack, plain, sample } from "../tables/seotda/cards.js";
import { shownHands } from "../tables/seotda/middle.js";
import { whyNot } from "../tables/seotda/mine.js";
import { fits, lines } from "../tables/seotda/ranking.js";
import { around, doing, places } from "../tables/seotda/seats.js";
import { shout } from "../tables/seotda/words.js";
import { all, button, find, seated, withClass, words } from "./looking.js";

const OPTIONS = { cardMode: "two", dealMode: "twoRounds", startingChips: 1000, baseUnit: 10, maxRaise: "half", endCondition: "hands", handLimit: 20, turnSeconds: 20, gwangTtaeng: "all", ttaengjabi: "strict", amhaeng: true, gusa: true, mungGusa: "upTo8", hints: true };
const card = (month, kind) => ({ id: (month - 1) * 2 + (kind === "normal" ? 1 : 0), month, kind, face: `${month}${{ gwang: "광", yeol: "열", normal: "띠" }[kind]}`, label: `${month}월 ${kind}` });
const HIDDEN = { hidden: true };
const person = (more) => ({ seat: 0, stack: 990, status: "playing", away: false, rebuys: 0, inHand: true, folded: false, allIn: false, committedRound: 0, committedTotal: 10, lastAction: null, chosen: false, cards: [HIDDEN, HIDDEN], ...more });

/** 지호 (a) is asked; 민서 has bet 60; 서연 is dead. */
function scene(more = {}, players = {}) {
  const hand = more.hand ?? [card(1, "normal"), card(2, "yeol")];
  return {
    phase: "betting", options: { ...OPTIONS, ...more.options }, baseUnit: 10, handNo: 3, handsPlayed: 2, rematchNo: 0, rematchReason: null, seats: ["a", "b", "c"], dealer: "b", current: "a", waitingFor: ["a"], street: 1, currentBet: 60,
    pot: 150, pots: [{ amount: 90, eligible: ["a", "b"] }], showdown: null, won: {}, publicLog: [], discarded: [], handName: "알리", hint: "지금 패는 알리예요. 좋은 패예요.", strength: "높음",
    legalActions: [{ type: "call", amount: 60, label: "콜 (+60)" }, { type: "half", amount: 165, label: "하프 (+165)" }, { type: "die", amount: 0, label: "다이" }],
    ...more, hand,
    players: { a: person({ cards: hand, ...players.a }), b: person({ committedRound: 60, lastAction: "삥", ...players.b }), c: person({ inHand: false, folded: true, lastAction: "다이", ...players.c }) },
  };
}
const LEGAL = [{ type: "call" }, { type: "half" }, { type: "die" }];
const bet = (tree, type) => withClass(tree, `bet-${type}`).find(({ tag }) => tag === "button");

test("all twenty cards are drawn, each differently, and each says its month and kind by letters", () => {
  const deck = Array.from({ length: 10 }, (_, i) => [card(i + 1, [1, 3, 8].includes(i + 1) ? "gwang" : "yeol"), card(i + 1, "normal")]).flat();
  for (const draw of [hwatu, plain]) {
    const pictures = deck.map((one) => decodeURIComponent(draw(one).props.src));
    assert.equal(new Set(pictures).size, 20);
    deck.forEach(({ month, kind }, i) => {
      assert.ok(pictures[i].includes(`>${month}</text>`), `${month}`);
      assert.equal(pictures[i].includes(">광</text>"), kind === "gwang");
      assert.equal(pictures[i].includes(">열</text>"), kind === "yeol");
    });
  }
  assert.equal(hwatuBack().props["data-face"], undefined, "a back says nothing");
  assert.equal(sample(deck[0]).props["data-face"], undefined, "an example is nobody's card");
  assert.equal(hwatu(deck[0]), hwatu({ ...deck[0] }), "a card is described once");
});

test("people sit clockwise from my left, and nobody on anybody else", () => {
  assert.deepEqual(around(["a", "b", "c", "d"], "c"), ["c", "d", "a", "b"]);
  assert.deepEqual(around(["a", "b"], null), ["a", "b"]);
  for (let n = 1; n <= 9; n += 1) {
    const spots = places(n);
    assert.equal(spots.length, n);
    for (const [i, one] of spots.entries()) {
      assert.ok(one.x >= 0 && one.x <= 1 && one.y >= 0 && one.y <= 1);
      for (const other of spots.slice(0, i)) assert.ok(Math.abs(one.x - other.x) >= 0.2 || Math.abs(one.y - other.y) >= 0.38, `${n}`);
    }
    const turns = spots.map(({ x, y }) => Math.atan2(0.5 - x, 0.6 - y));
    assert.deepEqual(turns, turns.toSorted((a, b) => b - a), "from the left over the top to the right");
  }
});

test("each of the others is said whole: name, chips, what they did, how many cards lie there", () => {
  const tree = seated(table, scene()).draw();
  const said = withClass(tree, "sitter").map(({ children }) => children[0].props["aria-label"]);
  assert.deepEqual(said, ["민서, 선, 칩 990, 삥 60, 뒤집힌 카드 2장", "서연, 칩 990, 다이, 뒤집힌 카드 2장"]);
  assert.deepEqual(doing(scene({}, { b: { allIn: true, committedRound: 60 } }), "b"), { word: "올인 60", look: "allin" });
  assert.equal(doing(scene({ phase: "handEnd", won: { b: 240 } }), "b").word, "+240");
  assert.equal(doing(scene({}, { b: { status: "eliminated", inHand: false } }), "b").word, "탈락");
});

test("a bet is made by its button, for what the server asks", () => {
  const { draw, played } = seated(table, scene(), { legal: LEGAL });
  assert.equal(bet(draw(), "call").props["aria-label"], "콜 60칩, 걸면 판돈 210");
  assert.equal(find(bet(draw(), "call"), ({ tag }) => tag === "small")[0].props["data-says"], "+60");
  bet(draw(), "half").props.onclick();
  assert.deepEqual(played, [{ type: "half" }]);
});

test("every bet keeps its place, and one that cannot be made says why", () => {
  const { draw, played, hints: said } = seated(table, scene(), { legal: LEGAL });
  const order = (tree) => find(tree, ({ tag, props }) => tag === "button" && props.class?.startsWith("bet")).map((one) => one.props.class.split(" ")[1].slice(4));
  assert.deepEqual(order(draw()), ["die", "check", "ping", "call", "ddadang", "quarter", "half"]);
  assert.equal(bet(draw(), "check").props["aria-disabled"], "true");
  bet(draw(), "check").props.onclick();
  assert.deepEqual(played, []);
  assert.deepEqual(said, ["누가 이미 걸어서 체크를 할 수 없어요"]);
  const full = seated(table, scene({ options: { maxRaise: "full" } }), { legal: [] });
  assert.equal(order(full.draw()).at(-1), "full");
  assert.equal(whyNot(scene({ current: "b" }), "a", "call"), "지금은 내 차례가 아니에요");
  assert.equal(whyNot(scene({ currentBet: 0 }), "a", "call"), "아직 아무도 걸지 않아서 콜을 할 수 없어요");
  assert.equal(whyNot(scene({}, { a: { lastAction: "체크" } }), "a", "half"), "이번 라운드에는 더 올릴 수 없어요(콜 또는 다이)");
});

test("a last chip is called all-in on the button", () => {
  const { draw } = seated(table, scene({}, { a: { stack: 60 } }), { legal: LEGAL });
  assert.match(bet(draw(), "call").props["aria-label"], /^콜 60칩, 올인/);
});

test("whoever could stay for nothing is asked again before dying", () => {
  const free = scene({ currentBet: 0, legalActions: [{ type: "check", amount: 0, label: "체크" }, { type: "die", amount: 0, label: "다이" }] });
  const { draw, played, hints: said } = seated(table, free, { legal: [{ type: "check" }, { type: "die" }] });
  bet(draw(), "die").props.onclick();
  assert.deepEqual(played, []);
  assert.match(said[0], /체크하면/);
  assert.ok(words(bet(draw(), "die")).includes("정말 다이"));
  bet(draw(), "die").props.onclick();
  assert.deepEqual(played, [{ type: "die" }]);
});

test("chips fly to the pot, more of them for more, and from it to who has won", () => {
  const { ctx, draw } = seated(table, scene(), { legal: LEGAL });
  draw();
  const unit = ctx.state.view.baseUnit;
  const events = [{ type: "ante", player: "b", amount: unit }, { type: "bet", player: "a", bet: "half", label: "하프", amount: 7 * unit }, { type: "bet", player: "b", bet: "check", label: "체크", amount: 0 }, { type: "potWon", winners: ["a"], amount: unit }];
  ctx.state = { ...ctx.state, logged: events.length, log: events.map((event, i) => ({ n: i + 1, game: 0, event })) };
  assert.equal(withClass(draw(), "toss").length, 5);
  assert.deepEqual(ctx.ui.moving.map(({ from, to }) => `${from} ${to}`), ["b $pot", "a $pot", "a $pot", "a $pot", "$pot a"]);
});

test("looking at a bet shows what it would make of the pot", () => {
  const { draw } = seated(table, scene(), { legal: LEGAL });
  assert.equal(withClass(draw(), "then").length, 0);
  bet(draw(), "half").props.onmouseenter();
  assert.equal(words(withClass(draw(), "then")[0]), "걸면 315");
  bet(draw(), "half").props.onmouseleave();
  assert.equal(withClass(draw(), "then").length, 0);
});

test("my cards can be covered, and then neither they nor what they make are in the document", () => {
  const { draw } = seated(table, scene(), { legal: LEGAL });
  assert.ok(words(withClass(draw(), "made")[0]).includes("알리"));
  withClass(draw(), "mycard")[0].props.onclick();
  const tree = draw();
  assert.ok(!words(tree).includes("좋은 패"));
  assert.equal(find(withClass(tree, "hand")[0], ({ props }) => "data-face" in props).length, 0);
  assert.equal(find(tree, ({ props }) => props.class?.includes("here")).length, 0, "nor does the table of hands tell");
  withClass(tree, "mycard")[1].props.onclick();
  assert.ok(words(draw()).includes("알리"));
});

test("two of three are picked, named before they are settled, and proposed", () => {
  const hand = [card(1, "gwang"), card(4, "yeol"), card(8, "gwang")];
  const pair = (a, b, handName, recommended) => ({ type: "choose", cardIds: [hand[a].id, hand[b].id], label: "", handName, recommended });
  const view = scene({ phase: "choose", current: null, hand, handName: null, hint: null, strength: null, legalActions: [pair(0, 1, "독사", false), pair(0, 2, "18광땡", true), pair(1, 2, "2끗", false)] });
  const legal = view.legalActions.map(({ type, cardIds }) => ({ type, cardIds }));
  const { draw, played, hints: said } = seated(table, view, { legal });
  const cards = () => withClass(draw(), "mycard");
  button(draw(), "2장 더 골라요").props.onclick();
  assert.deepEqual(said, ["카드 두 장을 골라 주세요"]);
  cards()[0].props.onclick();
  cards()[1].props.onclick();
  assert.ok(words(withClass(draw(), "made")[0]).includes("독사"));
  cards()[2].props.onclick(); // a third takes the place of the first
  assert.ok(button(draw(), "2끗으로 정하기"));
  button(draw(), "추천 조합").props.onclick();
  button(draw(), "18광땡으로 정하기").props.onclick();
  assert.deepEqual(played, [{ type: "choose", cardIds: [0, 14] }]);
});

test("who had covered their cards sees them, and what they make, while two are to be chosen", () => {
  const pair = { type: "choose", cardIds: [0, 14], label: "1광 8광", handName: "18광땡" };
  const hand = [card(1, "gwang", 0), card(8, "gwang", 14), card(2, "normal", 2)];
  const view = scene({ phase: "choose", current: null, hand, handName: null, hint: null, strength: null, legalActions: [pair] });
  const { ctx, draw } = seated(table, view, { legal: [{ type: "choose", cardIds: [0, 14] }] });
  ctx.ui.covered = true;
  withClass(draw(), "mycard")[0].props.onclick();
  withClass(draw(), "mycard")[1].props.onclick();
  const made = words(withClass(draw(), "made")[0]);
  assert.ok(made.includes("18광땡") && !made.includes("가려"), made);
});

test("without hints nothing is named before the showdown", () => {
  const hand = [card(1, "gwang"), card(4, "yeol"), card(8, "gwang")];
  const view = scene({ phase: "choose", hand, handName: undefined, hint: undefined, strength: undefined, options: { hints: false }, legalActions: [{ type: "choose", cardIds: [0, 14], label: "1광 8광" }] });
  const { draw } = seated(table, view, { legal: [{ type: "choose", cardIds: [0, 14] }] });
  assert.equal(button(draw(), "추천 조합"), undefined);
  withClass(draw(), "mycard")[0].props.onclick();
  withClass(draw(), "mycard")[2].props.onclick();
  assert.ok(button(draw(), "이 두 장으로 정하기"));
});

test("between hands the server's offers are buttons", () => {
  const view = scene({ phase: "rebuy", current: null, legalActions: [{ type: "rebuy", accept: true, label: "칩 다시 받기 (+1000)" }, { type: "rebuy", accept: false, label: "그만하기" }] }, { a: { inHand: false, status: "busted", stack: 0 } });
  const { draw, played } = seated(table, view, { legal: [{ type: "rebuy", accept: true }, { type: "rebuy", accept: false }] });
  button(draw(), "그만하기").props.onclick();
  button(draw(), "칩 다시 받기").props.onclick();
  assert.deepEqual(played, [{ type: "rebuy", accept: false }, { type: "rebuy", accept: true }]);
});

const SHOWDOWN = { hands: [{ player: "a", cards: [card(4, "normal"), card(9, "yeol")], name: "구사", value: 3, special: "gusa" }, { player: "b", cards: [card(1, "gwang"), card(2, "normal")], name: "알리", value: 806, special: null }], outcomes: [{ type: "rematch", potIndex: 0, amount: 150, players: ["a", "b"], reason: "gusa" }] };

test("hands lie open at the end of a hand, and a moment longer where a rematch is dealt at once", () => {
  assert.deepEqual([...shownHands(scene({ phase: "handEnd", showdown: SHOWDOWN }), null).keys()], ["a", "b"]);
  assert.equal(shownHands(scene({ rematchNo: 1, showdown: SHOWDOWN }), null).size, 0);
  const before = scene();
  const one = seated(table, before);
  one.draw();
  Object.assign(one.ctx.state, { view: scene({ rematchNo: 1, rematchReason: "gusa", showdown: SHOWDOWN }), logged: 1, log: [{ n: 1, event: { type: "rematchStarted", rematchNo: 1, reason: "gusa", dealer: "b", participants: ["a", "b"] } }] });
  const tree = one.draw();
  assert.ok(withClass(tree, "sitter")[0].children[0].props["aria-label"].includes("알리"));
  assert.equal(words(withClass(tree, "rematch")[0]), "재경기 1회차 구사");
  assert.equal(words(withClass(tree, "shout")[0]), "구사 재경기");
});

test("a page that is opened in the middle of things shouts nothing", () => {
  const { draw } = seated(table, scene({ phase: "handEnd", won: { b: 150 } }), { log: [{ n: 1, event: { type: "potWon", winners: ["b"], amount: 150, reason: "amhaeng", potIndex: 0 } }] });
  assert.equal(withClass(draw(), "shout").length, 0);
});

test("who has won stands in the middle, with the hand and all that was paid", () => {
  const outcomes = [{ type: "win", potIndex: 1, amount: 40, players: ["a"], reason: "normal" }, { type: "win", potIndex: 0, amount: 150, players: ["b"], reason: "ttaengjabi" }];
  const tree = seated(table, scene({ phase: "handEnd", current: null, showdown: { ...SHOWDOWN, outcomes }, won: { a: 40, b: 150 } })).draw();
  assert.match(words(withClass(tree, "winner")[0]), /민서 승!.*땡잡이로 땡을 잡았어요.*민서 +\+150.*지호 +\+40/);
});

test("who only watches has no hand, no buttons, and sees the first seat below", () => {
  const { hand: _, handName: __, hint: ___, strength: ____, legalActions: _____, discarded: ______, ...view } = scene();
  view.players.a.cards = [HIDDEN, HIDDEN];
  const tree = seated(table, view, { me: "z", decision: 0 }).draw();
  assert.equal(withClass(tree, "sitter").length, 3);
  assert.equal(withClass(tree, "hand").length + withClass(tree, "bets").length, 0);
  assert.equal([...all(tree)].filter(({ props }) => "data-face" in props).length, 0);
});

test("the table of hands has the lines of these options, and marks mine", () => {
  const names = (options) => Object.values(lines({ ...OPTIONS, ...options })).map((list) => list.map(([name]) => name));
  assert.deepEqual(names({})[1], ["땡잡이", "암행어사", "구사", "멍텅구리구사"]);
  assert.deepEqual(names({ gwangTtaeng: "only38", ttaengjabi: "off", gusa: false }), [["38광땡", "장땡", "9땡~2땡", "삥땡", "알리", "독사", "구삥", "장삥", "장사", "세륙", "갑오", "8끗~1끗", "망통"], ["암행어사"]]);
  const here = (mine) => lines(OPTIONS).plain.filter((line) => fits(line, mine)).map(([name]) => name);
  assert.deepEqual([here("5땡"), here("5끗"), here("삥땡"), here("13광땡"), here(null)], [["9땡~2땡"], ["8끗~1끗"], ["삥땡"], ["13광땡"], []]);
  const tree = seated(table, scene({ handName: "구사 - 상대가 알리 이하면 재경기" }), { legal: LEGAL }).draw();
  assert.deepEqual(withClass(tree, "here").map((line) => words(line).trim()), ["구사 상대가 알리 이하면 재경기. 아니면 3끗 내 패"]);
});

const name = (player) => ({ a: "지호", b: "민서" })[player] ?? player;

test("events are told, noise is not", () => {
  assert.equal(describe({ type: "bet", player: "a", bet: "half", label: "하프", amount: 165, allIn: true }, name), "지호: 하프 (+165) 올인!");
  assert.equal(describe({ type: "shown", player: "b", cards: SHOWDOWN.hands[1].cards, name: "알리" }, name), "민서: 1광 2띠 알리");
  assert.equal(describe({ type: "potWon", potIndex: 0, amount: 1240, winners: ["a", "b"], reason: "normal" }, name), "지호, 민서가 판돈 1,240칩을 나눠 가져가요");
  assert.equal(describe({ type: "potWon", potIndex: 1, amount: 40, winners: ["a"], reason: "alone" }, name), "지호가 사이드 팟 40칩을 가져가요 (혼자 남았어요)");
  assert.equal(describe({ type: "rematchStarted", rematchNo: 2, reason: "tie", participants: ["a", "b"] }, name), "동점 재경기 2회차: 지호, 민서");
  for (const type of ["dealt", "ready", "showdown", "handEnded"]) assert.equal(describe({ type, to: "a" }, name), null);
  assert.equal(chapter({ type: "handStarted", handNo: 4 }), "4판");
  assert.equal(sound({ type: "bet", bet: "call" }), "coin");
  assert.equal(sound({ type: "bet", bet: "die" }), "card");
});

test("special hands are shouted when they strike, and great ones when they win", () => {
  const won = (reason, winners = ["b"]) => ({ type: "potWon", reason, winners });
  assert.equal(shout(won("ttaengjabi")), "땡잡이!");
  assert.equal(shout(won("amhaeng")), "암행어사 출두!");
  assert.equal(shout(won("normal"), [{ player: "b", name: "38광땡" }, { player: "a", name: "9땡" }]), "38광땡!");
  assert.equal(shout(won("normal"), [{ player: "b", name: "알리" }, { player: "a", name: "장땡" }]), null);
  assert.equal(shout({ type: "rematchStarted", reason: "mungGusa" }), "멍텅구리구사 재경기");
});

test("what a game came to", () => {
  assert.equal(score({ score: 1860, rebuys: 0, finalChips: 1860 }, { options: OPTIONS }), "+860칩");
  assert.equal(score({ score: -140, rebuys: 1, finalChips: 860 }, { options: OPTIONS }), "−1,140칩 · 다시 받기 1번");
  assert.equal(score({ score: 1, eliminatedAtHand: 7, rebuys: 0 }, { options: { ...OPTIONS, endCondition: "lastStanding" } }), "7판에 탈락");
  const stats = { handsPlayed: 20, rematches: 2, bestHand: { player: "b", name: "38광땡", handNo: 4 }, biggestPot: { handNo: 9, amount: 1240, winners: ["a"] } };
  assert.deepEqual(details({ result: { stats } }, name), [["한 판", "20판, 재경기 2번"], ["최고 족보", "38광땡 · 민서 (4판)"], ["가장 큰 판돈", "1,240칩 · 지호 (9판)"]]);
  assert.deepEqual(details({ result: { stats: { ...stats, rematches: 0, bestHand: null, biggestPot: null } } }, name), [["한 판", "20판"]]);
});

test("a newcomer is told what is asked, when it is asked", () => {
  const ids = (view, legal) => hints({ view, legal, you: { player: "a" } }).map(({ id }) => id);
  assert.deepEqual(ids(scene(), LEGAL), ["sd-lead", "sd-call", "sd-made", "sd-cover"]);
  assert.ok(ids(scene({ handName: "구사 - 상대가 알리 이하면 재경기" }), []).includes("sd-special"));
  assert.ok(ids(scene({ rematchNo: 1 }), []).includes("sd-rematch"));
});
