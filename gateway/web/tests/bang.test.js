/** tables/bang.js: who can be aimed at, what is asked, what is kept from sight; its words in three sets of names. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { rules } from "../rules/bang.js";
import { answers, ready } from "../tables/bang/ask.js";
import { card, portrait, role } from "../tables/bang/art.js";
import { CARDS, effect, KINDS_IN_ORDER, particle, parts, say, spoken } from "../tables/bang/words.js";
import { chapter, describe, details, hints, score, sound, table } from "../tables/bang.js";
import { button, find, seated, withClass, words } from "./looking.js";

const NAMES = { a: "지호", b: "민서", c: "서연", d: "현우" };
const name = (player) => NAMES[player] ?? player;

const HAND = [
  { id: 3, face: "사격 5♦", kind: "bang", playable: true, reason: "1명에게 쓸 수 있습니다" },
  { id: 25, face: "회피 10♣", kind: "missed", playable: false, reason: "회피는 자기 턴에 낼 수 없습니다" },
  { id: 59, face: "역마차 9♠", kind: "stagecoach", playable: true, reason: "지금 낼 수 있습니다" },
  { id: 47, face: "훼방 K♥", kind: "catBalou", playable: true, reason: "3명에게 쓸 수 있습니다" },
];

const player = (id, seat, more = {}) => ({ id, seat, character: "bart", characterName: "불사신 바위", ability: "다칠 때마다 뽑습니다.", life: 4, maxLife: 4, alive: true, handCount: 3, inPlay: [], weapon: "기본 권총(사거리 1)", range: 1, ...more });

const VIEW = {
  options: { names: "neutral", turnSeconds: 60, reactionSeconds: 15, beginnerHints: "on" }, phase: "play", phaseName: "2단계: 카드 내기", round: 1, current: "a", bangsPlayed: 0,
  players: [
    player("a", 0, { role: "outlaw", roleName: "무법자", handCount: 4 }),
    player("b", 1, { role: "sheriff", roleName: "보안관", life: 3, maxLife: 5, distance: 1, inRange: true, inPlay: [{ id: 63, face: "나무통 Q♠", kind: "barrel" }] }),
    player("c", 2, { distance: 2, inRange: false }),
    player("d", 3, { alive: false, life: 0, handCount: 0, role: "renegade", roleName: "배신자", distance: 1, inRange: true }),
  ],
  deckCount: 40, discard: [{ id: 9, face: "사격 J♦" }], reactions: [], log: [], deathOrder: ["d"], deadline: 1, me: "a", role: "outlaw", roleName: "무법자", roleTip: "보안관을 물리치면 이겨요.", hand: HAND,
  labels: [{ id: "hand", face: "손패 무작위 1장" }],
};

const LEGAL = [
  { type: "play", cardId: 3, target: "b" },
  { type: "play", cardId: 59 },
  { type: "play", cardId: 47, target: "b", targetCard: "hand" },
  { type: "play", cardId: 47, target: "b", targetCard: 63 },
  { type: "play", cardId: 47, target: "c", targetCard: "hand" },
  { type: "endPlay" },
];

const scene = ({ view = {}, legal = LEGAL, decision = 7, log = [], pending = [] } = {}) => {
  const all = { ...VIEW, ...view };
  return seated(table, { ...all, seats: ["a", "b", "c", "d"] }, { names: NAMES, legal, decision, log, pending });
};

const mine = (tree) => withClass(tree, "mycard");
const posters = (tree) => Object.fromEntries(withClass(tree, "poster").map((one) => [one.props["data-at"], one]));
const has = (vnode, cls) => vnode.props.class.split(" ").includes(cls);

test("a card picked lights whom it can be played at, and greys the others with the distance", () => {
  const { draw, played, hints: said } = scene();
  mine(draw())[0].props.onclick();
  const { b, c, d } = posters(draw());
  assert.ok(has(b, "aimed") && has(c, "off") && has(d, "off"));
  assert.ok(find(c, ({ props }) => props["data-says"] === "거리 2 / 사거리 1").length === 1);
  assert.match(b.props["aria-label"], /고를 수 있음/);
  c.props.onclick();
  assert.deepEqual(said, ["서연 님에게는 사격을 쓸 수 없어요 (거리 2)"]);
  b.props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: 3, target: "b" }]);
});

test("a card for nobody in particular tells what it does, and is played by a second tap", () => {
  const { draw, played } = scene();
  mine(draw())[2].props.onclick();
  assert.match(words(withClass(draw(), "deeds")[0]), /카드를 2장 뽑아요/);
  mine(draw())[2].props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: 59 }]);
});

test("a card that cannot be used is dead, and says why", () => {
  const { draw, played, hints: said } = scene();
  const dodge = mine(draw())[1];
  assert.ok(has(dodge, "dead"));
  assert.match(dodge.props["aria-label"], /자기 턴에 낼 수 없습니다/);
  dodge.props.onclick();
  assert.deepEqual([played, said], [[], ["회피는 자기 턴에 낼 수 없습니다"]]);
});

test("where one of several cards can be taken, it is asked which; where only one, not", () => {
  const { ctx, draw, played } = scene();
  mine(draw())[3].props.onclick();
  posters(draw()).b.props.onclick();
  const choices = withClass(draw(), "pick");
  assert.deepEqual(choices.map(({ props }) => props["aria-label"]), ["손패 무작위 1장", "나무통, 스페이드 Q"]);
  choices[1].props.onclick();
  assert.deepEqual(played, [{ type: "play", cardId: 47, target: "b", targetCard: 63 }]);
  assert.equal(ctx.ui.aiming, null);
  mine(draw())[3].props.onclick();
  posters(draw()).c.props.onclick();
  assert.deepEqual(played.at(-1), { type: "play", cardId: 47, target: "c", targetCard: "hand" });
});

test("whoever is no target can be looked at", () => {
  const { ctx, draw } = scene();
  posters(draw()).b.props.onclick();
  const text = words(withClass(draw(), "bngsheet")[0]);
  assert.match(text, /민서.*불사신 바위/s);
  assert.match(text, /맞을 때마다 판정을 해서 ♥가 나오면 피해요/);
  assert.equal(ctx.ui.person, "b");
});

test("my role is nowhere on the page until it is held", () => {
  const { ctx, draw } = scene();
  const seen = JSON.stringify(draw());
  assert.doesNotMatch(seen, /무법자/);
  withClass(draw(), "rolecard")[0].props.onkeydown({ key: " ", preventDefault() {}, stopPropagation() {} });
  assert.match(words(withClass(draw(), "peek")[0]), /무법자.*보안관을 물리치면/s);
  withClass(draw(), "rolecard")[0].props.onkeyup({ key: " ", preventDefault() {}, stopPropagation() {} });
  assert.equal(ctx.ui.peeking, false);
  assert.doesNotMatch(JSON.stringify(draw()), /무법자/);
});

test("the sheriff's is known to all, and so are those of the dead", () => {
  const { b, d } = posters(scene().draw());
  assert.match(b.props["aria-label"], /보안관/);
  assert.match(d.props["aria-label"], /배신자, 쓰러짐/);
});

const shot = (needed, more = {}) => ({ reactions: [{ kind: "bang", name: "사격", player: "a", source: "b", via: "bang", needed, ...more }], current: "b" });

test("an attack is answered from its panel, and the card to lay can be chosen", () => {
  const hand = [...HAND, { id: 26, face: "회피 J♣", kind: "missed", playable: true, reason: "" }];
  const legal = [{ type: "respond", cardIds: [25] }, { type: "respond", cardIds: [26] }, { type: "takeHit" }];
  const { ctx, draw, played } = scene({ view: { ...shot(1), hand }, legal });
  const panel = withClass(draw(), "ask")[0];
  assert.match(words(panel), /사격 공격을 받았어요.*민서가 나를 노렸어요/s);
  assert.deepEqual(ready(ctx), [25]);
  withClass(panel, "pick")[1].props.onclick();
  assert.deepEqual(ready(ctx), [26]);
  button(withClass(draw(), "ask")[0], "회피 내기").props.onclick();
  button(withClass(draw(), "ask")[0], "맞기").props.onclick();
  assert.deepEqual(played, [{ type: "respond", cardIds: [26] }, { type: "takeHit" }]);
});

test("two are needed and one is there: it says so, and nothing is sent", () => {
  const { draw, played, hints: said } = scene({ view: shot(2), legal: [{ type: "takeHit" }] });
  const panel = withClass(draw(), "ask")[0];
  assert.match(words(panel), /회피 2장 필요/);
  assert.match(words(panel), /막을 수 없어요. 회피가 2장 있어야 하는데 1장뿐이에요/);
  const answer = withClass(panel, "answer")[0];
  assert.equal(answer.props["aria-disabled"], "true");
  answer.props.onclick();
  assert.deepEqual([played.length, said.length], [0, 1]);
});

test("both cards lie ready where two are needed and more are there", () => {
  const hand = [25, 26, 27].map((id) => ({ id, face: `회피 ${id - 20}♠`, kind: "missed" }));
  const legal = [[25, 26], [25, 27], [26, 27]].map((cardIds) => ({ type: "respond", cardIds }));
  const { ctx, draw, played } = scene({ view: { ...shot(2), hand }, legal: [...legal, { type: "takeHit" }] });
  assert.equal(answers(ctx.state).need, 2);
  withClass(draw(), "pick")[2].props.onclick();
  assert.deepEqual(ready(ctx), [27, 25]);
  button(withClass(draw(), "ask")[0], "회피 내기").props.onclick();
  assert.deepEqual(played, [{ type: "respond", cardIds: [27, 25] }]);
});

test("the panel asks only whom it is for, and a waiting table says for whom", () => {
  const { draw } = scene({ view: { ...shot(1, { player: "c" }) }, legal: [], decision: 0 });
  assert.equal(withClass(draw(), "ask").length, 0);
  assert.match(words(withClass(draw(), "deeds")[0]), /서연 님이 사격 앞에 섰어요/);
  assert.ok(has(posters(draw()).c, "attacked"));
  assert.ok(!has(draw(), "mine"));
});

test("a healer may act while others answer, yet is not called to", () => {
  const { draw, played } = scene({ view: { ...shot(1, { player: "c" }), current: "a" }, legal: [{ type: "sidHeal", cardIds: [3, 25] }, { type: "sidHeal", cardIds: [3, 59] }] });
  assert.ok(!has(draw(), "mine"));
  button(draw(), "회복").props.onclick();
  mine(draw())[0].props.onclick();
  mine(draw())[2].props.onclick();
  button(withClass(draw(), "deeds")[0], "회복 2/2").props.onclick();
  assert.deepEqual(played, [{ type: "sidHeal", cardIds: [3, 59] }]);
});

test("too many cards: exactly those marked are thrown away", () => {
  const players = [{ ...VIEW.players[0], life: 2 }, ...VIEW.players.slice(1)];
  const { draw, played, hints: said } = scene({ view: { phase: "discard", players }, legal: [{ type: "discard", cardIds: [3, 25] }] });
  button(draw(), "버리기 0/2").props.onclick();
  assert.equal(said.length, 1);
  for (const i of [1, 3]) mine(draw())[i].props.onclick();
  mine(draw())[0].props.onclick(); // a third is refused
  assert.equal(said.length, 2);
  button(draw(), "버리기 2/2").props.onclick();
  assert.deepEqual(played, [{ type: "discard", cardIds: [25, 47] }]);
});

test("cards of the shop are told first and taken by a second tap", () => {
  const reactions = [{ kind: "store", name: "잡화점", player: "a", order: ["a", "b"], revealed: [{ id: 60, face: "역마차 9♠" }, { id: 40, face: "물약 9♥" }] }];
  const { draw, played } = scene({ view: { reactions }, legal: [{ type: "storePick", cardId: 60 }, { type: "storePick", cardId: 40 }] });
  withClass(draw(), "pick")[1].props.onclick();
  assert.match(words(withClass(draw(), "tells")[0]), /물약.*생명을 1 되찾아요/s);
  withClass(draw(), "pick")[1].props.onclick();
  assert.deepEqual(played, [{ type: "storePick", cardId: 40 }]);
});

test("two of three are kept, in whatever order they were tapped", () => {
  const kitOptions = [1, 2, 3].map((id) => ({ id, face: `사격 ${id + 2}♦` }));
  const legal = [[1, 2], [1, 3], [2, 3]].map((keep) => ({ type: "kitKeep", keep }));
  const { draw, played } = scene({ view: { reactions: [{ kind: "kitKeep", name: "카드 고르기", player: "a" }], kitOptions }, legal });
  withClass(draw(), "pick")[2].props.onclick();
  withClass(draw(), "pick")[0].props.onclick();
  button(draw(), "가져오기 2/2").props.onclick();
  assert.deepEqual(played, [{ type: "kitKeep", keep: [1, 3] }]);
});

test("one who may draw from a hand or from the heap is offered it", () => {
  const { draw, played } = scene({ view: { phase: "draw" }, legal: [{ type: "draw" }, { type: "draw", jesseFrom: "b" }] });
  assert.ok(has(posters(draw()).b, "aimed"));
  posters(draw()).b.props.onclick();
  const other = scene({ view: { phase: "draw" }, legal: [{ type: "draw" }, { type: "draw", pedroDiscard: true }] });
  button(other.draw(), "더미에서").props.onclick();
  assert.deepEqual([...played, ...other.played], [{ type: "draw", jesseFrom: "b" }, { type: "draw", pedroDiscard: true }]);
});

test("a flip is turned over for all to see, once, and says how it went", () => {
  const event = { type: "checked", player: "b", purpose: "barrel", cards: [{ id: 30, face: "회피 3♠" }], success: false };
  const { ctx, draw } = scene({ log: [{ n: 5, game: 0, event }] });
  ctx.state = { ...ctx.state, logged: 5 };
  const flip = withClass(draw(), "flip")[0];
  assert.ok(has(flip, "bad"));
  assert.match(words(flip), /민서 · 나무통 판정.*못 막았어요/s);
  ctx.ui.flipUntil = 0;
  assert.equal(withClass(draw(), "flip").length, 0);
});

test("what has just happened is on its way, once; whoever was hurt shakes", () => {
  const events = [{ type: "cardPlayed", player: "b", card: { id: 4, face: "사격 6♦" }, target: "a" }, { type: "attacked", player: "a", source: "b", via: "bang" }, { type: "lifeLost", player: "a", points: 1, life: 3 }];
  const { ctx, draw } = scene();
  draw();
  ctx.state = { ...ctx.state, logged: 3, log: events.map((event, i) => ({ n: i + 1, game: 0, event })) };
  const first = draw();
  assert.deepEqual(["flight", "shot", "pop"].map((cls) => withClass(first, cls).length), [1, 1, 1]);
  assert.equal(withClass(first, "pop")[0].props["data-says"], "−1");
  assert.ok(has(withClass(first, "self")[0], "struck"));
  const again = draw();
  assert.deepEqual(withClass(again, "moving")[0].children.map(({ props }) => props.key), withClass(first, "moving")[0].children.map(({ props }) => props.key));
  ctx.ui.moving.forEach((one) => (one.until = 0));
  assert.equal(withClass(draw(), "moving")[0].children.length, 0);
});

test("at the end it is told who stood out, if the whole game was seen", () => {
  const shot = (source, player) => ({ type: "attacked", player, source, via: "bang" });
  const events = [
    shot("a", "b"), { type: "evaded", player: "b" }, { type: "lifeLost", player: "b", points: 3, life: 1 }, // not by that shot
    shot("a", "c"), { type: "lifeLost", player: "c", points: 1, life: 0 }, { type: "eliminated", player: "c", killer: "a" },
    shot("b", "a"), { type: "evaded", player: "a" }, shot("b", "a"), { type: "lifeLost", player: "a", points: 1, life: 2 },
    { type: "lifeGained", player: "b", life: 2 }, { type: "checked", player: "b", success: true }, { type: "checked", player: "b", success: false },
  ];
  const view = { ...VIEW, round: 5 };
  const told = Object.fromEntries(details(view, (player) => player.toUpperCase(), events));
  assert.equal(told["한 판"], "5라운드");
  assert.equal(told["가장 많이 맞힌 사람"], "A, B · 1번");
  assert.equal(told["가장 많이 막은 사람"], "B, A · 1번");
  assert.equal(told["가장 많이 쓰러뜨린 사람"], "A · 1명");
  assert.equal(told["생명을 가장 많이 되찾은 사람"], "B · 1번");
  assert.equal(told["판정"], "2번 가운데 1번 성공");
  assert.deepEqual(details(view, String, null), [["한 판", "5라운드"]]);
});

test("who watches has no hand, no role and nothing to do", () => {
  const { hand: _, me: __, role: ___, roleName: ____, roleTip: _____, labels: ______, ...view } = VIEW;
  const { ctx } = scene();
  const players = view.players.map(({ distance, inRange, ...row }) => (row.id === "a" ? { ...row, role: undefined, roleName: undefined } : row));
  ctx.state = { ...ctx.state, view: { ...view, players }, you: { player: "z", name: "손님", seat: null }, decision: 0, legal: [] };
  const tree = table(ctx);
  assert.equal(mine(tree).length + withClass(tree, "strip").length + withClass(tree, "rolecard").length, 0);
  assert.equal(withClass(tree, "poster").length, 4);
  assert.equal(find(tree, ({ tag, props }) => tag === "button" && props.class?.includes("primary")).length, 0);
});

test("while a card is on its way no other can follow", () => {
  const pending = [{ id: "p.1", message: { type: "action", action: { type: "play", cardId: 59 } }, ackedAt: null }];
  assert.ok(mine(scene({ pending }).draw()).every(({ props }) => props.disabled));
});

test("a name keeps its particle, whatever comes after its last letter", () => {
  assert.equal(particle("뱅!", "을/를"), "뱅!을");
  assert.equal(particle("물약", "으로/로"), "물약으로");
  assert.equal(say("original", "{missed|이/가} 없어요"), "빗나감!이 없어요");
  assert.equal(say("children", "{life|을/를} 되찾아요"), "기운을 되찾아요");
});

test("every card has its name, its picture and what it does in every set of names", () => {
  for (const [kind, names] of Object.entries(CARDS)) {
    for (const [i, set] of ["neutral", "original", "children"].entries()) {
      assert.equal(parts(`${names[i]} 10♥`).kind, kind);
      const [sheet, index] = card(`${names[i]} 10♥`).children;
      assert.ok(decodeURIComponent(sheet.props.src).includes(names[i].replace(/\(.*/, "")));
      assert.equal(card(`${names[i]} 2♠`).children[0], sheet, "all of a name share their picture");
      assert.match(words(index), /10/);
      assert.doesNotMatch(effect(set, kind), /[{}|]|undefined/);
    }
  }
  assert.equal(KINDS_IN_ORDER.length, 22);
  assert.equal(spoken("권총(사거리 2) J♣"), "권총(사거리 2), 클로버 J");
  assert.deepEqual([parts("물총 A♠").playful, parts("사격 A♠").playful], [true, false]);
});

test("sixteen people and four roles can be told apart", () => {
  const ids = ["bart", "blackJack", "calamity", "elGringo", "jesse", "jourdonnais", "kit", "lucky", "paul", "pedro", "rose", "sid", "slab", "suzy", "vulture", "willy", "none"];
  assert.equal(new Set(ids.map((id) => portrait(id).props.src)).size, ids.length);
  assert.equal(new Set(["sheriff", "deputy", "outlaw", "renegade", "hidden"].map((id) => role(id).props.src)).size, 5);
});

test("events are told in the table's names", () => {
  const told = (event, names = "neutral") => describe(event, name, { options: { names } });
  assert.equal(told({ type: "cardPlayed", player: "a", card: { face: "사격 5♦" }, target: "b" }), "지호: 사격 5♦ → 민서");
  assert.equal(told({ type: "checked", player: "b", purpose: "barrel", cards: [{ face: "물약 9♥" }], success: true }, "children"), "민서의 우산 뒤집기: 물약 9♥, 성공");
  assert.equal(told({ type: "lifeLost", player: "a", points: 3, life: -1 }), "지호가 생명을 3 잃었어요 (0 남음)");
  assert.equal(told({ type: "eliminated", player: "a", killer: "b" }, "children"), "지호가 쉬러 갔어요 (민서)");
  assert.equal(told({ type: "cardTaken", player: "a", target: "b", where: "hand" }), "지호가 민서 님의 손패 한 장을 가져갔어요");
  assert.equal(told({ type: "attacked", player: "a", source: "b", via: "bang" }), null);
  assert.equal(told({ type: "roleDealt", player: "a", role: "outlaw" }), null);
  assert.equal(told({ type: "newKind", player: "a" }), null); // tests/web sees to it that every kind is known
});

test("sounds, chapters and the result's lines", () => {
  assert.deepEqual(["attacked", "lifeLost", "eliminated", "checked", "handDealt"].map((type) => sound({ type })), ["bang", "hurt", "out", "flip", null]);
  assert.equal(chapter({ type: "turnStarted", player: "b", round: 2 }, name), "2라운드 민서");
  assert.equal(chapter({ type: "cardPlayed", player: "b" }, name), null);
  assert.equal(score({ player: "b" }, VIEW), "보안관 · 끝까지 남음");
  assert.equal(score({ player: "d" }, VIEW), "배신자 · 1번째로 나감");
});

test("newcomers are told one thing after another, and nobody whom it does not concern", () => {
  const told = (view, decision = 7) => hints({ view: { ...VIEW, ...view }, decision, you: { player: "a" } }).map(({ id }) => id);
  assert.deepEqual(told({}), ["bng-role-false", "bng-play", "bng-bang"]);
  assert.deepEqual(told({ options: { ...VIEW.options, beginnerHints: "off" } }), []);
  assert.deepEqual(told({ players: VIEW.players.map((row) => ({ ...row, alive: false })) }), []);
});

test("the rules are told in the room's names", () => {
  const text = (options) => JSON.stringify(rules(options));
  assert.match(text({}), /사격/);
  assert.doesNotMatch(text({}), /뱅!|빗나감/);
  assert.match(text({ names: "original" }), /빗나감!으로 막지 못하면/);
  assert.doesNotMatch(text({ names: "children" }), /사격|무법자|쓰러|무기|없애/);
});
