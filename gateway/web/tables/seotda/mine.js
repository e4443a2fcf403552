/** My side of the table: what my cards make, the cards, my chips, and whatever I may do. */

import { pendingAction } from "../../state.js";
import { h, josa } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { counting } from "../../ui/ring.js";
import { hwatu, hwatuBack } from "./cards.js";
import { plainName } from "./ranking.js";
import { called, dealer, doing, late } from "./seats.js";
import { chips } from "./words.js";

/** @param {import("../../types/page").TableContext} ctx */
export function mySide(ctx, view, me) {
  const { ui, redraw } = ctx;
  const one = view.players[me];
  const now = doing(view, me);
  const choosing = ctx.state.legal.some(({ type }) => type === "choose");
  const covered = ui.covered && !choosing && !ctx.replay; // nobody chooses what they cannot see
  return h("section.myside", { "aria-label": "내 자리", class: [!one.inHand && "idle", now.look && `is-${now.look}`] },
    made(ctx, view, choosing, covered),
    h("div.row", { class: view.hand.length + view.discarded.length > 2 && "of3" },
      h("div.purse", { "data-at": me, role: "group", "aria-label": [view.dealer === me && "선", `내 칩 ${chips(one.stack)}`, now.word].filter(Boolean).join(", ") },
        h("span.label", null, view.dealer === me && dealer(), h("small", null, "내 칩")),
        h("strong", { text: true, hook: counting(one.stack, chips) }),
        now.word && h("span.now", { key: now.word, class: now.look }, now.word)),
      cards(ctx, view, choosing, covered),
      h("button.tables", { type: "button", onclick: () => ((ui.ranks = true), redraw()) }, icon("list"), "족보")),
    !ctx.replay && h("div.doing", null, action(ctx, view, me, choosing)));
}

// ---------------------------------------------------------------- my cards

const LEVELS = { 높음: 3, 중간: 2, 낮음: 1 };

/** The name of my hand, large; below it what it is good for. Of two cards that are being picked, the name they would have. */
function made({ ui }, view, choosing, covered) {
  const pair = choosing ? pickedPair(ui, view) : null;
  const name = choosing ? (pair?.handName ?? null) : plainName(view.handName);
  const good = view.handName?.split(" - ")[1] ?? view.hint?.split(". ").slice(1).join(". ");
  if (covered) return h("div.made", { key: "made" }, h("b", null, "가려 두었어요"), h("p", null, "카드를 누르면 다시 보여요"));
  const first = view.options.hints && view.phase === "betting" && view.hand.length === 1;
  return h("div.made", { key: "made", role: "status", class: !choosing && view.strength && `level${LEVELS[view.strength]}` },
    (name || choosing) && h("b", null, name ?? "두 장을 골라요"),
    first && h("p", null, "첫 장이에요. 걸고 나서 한 장 더 받아요"),
    choosing ? h("p", null, name ? "이 두 장으로 겨뤄요" : "남은 한 장은 뒤집어 버려요") : name && h("p", null, meter(view.strength), h("span", null, good)));
}

/** Three bars, of which more are full the better the hand. */
const meter = (strength) => strength && h("span.meter", { role: "img", "aria-label": `패의 세기: ${strength}` }, [1, 2, 3].map((i) => h("i", { class: i <= LEVELS[strength] && "on" })));

const pickedOf = (ui, view) => (ui.picked ?? []).filter((id) => view.hand.some((card) => card.id === id));

function pickedPair(ui, view) {
  const ids = pickedOf(ui, view);
  return view.legalActions.find(({ type, cardIds }) => type === "choose" && ids.length === 2 && cardIds.every((id) => ids.includes(id))) ?? null;
}

function cards(ctx, view, choosing, covered) {
  const { ui, act, redraw } = ctx;
  const picked = choosing ? pickedOf(ui, view) : [];
  const thrown = view.discarded;
  const cover = () => ((ui.covered = !ui.covered), act.sound("flip"), redraw());
  const toggle = (id) => () => {
    ui.picked = picked.includes(id) ? picked.filter((one) => one !== id) : [...picked.slice(-1), id];
    if (picked.length === 0) ui.picked = [id];
    act.sound("pick");
    redraw();
  };
  if (view.hand.length === 0) return h("p.none", null, nothingHeld(view, view.players[view.me]));
  return h("ol.hand", { "aria-label": "내 카드", class: [`of${view.hand.length}`, choosing && "choosing"] },
    view.hand.map((card, i) => h("li", { key: `${view.handNo}.${view.rematchNo}.${card.id}`, style: { "--late": `${late(view, i)}ms` } },
      h("button.mycard", {
        type: "button", class: [picked.includes(card.id) && "picked", covered && "covered"],
        "aria-pressed": String(choosing ? picked.includes(card.id) : Boolean(covered)),
        "aria-label": choosing ? card.label : covered ? "가린 카드" : `${card.label}, 누르면 가려요`,
        onclick: choosing ? toggle(card.id) : cover,
      }, covered ? hwatuBack() : hwatu(card)))),
    thrown.map((card) => h("li.waste", { key: `thrown ${card.id}`, role: "img", "aria-label": `버린 카드 ${card.label}` }, covered ? hwatuBack() : hwatu(card), h("small", { "aria-hidden": "true" }, "버림"))));
}

function nothingHeld(view, one) {
  if (one.status === "eliminated") return "탈락했어요. 끝까지 구경할 수 있어요";
  if (one.status === "left") return "나간 게임이에요";
  if (view.rematchNo > 0) return "이번 재경기는 구경해요";
  return "다음 판을 기다려요";
}

// ---------------------------------------------------------------- what I may do

function action(ctx, view, me, choosing) {
  if (choosing) return choice(ctx, view);
  if (view.phase === "betting" && view.players[me].inHand) return bets(ctx, view, me);
  const asks = (view.legalActions ?? []).filter(({ type }) => ["rejoin", "ready", "rebuy"].includes(type));
  if (asks.length > 0 && ctx.state.legal.length > 0) return answers(ctx, view, asks);
  return h("p.wait", { key: "wait" }, waitingFor(ctx.state, view, me));
}

function waitingFor(state, view, me) {
  const one = view.players[me];
  const names = view.waitingFor.map(called(state)).join(", ");
  if (view.phase === "betting") return one.folded ? "다이했어요. 이번 판이 끝날 때까지 구경해요" : "이번에는 구경해요";
  if (view.phase === "choose") return `${names} 님이 두 장을 고르고 있어요`;
  if (view.phase === "rejoin") return `${names} 님이 재경기에 들어올지 정하고 있어요`;
  if (view.phase === "rebuy") return `${names} 님이 칩을 다시 받을지 정하고 있어요`;
  if (view.phase === "finished") return "게임이 끝났어요";
  return names ? `${names} 님이 결과를 보고 있어요` : "";
}

export const BETS = [["die", "다이"], ["check", "체크"], ["ping", "삥"], ["call", "콜"], ["ddadang", "따당"], ["quarter", "쿼터"], ["half", "하프"], ["full", "풀"]];

/** Every bet in its own place, whether it may be made or not: the thumb learns where it is. */
function bets(ctx, view, me) {
  const { state, ui, act, redraw } = ctx;
  const shown = view.options.maxRaise === "full" ? BETS : BETS.slice(0, -1);
  const turn = `${view.handNo}.${view.rematchNo}.${view.street}`;
  const sure = ui.sure === turn;
  const sending = pendingAction(state) !== null;
  const free = state.legal.some(({ type }) => type === "check");
  const bet = (type, legal) => () => {
    if (!legal) return act.hint(whyNot(view, me, type));
    if (type === "die" && free && !sure) return (ui.sure = turn), act.hint("체크하면 걸지 않고 남을 수 있어요. 그래도 다이하려면 한 번 더 눌러요"), redraw();
    ui.sure = ui.eyeing = null;
    act.play(legal);
  };
  return h("ol.bets.keyed", { key: "bets", "aria-label": "베팅", class: shown.length < 8 && "seven" }, shown.map(([type, word], i) => {
    const legal = state.legal.find((action) => action.type === type);
    const amount = legal ? (view.legalActions.find((offer) => offer.type === type)?.amount ?? 0) : 0;
    const all = amount > 0 && amount === view.players[me].stack;
    const title = type === "die" && sure ? "정말 다이" : word;
    const eye = (on) => () => legal && amount > 0 && ((ui.eyeing = on ? type : null), redraw());
    return h("li", { key: type }, h("button.bet", {
      type: "button", class: [`bet-${type}`, legal && "open", type === "die" && sure && "sure"], "aria-disabled": String(!legal), disabled: sending,
      "aria-label": `${title}${amount > 0 ? ` ${chips(amount)}칩${all ? ", 올인" : ""}, 걸면 판돈 ${chips(view.pot + amount)}` : ""}${legal ? "" : `. ${whyNot(view, me, type)}`}`,
      onclick: bet(type, legal), onfocus: eye(true), onblur: eye(false), onmouseenter: eye(true), onmouseleave: eye(false),
    }, h("strong", null, title), amount > 0 && h("small", { "data-says": all ? `올인 ${chips(amount)}` : `+${chips(amount)}` }), h("kbd", { "aria-hidden": "true", "data-says": String(i + 1) })));
  }));
}

/** In the server's words, for it would say the same. */
export function whyNot(view, me, type) {
  const word = BETS.find(([bet]) => bet === type)?.[1] ?? "";
  if (view.current !== me) return "지금은 내 차례가 아니에요";
  if (type === "check" || type === "ping") return view.currentBet > 0 ? `누가 이미 걸어서 ${josa(word, "을/를")} 할 수 없어요` : "이번 라운드에는 더 올릴 수 없어요";
  if ((type === "call" || type === "ddadang") && view.currentBet === 0) return `아직 아무도 걸지 않아서 ${josa(word, "을/를")} 할 수 없어요`;
  return view.players[me].lastAction ? "이번 라운드에는 더 올릴 수 없어요(콜 또는 다이)" : "칩이 모자라 올릴 수 없어요(콜 또는 다이)";
}

function choice(ctx, view) {
  const { state, ui, act, redraw } = ctx;
  const pair = pickedPair(ui, view);
  const best = view.legalActions.find(({ recommended }) => recommended);
  const sending = pendingAction(state) !== null;
  const settle = () => {
    if (!pair) return act.hint("카드 두 장을 골라 주세요");
    ui.picked = null;
    act.play(state.legal.find(({ cardIds }) => cardIds.every((id) => pair.cardIds.includes(id))));
  };
  return h("div.choice", { key: "choice" },
    best && h("button", { type: "button", disabled: sending, onclick: () => ((ui.picked = [...best.cardIds]), act.sound("pick"), redraw()) }, icon("bulb"), "추천 조합"),
    h("button", { type: "button", class: pair && "primary", "aria-disabled": String(!pair), disabled: sending, onclick: settle },
      sending ? "내려놓는 중…" : !pair ? `${2 - pickedOf(ui, view).length}장 더 골라요` : pair.handName ? `${josa(pair.handName, "으로/로")} 정하기` : "이 두 장으로 정하기"));
}

const ASKS = { rejoin: "다이했지만 재경기에 다시 들어올 수 있어요", rebuy: "칩이 떨어졌어요. 다시 받고 계속할까요?", ready: "" };

function answers({ state, act }, view, asks) {
  const sending = pendingAction(state) !== null;
  const legal = ({ type, accept }) => state.legal.find((action) => action.type === type && action.accept === accept);
  return h("div.answers.keyed", { key: asks[0].type, class: asks.length > 1 && "two" },
    ASKS[asks[0].type] && h("p", null, ASKS[asks[0].type]),
    asks.toReversed().map((offer) => h("button", { key: offer.label, type: "button", class: offer.accept !== false && "primary", disabled: sending, onclick: () => act.play(legal(offer)) }, offer.label)));
}
