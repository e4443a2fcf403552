/** 구십구의 판. What each card would make is in the view (`previews`); what may be played is in `legal`. */

import { mySeat, nameOf, pendingAction, seatOf } from "../state.js";
import { spoken as cardName } from "../ui/cards.js";
import { afterDrawing, h, josa } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { motion } from "../ui/motion.js";
import { once } from "../ui/pictures.js";
import { counting, halo, running } from "../ui/ring.js";
import { avatar } from "../ui/waiting.js";
import * as labels from "./labels.js";

const TOP = 99;

/** @param {import("../types/page").TableContext} ctx */
export function table(ctx) {
  const { state } = ctx;
  const { view } = state;
  const me = state.you.player;
  const mine = state.decision > 0;
  return h("main.table.nn", { class: [mine && "mine", view.phase === "finished" && "over"] },
    opponents(ctx, view, me),
    h("section.middle", { "aria-label": "합계" }, dial(state, view, mine), piles(view), plays(state, view)),
    h("p.whose", null, turnText(state, view, me)),
    "hand" in view && hand(ctx, view, me, mine),
    motion(ctx, (event) => MOVES[event.type]?.(event)));
}

// ---------------------------------------------------------------- the others

/** Clockwise from my left, so that the arrow below them shows the way. Spectators see everyone. */
function opponents({ state }, view, me) {
  const at = view.seats.indexOf(me);
  const order = at < 0 ? view.seats : [...view.seats.slice(at + 1), ...view.seats.slice(0, at)];
  return h("section.others", { "aria-label": "함께 하는 사람", class: order.length > 5 && "many" },
    h("ol", null, order.map((player) => h("li", { key: player }, person(state, view, player)))),
    h("div.way", { class: view.direction < 0 && "back", role: "img", "aria-label": view.direction > 0 ? "진행 방향: 시계 방향" : "진행 방향: 반시계 방향" },
      h("svg.tip", { viewBox: "0 0 12 12", "aria-hidden": "true" }, h("path", { d: "M3 1l6 5-6 5" }))));
}

function person(state, view, player) {
  const { seat, index } = seatOf(state, player);
  const turn = view.current === player;
  const out = !view.alive[player];
  const label = [seat.name, out ? "탈락" : `카드 ${view.handCounts[player]}장`, turn && "차례", seat.left ? "나감" : !seat.online && "연결 끊김"].filter(Boolean).join(", ");
  return h("div.person", { "data-at": player, class: [turn && "turn", out && "out", (!seat.online || seat.left) && "away"], "aria-label": label, hook: turn ? running(state.clock, whole(state, view)) : undefined },
    h("span.face", null, turn && halo(), avatar(seat, index),
      !out && h("span.held", { "aria-hidden": "true" }, String(view.handCounts[player]))),
    h("span.who", null, seat.name),
    hearts(view, player));
}

/** A heart for each life, broken ones grey; nothing in a game without lives. */
function hearts(view, player) {
  const lives = view.options.lives;
  if (!view.alive[player]) return h("span.gone", null, "탈락");
  if (!lives) return null;
  if (view.onBoard[player]) return h("span.gone", null, "마지막");
  return h("span.hearts", { role: "img", "aria-label": `목숨 ${view.lives[player]}개` },
    Array.from({ length: lives }, (_, i) => heart(String(i), i < view.lives[player])));
}

/** Two halves that hold together while the life lasts, and fall apart along the crack when it is lost. */
const heart = (key, whole) =>
  h("svg.heart", { key, class: !whole && "broken", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path.half", { d: "M12 8.2C11 6 9.5 5 7.8 5a4.3 4.3 0 0 0-4.3 4.4c0 5.2 6.5 9 8.5 11l-1.6-4 2.4-2.6-2-2.8z" }),
    h("path.half", { d: "M12 8.2C13 6 14.5 5 16.2 5a4.3 4.3 0 0 1 4.3 4.4c0 5.2-6.5 9-8.5 11l-1.6-4 2.4-2.6-2-2.8z" }));

// ---------------------------------------------------------------- the middle

/** Green while there is room, yellow when it gets narrow, red at the edge. */
export function gaugeHue(total) {
  if (total <= 50) return 152;
  if (total <= 80) return Math.round(152 - ((total - 50) / 30) * 104);
  return Math.round(48 - ((total - 80) / 19) * 42);
}

const whole = (state, view) => (state.clock?.whole > 3000 ? view.options.turnSeconds * 1000 : 0);

function dial(state, view, mine) {
  const total = view.total;
  return h("div.dial", { "data-at": PLATE, class: [mine && "mine", view.direction < 0 && "back"], style: { "--hue": gaugeHue(total), "--part": Math.max(0, total) / TOP }, hook: running(state.clock, whole(state, view)) },
    h("svg", { viewBox: "-4 -4 248 248", "aria-hidden": "true" },
      h("g.arrows", null, h("path", { d: "M17.7 74.4A112 112 0 0 1 67.4 21.1" }), h("path", { d: "M62.8 33.2L67.4 21.1L54.5 19.5" }), h("path", { d: "M222.3 165.6A112 112 0 0 1 172.6 218.9" }), h("path", { d: "M177.2 206.8L172.6 218.9L185.5 220.5" })),
      h("circle.shade", { cx: "120", cy: "127", r: "102" }), h("circle.shade", { cx: "120", cy: "124", r: "100" }),
      h("circle.track", { cx: "120", cy: "120", r: "92" }),
      h("circle.gauge", { cx: "120", cy: "120", r: "92", pathLength: "100" }),
      h("circle.groove", { cx: "120", cy: "120", r: "77" }),
      h("circle.timer.lapse", { cx: "120", cy: "120", r: "77", pathLength: "100" }),
      h("text.rest", { x: "120", y: "72" }, total === TOP ? "꽉 찼어요" : `${TOP - total} 남음`),
      h("text.sum", { x: "120", y: "150", text: true, hook: counting(total) }),
      h("text.seconds", { x: "120", y: "182", "data-seconds": "", text: true })),
    h("span.unseen", null, `합계 ${total}`));
}

/** A card flies from whoever plays it to the plate, and the new one from the pile to its player. */
const MOVES = {
  cardPlayed: (e) => ({ kind: "flight", from: e.player, to: PLATE, cls: tone(e.face), what: h("span.thrown", null, e.face) }),
  cardDrawn: (e) => ({ kind: "flight", from: PILE, to: e.player, what: h("span.drawn") }),
};
const PLATE = "$plate", PILE = "$pile";

function piles(view) {
  return h("p.piles", null, h("span", { "data-at": PILE }, `더미 ${view.drawCount}장`), view.options.lives > 0 && h("span", null, `${view.round}라운드`));
}

/** What was just played, the newest first. */
function plays(state, view) {
  const recent = [...view.recentPlays].reverse().slice(0, 4);
  const first = state.logged;
  return h("ol.plays", { "aria-label": "최근에 낸 카드" }, recent.map((play, i) =>
    h("li", { key: `${first}-${i}` }, h("span.who", null, nameOf(state, play.player)), h("b", { class: tone(play.face) }, play.face), h("span.made", null, String(play.total)))));
}

const tone = (face) => (/^±/.test(face) ? "plusMinus" : face === "0" ? "zero" : face === "조커" ? "joker" : /[♥♦]/.test(face) ? "red" : "add");

function turnText(state, view, me) {
  if (view.phase === "finished") return `${josa(nameOf(state, view.result.winner[0]), "이/가")} 이겼어요`;
  if (view.current === me) return "내 차례예요. 99를 넘기면 안 돼요!";
  const waiting = `${nameOf(state, view.current)} 님 차례`;
  if (mySeat(state) >= 0 && view.alive[me] === false) return `탈락했어요. 지금은 ${waiting}`;
  return waiting;
}

// ---------------------------------------------------------------- my hand

function hand(ctx, view, me, mine) {
  const { state, ui } = ctx;
  const flying = pendingAction(state)?.cardId ?? null;
  const picked = view.hand.find((card) => card.id === ui.picked && card.id !== flying) ?? null;
  return h("section.mine", { "aria-label": "내 손패", onkeydown: (event) => event.key === "Escape" && ((ctx.ui.picked = null), ctx.redraw()) },
    h("div.me", { "data-at": me }, hearts(view, me), flying && h("span.sending", { role: "status" }, "내는 중…")),
    view.hand.length === 0 && !view.alive[me] && h("p.lost", null, "탈락했어요. 끝까지 구경할 수 있어요"),
    h("ol.hand", { style: { "--gaps": Math.max(1, view.hand.length - 1) } }, view.hand.map((card, i) =>
      h("li", { key: card.id, class: card === picked && "up", style: fanned(i, view.hand.length) }, face(ctx, card, { picked: card === picked, flying: card.id === flying, mine })))),
    picked && asks(picked) && tray(ctx, picked, mine));
}

/** As cards are held: turned a little, those at the ends lower. Always the same objects, so that nothing is set again. */
const fanned = (i, count) => fan(`${i} of ${count}`, () => ({ "--turn": `${(i - (count - 1) / 2) * 1.7}deg`, "--dip": `${(i - (count - 1) / 2) ** 2 * 1.6}px` }));
const fan = once();

const asks = (card) => card.previews.length > 1 || "jokerValue" in card.previews[0];

/** Taps: the first shows what the card makes, the second plays it; a card with a choice opens its tray instead. */
function face(ctx, card, { picked, flying, mine }) {
  const { state, act, ui, redraw } = ctx;
  const only = card.previews[0];
  const tap = () => {
    if (!card.playable) return act.hint(only.reason ?? "지금은 낼 수 없는 카드예요");
    if (!picked) return (ui.picked = card.id), (ui.joker = null), act.sound("pick"), redraw();
    if (asks(card)) return (ui.picked = null), redraw();
    play(ctx, card, {}, mine);
  };
  const outcome = outcomes(card);
  return h("button.nncard", { type: "button", class: [card.kind, suitTone(card.face), picked && "picked", flying && "flying", !card.playable && "dead"], disabled: flying || pendingAction(state) !== null,
    "aria-pressed": String(picked), "aria-label": `${spoken(card)} ${outcome}${card.playable ? "" : ". 낼 수 없어요"}`, onclick: tap },
    h("span.corner", { "data-says": small(card) }),
    h("span.big", null, big(card)), " ",
    h("span.effect", null, effect(card)), " ",
    h("span", { class: card.playable ? "makes" : "over" }, outcome),
    picked && !asks(card) && h("span.bubble", { "data-says": mine ? `내면 → ${only.total}` : `→ ${only.total}` }));
}

function play(ctx, card, choice, mine) {
  if (!mine) return ctx.act.hint("아직 내 차례가 아니에요");
  ctx.ui.picked = null;
  ctx.act.play({ type: "play", cardId: card.id, ...choice });
}

const isClassic = (face) => /[♠♥♦♣]/.test(face);
const suitTone = (face) => (/[♥♦]/.test(face) ? "red" : isClassic(face) ? "black" : "");
const small = (card) => (card.kind === "joker" ? "조커" : card.face);
const big = (card) => (card.kind === "joker" ? h("svg.star", { viewBox: "0 0 40 40", "aria-hidden": "true" }, h("path", { d: "M20 4l4.7 10.2 11.2 1.3-8.3 7.6 2.2 11L20 28.6 10.2 34.1l2.2-11L4.1 15.5l11.2-1.3z" })) : isClassic(card.face) ? card.face.slice(0, -1) : card.face);

const EFFECTS = { plusMinus: "더하기·빼기", zero: "방향 선택", reverse: "방향 반대", hold: "그대로", minus: "빼기 10", to99: "바로 99", joker: "부르는 대로", ace: "1 또는 큰 수" };
const effect = (card) => EFFECTS[card.kind] ?? (isClassic(card.face) && card.v === 10 ? "더하기 10" : "");
/** What is to be seen on a card, in that order; of the suit, its name. */
const spoken = (card) => [isClassic(card.face) ? cardName(card.face) : card.face, effect(card)].filter(Boolean).join(" ");

/** "→ 81", "95 · 77", "60~99": whatever it can make. */
function outcomes(card) {
  const [first] = card.previews;
  if (!card.playable) return first.total > TOP ? "99 초과" : "0 미만";
  if (typeof first.total === "object") return `${first.total.min}~${first.total.max}`;
  const totals = [...new Set(card.previews.filter((one) => one.legal).map((one) => one.total))];
  return `→ ${totals.join(" · ")}`;
}

// ---------------------------------------------------------------- choices

function tray(ctx, card, mine) {
  const [first] = card.previews;
  return h("div.tray", { role: "group", "aria-label": `${card.face} 카드를 어떻게 낼까요?`, key: `tray ${card.id}`, hook: stepInto },
    typeof first.total === "object" ? joker(ctx, card, first.jokerValue, mine) : card.previews.map((preview) => way(ctx, card, preview, mine)));
}

/** Whoever opened the choices with a key is taken to them. */
const stepInto = (el, isNew) => isNew && afterDrawing(() => document.activeElement?.matches(":focus-visible") && el.querySelector("button:enabled")?.focus());

const WAYS = {
  sign: (card, { sign }) => `${sign === "+" ? "+" : "−"}${card.v}`,
  dir: (card, { dir }) => (dir === "keep" ? "방향 그대로" : "방향 바꾸기"),
  aceValue: (card, { aceValue }) => `${aceValue}로`,
};

function way(ctx, card, preview, mine) {
  const field = Object.keys(WAYS).find((one) => one in preview) ?? "sign";
  const label = `${WAYS[field](card, preview)} → ${preview.total}`;
  return h("button", { key: String(preview[field]), type: "button", class: mine && "primary", disabled: !preview.legal, onclick: () => play(ctx, card, { [field]: preview[field] }, mine) },
    label, !preview.legal && h("small", null, preview.total > TOP ? "99 초과" : "0 미만"));
}

function joker(ctx, card, { min, max }, mine) {
  const { ui, redraw } = ctx;
  const value = (ui.joker ??= max);
  const to = (n) => ((ui.joker = Math.max(min, Math.min(max, n))), redraw());
  const quick = [60, 90, 99].filter((n) => n >= min && n <= max);
  return h("div.joker", null,
    h("div.row", null,
      h("button.round", { type: "button", disabled: value <= min, onclick: () => to(value - 1), "aria-label": "1 줄이기" }, icon("minus")),
      h("output", { "aria-live": "polite" }, String(value)),
      h("button.round", { type: "button", disabled: value >= max, onclick: () => to(value + 1), "aria-label": "1 늘리기" }, icon("plus")),
      quick.map((n) => h("button.quick", { key: `q${n}`, type: "button", "aria-pressed": String(n === value), onclick: () => to(n) }, String(n)))),
    h("div.row", null,
      h("input", { type: "range", min: String(min), max: String(max), value: String(value), "aria-label": "조커로 부를 수", oninput: (event) => to(Number(event.target.value)) }),
      h("button.say", { type: "button", class: mine && "primary", onclick: () => play(ctx, card, { jokerValue: value }, mine) }, `조커를 ${value}로 내기`)));
}

// ---------------------------------------------------------------- words

const EVENTS = {
  roundStarted: (e, name) => `${e.round > 1 ? `${e.round}라운드` : "시작"}: 합계 ${e.total}, ${name(e.starter)} 님부터`,
  cardPlayed: (e, name) => `${name(e.player)}: ${e.face}${e.choice ? ` (${e.choice})` : ""} → ${e.total}`,
  directionChanged: (e) => `방향이 바뀌었어요 (${e.direction > 0 ? "시계 방향" : "반시계 방향"})`,
  reshuffled: () => "버린 카드를 다시 섞었어요",
  timedOut: (e, name) => `${name(e.player)} 님의 시간이 지나 자동으로 냈어요`,
  lifeLost: (e, name) => `${josa(name(e.player), "이/가")} 목숨을 잃었어요 (${e.left}개 남음)`,
  onTheBoard: (e, name) => `${name(e.player)} 님은 마지막 기회예요`,
  eliminated: (e, name) => `${josa(name(e.player), "이/가")} 탈락했어요`,
  playerLeft: (e, name) => `${josa(name(e.player), "이/가")} 나갔어요`,
  gameFinished: (e, name) => `${josa(name(e.winner), "이/가")} 이겼어요! 마지막 합계 ${e.total}`,
  cardDrawn: () => null,
  cardReceived: () => null,
  handDealt: () => null,
};

export const describe = (event, name) => (EVENTS[event.type] ?? labels.describe)(event, name);

const SOUNDS = { cardPlayed: "card", directionChanged: "flip", reshuffled: "deal", lifeLost: "hurt", eliminated: "out", roundStarted: "deal" };

export const sound = (event) => SOUNDS[event.type] ?? null;

const CHAPTERS = {
  roundStarted: (e) => (e.round > 1 ? `${e.round}라운드` : "시작"),
  lifeLost: (e, name) => `${name(e.player)} 목숨 −1`,
  eliminated: (e, name) => `${name(e.player)} 탈락`,
  gameFinished: () => "끝",
};

export const chapter = (event, name) => CHAPTERS[event.type]?.(event, name) ?? null;

export const score = (line) => (line.livesLost > 0 ? `목숨 −${line.livesLost}` : null);

/** The one rule first; then each special card when it is first held. */
export function hints({ view, decision }) {
  const held = (kind) => view.hand?.some((card) => card.kind === kind);
  return [
    decision > 0 && { id: "nn-lead", text: "99를 넘기면 안 돼요! 카드를 누르면 합계가 얼마가 될지 보여 주고, 한 번 더 누르면 내요." },
    held("plusMinus") && { id: "nn-plusMinus", text: "± 카드는 더할지 뺄지 고를 수 있어요. 합계가 높을 때 아껴 두면 좋아요." },
    held("zero") && { id: "nn-zero", text: "0은 언제나 낼 수 있어요. 진행 방향도 바꿀 수 있어요." },
    held("joker") && { id: "nn-joker", text: "조커는 합계를 부르는 수로 만들어요. 위험할 때 쓰세요." },
    view.current !== null && view.total >= 90 && { id: "nn-edge", text: "90을 넘었어요. 이제 큰 수는 낼 수 없어요. 낼 카드가 없으면 져요." },
  ].filter(Boolean);
}
