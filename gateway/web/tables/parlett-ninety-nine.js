/**
 * 나인티 나인 (Parlett)의 판. Whose cards lie open, what a bid comes to and who took a trick is in the view; what may be
 * laid, said or played is in `legal`. From above: round and trump, the others, the trick, my bid and my hand.
 */

import { nameOf, pendingAction, seatOf } from "../state.js";
import { cardBack, parsed, playingCard, RANKS, spoken } from "../ui/cards.js";
import { sheet } from "../ui/dialog.js";
import { h, josa } from "../ui/dom.js";
import { stepper } from "../ui/form.js";
import { icon, suitMark, SUITS } from "../ui/icons.js";
import { ahead } from "../ui/pictures.js";
import { halo, running } from "../ui/ring.js";
import { avatar } from "../ui/waiting.js";
import * as labels from "./labels.js";

ahead([cardBack, ...Object.values(SUITS).flatMap(({ sign }) => RANKS.map((rank) => () => playingCard(`${rank}${sign}`)))]);

const NPC = "npc";
const BID_CARDS = 3;
const HELD_FOR = 1700; // ms that a trick lies there after its last card, for all to see who took it

/** @param {import("../types/page").TableContext} ctx */
export function table(ctx) {
  const { state } = ctx;
  const { view } = state;
  const me = view.seats.includes(state.you.player) ? state.you.player : null;
  const mine = state.decision > 0;
  if (ctx.ui.round !== view.round) Object.assign(ctx.ui, { round: view.round, bid: [], picked: null });
  const people = around(view, me);
  return h("main.table.prl", { class: [`phase-${view.phase}`, mine && "mine", view.phase === "finished" && "over", `of${people.length}`] },
    top(ctx, view),
    h("section.others", { "aria-label": "함께 하는 사람", class: `n${people.length - (me ? 1 : 0)}` }, people.filter((player) => player !== me).map((player) => plate(ctx, view, player, people.indexOf(player)))),
    openHands(ctx, view, me),
    h("section.felt", { "aria-label": "판 가운데" }, middle(ctx, view, people, me)),
    whose(state, view, me, mine),
    me && mySide(ctx, view, me, mine),
    ctx.ui.scores && scoreSheet(ctx, view),
    ctx.ui.looking && lastTrickSheet(ctx, view));
}

const called = (state) => (player) => (player === NPC ? "NPC" : nameOf(state, player));

/** Clockwise from whoever sits below: me, or for a spectator the first seat. The NPC's chair is the last. */
function around(view, me) {
  const seated = view.options.form === "npc" ? [...view.seats, NPC] : view.seats;
  const at = Math.max(0, seated.indexOf(me));
  return [...seated.slice(at), ...seated.slice(0, at)];
}

const PLACES = { 2: ["below", "above"], 3: ["below", "left", "right"], 4: ["below", "left", "above", "right"] };
const placeOf = (people, player) => PLACES[people.length][people.indexOf(player)];

// ---------------------------------------------------------------- above

function top(ctx, view) {
  const { ui, redraw } = ctx;
  return h("section.top", { "aria-label": "라운드" },
    h("button.rounds", { type: "button", onclick: () => ((ui.scores = true), redraw()) },
      icon("list"), h("span", null, h("b", null, String(view.round)), `/${view.options.rounds}라운드`), h("span.unseen", null, " 점수표 열기")),
    trump(view),
    h("button.round.quiet", { type: "button", disabled: view.lastTrick.length === 0, onclick: () => ((ui.looking = true), redraw()), "aria-label": "지난 트릭 보기" }, icon("undo")));
}

/** The trump suit, by sign and by name, beside the card that was turned up for it. */
function trump(view) {
  const { trump: suit, turnUp } = view;
  const label = suit ? `트럼프 ${SUITS[suit].name}` : "트럼프 없음";
  return h("div.trump", { role: "img", "aria-label": turnUp ? `${label}. 뒤집힌 카드는 ${spoken(turnUp.face)}` : label, class: suit ?? "none" },
    turnUp && h("span.turnup", null, playingCard(turnUp.face)),
    h("span.what", { "aria-hidden": "true" }, h("small", null, "트럼프"), suit ? h("strong", null, suitMark(suit), SUITS[suit].name) : h("strong", null, "없음")));
}

// ---------------------------------------------------------------- the people

function plate(ctx, view, player, order) {
  const { state } = ctx;
  const name = called(state)(player);
  const { seat, index } = player === NPC ? { seat: { name: "NPC", bot: true, online: true, left: false }, index: -1 } : seatOf(state, player);
  const asked = view.waiting.includes(player) || view.current === player;
  const told = standing(view, player);
  return h("div.plate", { key: player, class: [asked && "turn", (!seat.online || seat.left) && "away", `at${order}`], "aria-label": [name, view.dealer === player && "딜러", told.label, asked && waitingFor(view), seat.left ? "나감" : !seat.online && "연결 끊김"].filter(Boolean).join(", "), role: "group",
    hook: asked ? running(state.clock) : undefined },
    h("span.face", null, asked && halo(), avatar(seat, index), view.dealer === player && h("span.dealer", { title: "딜러" }, "딜")),
    h("span.who", null, name),
    h("span.points", null, `${view.scores[player]}점`),
    bidOf(view, player),
    tally(told));
}

const WAITING = { bidding: "비딩 카드를 고르는 중", premium: "프리미엄을 정하는 중", trump: "트럼프를 정하는 중", playing: "차례", roundEnd: "확인하는 중" };
const waitingFor = (view) => WAITING[view.phase] ?? "";

/** What is known of somebody's bid and tricks, as figures and as a sentence. */
function standing(view, player) {
  const bid = view.bids[player]?.tricks ?? view.premiums.find((taken) => taken.player === player)?.tricks ?? null;
  const won = view.tricksWon[player] ?? 0;
  const laid = player in view.bids;
  const label = [`${view.scores[player]}점`, `딴 트릭 ${won}`, bid !== null ? `비딩 ${bid}` : laid ? "비딩은 비밀" : "", `손패 ${view.handCounts[player]}장`].filter(Boolean).join(", ");
  return { bid, won, laid, label };
}

/** Three small cards: face down, or open where everybody may know them. */
function bidOf(view, player) {
  const bid = view.bids[player];
  const premium = view.premiums.find((taken) => taken.player === player);
  return h("span.bid", { "aria-hidden": "true" },
    bid && three(bid),
    !bid && view.phase === "bidding" && h("small", null, "고르는 중…"),
    premium && h("em.vow", null, premiumName(premium)));
}

const three = (bid) => h("span.three", { class: bid.cards && "open" }, (bid.cards ?? [null, null, null]).map((card, i) => h("i", { key: String(i) }, card ? playingCard(card.face) : cardBack())));

const PREMIUMS = { declaration: "디클레이션", revelation: "리빌레이션", declare: "선언", reveal: "공개", both: "공개·선언" };
const premiumName = ({ kind, tricks }) => `${PREMIUMS[kind] ?? kind}${tricks === undefined ? "" : ` ${tricks}`}`;

/** Tricks taken as filled rounds, those still to take as empty ones, those too many with a cross. */
function tally({ bid, won }) {
  const few = Math.max(won, bid ?? 0) <= 6;
  const rounds = Array.from({ length: Math.max(won, bid ?? 0) }, (_, i) => h("i", { key: String(i), class: i >= won ? "open" : bid !== null && i >= bid ? "over" : "" }));
  return h("span.tally", { "aria-hidden": "true", class: bid !== null && (won === bid ? "even" : won > bid ? "over" : "") },
    h("b", null, String(won)), h("small", null, `/${bid ?? "?"}`), few && rounds.length > 0 && h("span.pips", null, rounds));
}

/** Hands that lie open for all: the NPC's, from which whoever leads it plays, and revealed ones. */
function openHands(ctx, view, me) {
  const shown = Object.entries(view.hands).filter(([player]) => player !== me && view.hands[player].length > 0);
  return shown.length > 0 && h("section.revealed", { "aria-label": "공개된 손패" }, shown.map(([player, cards]) => {
    const asked = player === NPC && view.current === NPC && ctx.state.decision > 0;
    return h("div.openhand", { key: player, class: asked && "asked" },
      h("small", null, asked ? "NPC의 카드를 골라 내 주세요" : `${called(ctx.state)(player)}의 손패`),
      h("ol", { class: asked && "hand" }, cards.map((card) => h("li", { key: card.id }, asked ? handCard(ctx, view, card, true) : h("span", { role: "img", "aria-label": spoken(card.face) }, playingCard(card.face))))));
  }));
}

// ---------------------------------------------------------------- the middle

function middle(ctx, view, people, me) {
  if (view.phase === "bidding") return me && ctx.state.legal.some(({ type }) => type === "bid") ? bidding(ctx, view) : waitingRoom(ctx, view, "비딩 카드를 놓고 있어요");
  if (view.phase === "premium") return ctx.state.legal.length ? premium(ctx, view) : waitingRoom(ctx, view, "프리미엄 비딩을 정하고 있어요");
  if (view.phase === "trump") return ctx.state.legal.length ? namingTrump(ctx) : waitingRoom(ctx, view, `${called(ctx.state)(view.current)} 님이 트럼프를 정하고 있어요`);
  const held = heldTrick(ctx, view);
  if (!held && (view.phase === "roundEnd" || view.phase === "finished")) return roundScore(ctx, view, me);
  return trick(ctx, view, people, held);
}

function waitingRoom({ state }, view, text) {
  const done = view.seats.filter((player) => !view.waiting.includes(player));
  return h("div.quietly", { key: "quietly", role: "status" }, h("p", null, text), h("p.hint", null, `${done.length}/${view.seats.length}명 끝났어요`), h("p.hint", null, view.waiting.map(called(state)).join(", ")));
}

// ---- bids

const bidSum = (cards) => cards.reduce((sum, card) => sum + card.value, 0);

/** What such a sum bids at this table. */
function bidWords(view, sum) {
  return tenMore(view, sum) ? `${sum} 또는 ${sum + 10}트릭` : `${sum}트릭`;
}

const tenMore = (view, sum) => view.options.form === "noNpc" || (view.options.form === "four" && sum === 0);

function bidding(ctx, view) {
  const { ui, act, state } = ctx;
  const picked = pickedBid(ctx, view);
  const full = picked.length === BID_CARDS;
  const ids = new Set(picked.map(({ id }) => id));
  const action = full && state.legal.find((one) => one.type === "bid" && one.cardIds.every((id) => ids.has(id)));
  const sending = pendingAction(state) !== null;
  const lay = () => (full ? (act.play(action), (ui.bid = [])) : act.hint(`비딩 카드 3장을 골라 주세요. 지금 ${picked.length}장이에요`));
  return h("div.bidding", { key: "bidding" },
    h("p.lead", null, "몇 트릭을 딸까요? 비딩 카드 3장을 골라요"),
    h("ol.slots", { "aria-label": "고른 비딩 카드" }, [0, 1, 2].map((i) => {
      const card = picked[i];
      return h("li", { key: String(i) }, card
        ? h("button", { type: "button", onclick: () => toggleBid(ctx, view, card), "aria-label": `${spoken(card.face)} 도로 가져오기` }, playingCard(card.face), h("small", { "data-says": String(card.value) }))
        : h("span.slot", null, "＋"));
    }), h("li.sum", { "aria-live": "polite" }, "=", h("b", null, picked.length ? String(bidSum(picked)) : "?"), h("small", null, "트릭"))),
    h("p.legend", { role: "img", "aria-label": "클로버 3, 하트 2, 스페이드 1, 다이아몬드 0" }, ["C", "H", "S", "D"].map((suit, i) => h("span", { key: suit, "aria-hidden": "true" }, suitMark(suit), h("b", null, String(3 - i))))),
    h("button.lay", { type: "button", class: full && "primary", "aria-disabled": String(!full), disabled: sending, onclick: lay }, sending ? "놓는 중…" : full ? `${bidWords(view, bidSum(picked))}으로 내려놓기` : `${BID_CARDS - picked.length}장 더 골라요`));
}

const pickedBid = ({ ui }, view) => (ui.bid ?? []).map((id) => view.hand.find((card) => card.id === id)).filter(Boolean);

function toggleBid(ctx, view, card) {
  const { ui, act, redraw } = ctx;
  const now = pickedBid(ctx, view).map(({ id }) => id);
  if (!now.includes(card.id) && now.length === BID_CARDS) return act.hint("비딩 카드는 3장이에요. 하나를 도로 가져온 뒤 골라 주세요");
  ui.bid = now.includes(card.id) ? now.filter((id) => id !== card.id) : [...now, card.id];
  act.sound("pick");
  redraw();
}

// ---- premium bids and trump

const PROMISES = {
  none: ["그냥 할래요", "프리미엄 비딩 없이 시작해요"],
  declaration: ["디클레이션", "비딩 카드를 보여 줘요"],
  revelation: ["리빌레이션", "비딩 카드와 손패를 모두 보여 줘요"],
  declare: ["트릭 수 선언", "몇 트릭을 딸지 말해요"],
  reveal: ["손패 공개", "손패를 모두 보여 줘요"],
  both: ["공개하고 선언", "손패를 보여 주고 몇 트릭인지 말해요"],
};
const WORTH = { declaration: 30, revelation: 60, declare: 30, reveal: 60, both: 90 };

function premium(ctx, view) {
  const { state, ui, act, redraw } = ctx;
  const sending = pendingAction(state) !== null;
  const offers = state.legal.filter(({ type }) => type === "premium");
  const mine = view.bids[state.you.player]?.tricks;
  const range = offers.find(({ tricks }) => tricks)?.tricks;
  const number = range && Math.max(range.min, Math.min(range.max, ui.tricks ?? 3));
  return h("div.premium", { key: "premium" },
    h("p.lead", null, "프리미엄 비딩을 할까요?", mine !== undefined && h("small", null, ` 내 비딩은 ${bidWords(view, mine)}`)),
    h("p.hint", null, "성공하면 내가, 실패하면 다른 사람 모두가 받아요"),
    range && h("div.number", null, h("span", null, "말할 트릭 수"), stepper(number, range.min, range.max, (n) => ((ui.tricks = n), redraw()), "말할 트릭 수")),
    h("div.promises", { class: offers.length > 3 && "many" }, offers.map((action) => {
      const { kind, tricks } = action;
      const [title, text] = PROMISES[kind] ?? [labelOf(view, kind), ""];
      return h("div.promise", { key: kind },
        h("button", { type: "button", disabled: sending, class: kind === "none" && "plain", onclick: () => act.play(tricks ? { ...action, tricks: number } : action) },
          h("span", null, h("strong", null, title, tricks && ` ${number}`), h("small", null, text)),
          WORTH[kind] && h("b", null, `${WORTH[kind]}점`)));
    })));
}

const labelOf = (view, id) => view.labels?.find((one) => one.id === id)?.face ?? id;

function namingTrump({ state, act }) {
  const sending = pendingAction(state) !== null;
  return h("div.naming", { key: "naming" },
    h("p.lead", null, "트럼프 무늬를 정해 주세요"),
    h("div.suits", null, state.legal.filter(({ type }) => type === "trump").map((action) =>
      h("button", { key: String(action.suit), type: "button", disabled: sending, class: action.suit ?? "none", onclick: () => act.play(action) }, action.suit ? [suitMark(action.suit), h("span", null, SUITS[action.suit].name)] : h("span", null, "트럼프 없이")))));
}

// ---- tricks

/**
 * The server clears a trick with its last card. It stays on the screen for a moment, until everyone has seen who took
 * it; nobody has to wait for that to play on.
 */
function heldTrick(ctx, view) {
  const { ui, redraw } = ctx;
  const key = view.lastTrick.map(({ id }) => id).join();
  const now = performance.now();
  if (ui.lastTrick !== undefined && key !== "" && ui.lastTrick !== key) {
    ui.heldUntil = now + HELD_FOR;
    setTimeout(redraw, HELD_FOR + 20);
  }
  ui.lastTrick = key;
  return now < (ui.heldUntil ?? 0) && view.trick.length <= 1 ? view.lastTrick : null;
}

function trick(ctx, view, people, held) {
  const { state } = ctx;
  const cards = held ?? view.trick;
  const name = called(state);
  const taker = held && takerOf(ctx, view);
  const lead = cards[0] && parsed(cards[0].face).suit;
  return h("ol.trick", { key: "trick", class: [held && "done", taker && `to-${placeOf(people, taker)}`], "aria-label": held ? "끝난 트릭" : "지금 트릭" },
    cards.length === 0 && h("li.none", null, beginning(state, view)),
    cards.map(({ id, face, player }, i) => h("li", { key: id, class: [placeOf(people, player), taker === player && "taker"], "aria-label": `${name(player)}: ${spoken(face)}${taker === player ? ", 땄어요" : ""}` },
      playingCard(face), h("span.by", { "aria-hidden": "true" }, i === 0 && h("i.lead", { title: "먼저 낸 카드" }, lead && SUITS[lead].sign), name(player), taker === player && " 땄어요"))));
}

function beginning(state, view) {
  if (!view.current) return "";
  if (view.current === state.you.player) return "먼저 낼 카드를 골라요";
  return `${josa(called(state)(view.current), "이/가")} 시작해요`;
}

/** Who took the last trick: as it was told, or else whoever begins the next one. */
function takerOf({ state }, view) {
  const told = state.log.findLast(({ event }) => event.type === "trickWon");
  return told?.event.player ?? view.current;
}

function lastTrickSheet(ctx, view) {
  const { ui, redraw, state } = ctx;
  const close = () => ((ui.looking = false), redraw());
  const taker = view.trick.length === 0 && view.current ? view.current : takerOf(ctx, view);
  return sheet({ title: "지난 트릭", close, key: "lasttrick", cls: "small" },
    h("ol.looking", null, view.lastTrick.map(({ id, face, player }, i) => h("li", { key: id, class: taker === player && "taker" },
      h("span", { role: "img", "aria-label": spoken(face) }, playingCard(face)), h("strong", null, called(state)(player)), h("small", null, taker === player ? "땄어요" : i === 0 ? "먼저 냄" : "")))));
}

// ---------------------------------------------------------------- whose turn

function whose(state, view, me, mine) {
  return h("p.whose", { hook: running(state.clock), class: mine && "asked" }, h("span", null, turnText(state, view, me)), h("b", { "data-seconds": "", text: true, "aria-hidden": "true" }), h("i.bar.lapse", { "aria-hidden": "true" }));
}

function turnText(state, view, me) {
  const name = called(state);
  const asked = view.waiting.includes(me);
  switch (view.phase) {
    case "bidding": return asked ? "내려놓을 3장을 손패에서 골라요" : me ? "비딩을 마쳤어요. 다른 사람을 기다려요" : "비딩하고 있어요";
    case "premium": return asked ? "프리미엄 비딩을 골라 주세요" : "프리미엄 비딩을 기다려요";
    case "trump": return asked ? "트럼프를 정해 주세요" : "트럼프를 기다려요";
    case "playing":
      if (view.current === NPC) return asked ? "NPC의 카드를 내 주세요" : `${name(view.controller)} 님이 NPC의 카드를 내요`;
      return asked ? (view.trick.length ? "내 차례예요" : "내 차례예요. 먼저 내요") : `${name(view.current)} 님 차례`;
    case "roundEnd": return asked ? "점수를 보고 다음 라운드로 가요" : "다음 라운드를 기다려요";
    default: return `${josa(view.result.winner.map(name).join(", "), "이/가")} 이겼어요`;
  }
}

// ---------------------------------------------------------------- my side

function mySide(ctx, view, me, mine) {
  const told = standing(view, me);
  const cards = view.hand;
  const promised = view.premiums.find(({ player }) => player === me);
  const rows = cards.length <= 6 ? 1 : cards.length <= 12 ? 2 : 3;
  return h("section.myside", { "aria-label": "내 자리" },
    h("div.mystate", { class: view.dealer === me && "dealing" },
      h("span.label", null, view.dealer === me && h("span.dealer", { title: "딜러" }, "딜"), h("strong", null, `${view.scores[me]}점`)),
      promised && h("em.vow", null, premiumName(promised)),
      told.laid && h("span.mybid", { role: "img", "aria-label": told.bid === null ? "비딩 카드" : `내 비딩 ${bidWords(view, told.bid)}: ${view.bids[me].cards.map(({ face }) => spoken(face)).join(", ")}` },
        three(view.bids[me]), told.bid !== null && h("small", null, "내 비딩 ", h("b", null, tenMore(view, told.bid) ? `${told.bid}·${told.bid + 10}` : String(told.bid)))),
      h("span.took", { role: "img", "aria-label": `딴 트릭 ${told.won}` }, h("small", null, "딴 트릭"), tally(told))),
    cards.length > 0 && h("ol.hand", { "aria-label": "내 손패", style: { "--cols": Math.ceil(cards.length / rows), "--wide": Math.ceil(cards.length / (cards.length > 12 ? 2 : 1)) } },
      cards.map((card) => h("li", { key: card.id }, handCard(ctx, view, card, mine && view.current !== NPC)))));
}

function handCard(ctx, view, card, asked) {
  const { state, act, ui, redraw } = ctx;
  const flying = pendingAction(state)?.cardId === card.id;
  const bidding = view.phase === "bidding";
  const picked = bidding ? (ui.bid ?? []).includes(card.id) : ui.picked === card.id;
  const legal = state.legal.find((one) => one.type === "play" && one.cardId === card.id);
  const dead = asked && view.phase === "playing" && !legal;
  const tap = () => {
    if (bidding) return asked ? toggleBid(ctx, view, card) : act.hint("비딩 카드는 이미 놓았어요");
    if (dead) return act.hint(mustFollow(view));
    if (view.phase !== "playing") return act.hint("지금은 카드를 낼 때가 아니에요");
    if (!picked) return (ui.picked = card.id), act.sound("pick"), redraw();
    if (!legal) return act.hint(view.current === NPC && view.controller === state.you.player ? "지금은 NPC의 카드를 낼 차례예요" : "아직 내 차례가 아니에요");
    ui.picked = null;
    act.play(legal);
  };
  const value = bidding && "value" in card ? `, 비딩하면 ${card.value}트릭` : "";
  return h("button.held", { type: "button", class: [picked && "picked", dead && "dead", flying && "flying"], disabled: flying || (pendingAction(state) !== null && !bidding), "aria-pressed": String(picked),
    "aria-label": `${spoken(card.face)}${value}${dead ? ". 낼 수 없어요" : ""}`, onclick: tap },
    playingCard(card.face), bidding && "value" in card && h("span.worth", { "data-says": String(card.value) }), picked && !bidding && h("span.go", { "data-says": legal ? "내기" : "대기" }));
}

function mustFollow(view) {
  const suit = view.trick[0] && parsed(view.trick[0].face).suit;
  return suit ? `${SUITS[suit].sign} ${josa(SUITS[suit].name, "을/를")} 가지고 있으면 그 무늬를 내야 해요` : "지금은 낼 수 없는 카드예요";
}

// ---------------------------------------------------------------- scores

function roundScore(ctx, view, me) {
  const { state, act } = ctx;
  const ready = state.legal.find(({ type }) => type === "ready");
  const rows = Object.entries(view.lastRound);
  return h("div.scored", { key: "scored" },
    h("h2", null, `${view.round}라운드 결과`),
    h("table", null,
      h("thead", null, h("tr", null, ["", "비딩", "딴 트릭", "점수", "합계"].map((title) => h("th", { key: title, scope: "col" }, title)))),
      h("tbody", null, rows.map(([player, row]) => h("tr", { key: player, class: [player === me && "me", row.made && "made"] },
        h("th", { scope: "row" }, called(state)(player)),
        h("td", null, row.bid ?? view.bids[player]?.tricks ?? h("span", { role: "img", "aria-label": "비밀" }, "?")),
        h("td", null, h("span.verdict", { class: row.made ? "good" : "bad" }, String(row.tricks), icon(row.made ? "check" : "close"), h("span.unseen", null, row.made ? "성공" : "실패"))),
        h("td", null, h("b", null, `+${row.points}`), h("small", null, parts(row))),
        h("td", null, h("b", null, String(view.scores[player]))))))),
    view.phase === "roundEnd" && (ready
      ? h("button.primary.wide", { type: "button", disabled: pendingAction(state) !== null, onclick: () => act.play(ready) }, "다음 라운드")
      : h("p.hint", { role: "status" }, `${view.waiting.map(called(state)).join(", ")} 님을 기다려요`)));
}

/** "트릭 4 · 성공 20 · 프리미엄 30" */
const parts = ({ tricks, bonus, premium }) => [`트릭 ${tricks}`, bonus > 0 && `성공 ${bonus}`, premium > 0 && `프리미엄 ${premium}`].filter(Boolean).join(" · ");

function scoreSheet(ctx, view) {
  const { ui, redraw, state } = ctx;
  const people = Object.keys(view.scores);
  const best = Math.max(...view.seats.map((player) => view.scores[player]));
  return sheet({ title: "점수표", close: () => ((ui.scores = false), redraw()), key: "scores", cls: "scores" },
    h("div.scroll", { tabindex: "0" }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "라운드"), people.map((player) => h("th", { key: player, scope: "col" }, called(state)(player))))),
      h("tbody", null, view.roundScores.map((points, i) => h("tr", { key: String(i) }, h("th", { scope: "row" }, String(i + 1)), people.map((player) => h("td", { key: player }, String(points[player]))))),
        view.roundScores.length === 0 && h("tr", null, h("td", { colspan: String(people.length + 1) }, "아직 끝난 라운드가 없어요"))),
      h("tfoot", null, h("tr", null, h("th", { scope: "row" }, "합계"), people.map((player) => h("td", { key: player, class: view.scores[player] === best && best > 0 && player !== NPC && "best" }, String(view.scores[player]))))))));
}

// ---------------------------------------------------------------- words

const others = (name) => (player) => (player === NPC ? "NPC" : name(player));
const faces = (cards) => cards.map(({ face }) => face).join(" ");

const EVENTS = {
  roundStarted: (e, name) => `${e.round}라운드. 딜러는 ${name(e.dealer)}`,
  trumpSet: (e) => [e.turnUp && `뒤집힌 카드 ${e.turnUp.face}`, `트럼프 ${e.face}`].filter(Boolean).join(", "),
  trumpNamed: (e, name) => `${josa(name(e.player), "이/가")} 정한 트럼프: ${e.face}`,
  bidPlaced: (e, name) => `${josa(name(e.player), "이/가")} 비딩 카드를 놓았어요`,
  premiumsShown: (e, name) => (e.premiums.length ? e.premiums.map((taken) => `${name(taken.player)}: ${premiumName(taken)}`).join(", ") : "프리미엄 비딩 없음"),
  playStarted: (e, name) => `${name(e.leader)}부터 시작해요`,
  bidShown: (e, name) => `${name(e.player)}의 비딩: ${faces(e.cards)} = ${e.tricks}트릭`,
  handShown: (e, name) => `${name(e.player)}의 손패가 펼쳐졌어요`,
  cardPlayed: (e, name) => `${name(e.player)}: ${e.face}${e.by ? ` (${josa(name(e.by), "이/가")} 냄)` : ""}`,
  trickWon: (e, name) => `${josa(name(e.player), "이/가")} 트릭을 땄어요 (${e.tricks})`,
  roundScored: (e, name) => `${e.round}라운드 점수: ${Object.entries(e.rows).map(([player, row]) => `${name(player)} +${row.points}${row.made ? " 성공" : ""}`).join(", ")}`,
  timedOut: (e, name) => `${name(e.player)} 님의 시간이 지나 자동으로 했어요`,
  playerLeft: (e, name) => `${josa(name(e.player), "이/가")} 나갔어요`,
  gameFinished: () => "게임이 끝났어요",
  premiumAnswered: () => null,
  playerReady: () => null,
  handDealt: () => null,
};

export const describe = (event, name) => (EVENTS[event.type] ?? labels.describe)(event, others(name));

const SOUNDS = { roundStarted: "deal", bidPlaced: "card", premiumsShown: "flip", trumpNamed: "flip", cardPlayed: "card", trickWon: "take", roundScored: "coin" };

export const sound = (event) => SOUNDS[event.type] ?? null;

const CHAPTERS = {
  roundStarted: (e) => `${e.round}라운드`,
  playStarted: () => "· 첫 트릭",
  roundScored: (e) => `· ${e.round}라운드 점수`,
};

export const chapter = (event) => CHAPTERS[event.type]?.(event) ?? null;

export const score = (line) => `${line.score}점`;

export function hints({ view, you }) {
  const mine = view.waiting.includes(you.player);
  const joker = view.hand?.some(({ face }) => parsed(face).joker);
  return [
    mine && view.phase === "bidding" && { id: "prl-bid", text: "남은 카드로 몇 트릭을 딸지 세어 보고, 그 수가 되는 3장을 내려놓아요." },
    joker && view.phase === "bidding" && { id: "prl-joker", text: "조커는 뒤집힌 카드와 똑같은 카드예요. 비딩할 때도 낼 때도 그래요." },
    mine && view.phase === "premium" && { id: "prl-premium", text: "처음이라면 그냥 시작해도 좋아요. 아주 자신 있을 때만 보여 주세요." },
    mine && view.phase === "playing" && { id: "prl-play", text: "처음 나온 무늬가 있으면 그 무늬를 내야 해요. 카드를 두 번 누르면 내요." },
    view.phase === "playing" && mine && view.current === NPC && { id: "prl-npc", text: "트릭을 시작한 사람이 NPC의 카드도 내요. 위에 펼쳐진 카드에서 골라요." },
  ].filter(Boolean);
}
