/** The middle of the blanket: 판돈, what a bet would make of it, a rematch's banner, who has won; and what passes over it. */

import { h, josa } from "../../ui/dom.js";
import { counting } from "../../ui/ring.js";
import { hwatu } from "./cards.js";
import { POT } from "./motion.js";
import { called, over } from "./seats.js";
import { chips, how, rematchName, shout } from "./words.js";

const SHOUTED = 1500; // ms; the letters themselves stand for one second
const HELD = 3600; // ms that the hands of a game lie open after its rematch has been dealt
const CUT = 950; // ms for 기리
const MANY = 60; // events at once: somebody was away, and does not want to see it all

/**
 * What has happened since the last drawing and is to be seen for a moment: {words} over the table, hands that are still
 * lying open, who cuts the cards. Nobody has to wait for any of it to play on.
 *
 * @param {import("../../types/page").TableContext} ctx
 */
export function passing({ state, ui, redraw }, view) {
  const now = performance.now();
  const fresh = state.logged - (ui.heard ?? state.logged);
  const news = fresh > 0 && fresh < MANY ? state.log.slice(-fresh).map(({ event }) => event) : [];
  const later = (ms) => (setTimeout(redraw, ms + 20), now + ms);
  ui.heard = state.logged;
  for (const event of news) {
    const words = shout(event, view.showdown?.hands);
    if (words) ui.shout = { words, n: state.logged, until: later(SHOUTED) };
    if (event.type === "rematchStarted" && view.showdown) ui.open = { hands: view.showdown.hands, until: later(HELD) };
    if (event.type === "handStarted") ui.cut = { player: cutter(view), n: event.handNo, until: later(CUT) };
  }
  const lasting = (thing) => (thing && now < thing.until ? thing : null);
  return { shout: lasting(ui.shout), open: lasting(ui.open), cut: lasting(ui.cut) };
}

/** Whoever sits to the dealer's right. */
function cutter(view) {
  const playing = view.seats.filter((player) => view.players[player].cards.length > 0 || view.players[player].inHand);
  return playing.at(playing.indexOf(view.dealer) - 1) ?? view.dealer;
}

/** The hands that lie open, by player: at the end of a hand, or for a moment while the next cards are dealt. */
export function shownHands(view, open) {
  const lying = view.phase === "betting" || view.phase === "choose" ? (open?.hands ?? []) : (view.showdown?.hands ?? []);
  return new Map(lying.map((hand) => [hand.player, hand]));
}

export const loud = (said) => said && h("p.shout", { key: `shout ${said.n}`, "aria-hidden": "true", class: said.words.length > 5 && "long" }, said.words);

// ---------------------------------------------------------------- in the middle

export function centre(ctx, view, { cut, open }) {
  const ended = over(view) && Object.keys(view.won).length > 0;
  const again = view.rematchNo > 0 || view.phase === "rejoin";
  return h("div.centre", { key: "centre", "data-at": POT, class: [ended && "ended", (again || view.pots.length > 1) && "crowded"] },
    again && banner(view),
    cut ? cutting(ctx, cut) : ended ? winners(ctx, view) : pot(ctx, view),
    open && h("p.before", { role: "note" }, "지난 패가 잠시 보여요"),
    facts(ctx, view));
}

/** "재경기 2회차 - 구사" */
function banner(view) {
  const which = view.phase === "rejoin" ? view.rematchNo + 1 : view.rematchNo;
  return h("p.rematch", null, `재경기 ${which}회차`, h("b", null, rematchName(view.rematchReason).replace(/ ?재경기/, "")));
}

/** 판돈, and beside it what the bet that is being looked at would make of it. */
function pot({ ui, state }, view) {
  const offer = view.legalActions?.find(({ type }) => type === ui.eyeing && state.legal.some((action) => action.type === type));
  return h("div.pot", { key: "pot" },
    pile(heaps(view)),
    h("p", null, h("small", null, "판돈"),
      h("strong", { text: true, "aria-hidden": "true", hook: counting(view.pot, chips) }), h("span.unseen", null, `${chips(view.pot)}칩`)),
    offer?.amount > 0 && h("p.then", { key: "then" }, `걸면 ${chips(view.pot + offer.amount)}`),
    view.pots.length > 1 && h("ol.pots", null, view.pots.map((one, i) => h("li", { key: String(i) }, `${potName(i)} ${chips(one.amount)}`, h("small", null, ` ${one.eligible.length}명`)))));
}

export const potName = (i) => (i === 0 ? "메인" : `사이드${i > 1 ? ` ${i}` : ""}`);

const heaps = ({ pot: amount, baseUnit }) => Math.min(6, Math.max(1, Math.ceil(Math.log2(amount / baseUnit + 1) - 0.6)));

/** @type {import("../../types/page").VNode[]} */
const piles = [];
const COINS = [[26, 0], [11, 0], [41, 0], [18, 5], [34, 5], [26, 10]];

/** So many stacks of coins, more with a larger pot: only to be looked at. */
function pile(n) {
  return (piles[n] ??= h("svg.pile", { viewBox: "0 0 52 34", "aria-hidden": "true" }, COINS.slice(0, n).flatMap(([x, y], i) => {
    const high = [5, 3, 4, 3, 4, 3][i];
    return Array.from({ length: high }, (_, k) => h("g", { transform: `translate(${x} ${17 + y - k * 3.4})` }, h("ellipse", { cx: "0", cy: "1.6", rx: "7.6", ry: "3.6", fill: "#7c5a10" }), h("ellipse", { cx: "0", cy: "0", rx: "7.6", ry: "3.6", fill: k === high - 1 ? "#f3d177" : "#dcae45", stroke: "#8d6714", "stroke-width": "0.7" })));
  })));
}

function cutting({ state }, { player, n }) {
  return h("div.cut", { key: `cut ${n}`, "aria-hidden": "true" }, h("span.decks", null, h("i"), h("i")), h("small", null, `${called(state)(player)} 님이 기리`));
}

const STRUCK = new Set(["ttaengjabi", "amhaeng"]); // how it was won says which hand it was

/** Who took what, by which hand. */
function winners({ state }, view) {
  const name = called(state);
  const outcomes = view.showdown?.outcomes ?? [];
  const hands = new Map((view.showdown?.hands ?? []).map((hand) => [hand.player, hand]));
  const takers = Object.keys(view.won).sort((a, b) => view.won[b] - view.won[a]);
  const [first] = takers;
  const main = outcomes.find(({ potIndex, type }) => potIndex === 0 && type !== "rematch") ?? outcomes.find(({ type }) => type !== "rematch");
  const hand = hands.get(main?.players.find((player) => hands.has(player)) ?? first);
  const shared = main?.type === "split" && main.players.length > 1;
  return h("div.winner", { key: `won ${view.handNo}` },
    hand && h("span.pair", { role: "img", "aria-label": hand.cards.map(({ label }) => label).join(", ") }, hand.cards.map((card) => h("i", { key: card.face }, hwatu(card)))),
    h("div", null,
      h("h2", null, shared ? `${main.players.map(name).join(", ")} 나눔` : `${name(main?.players[0] ?? first)} 승!`),
      h("p", null, (main && STRUCK.has(main.reason) ? [how(main.reason)] : [hand?.name, main && how(main.reason)]).filter(Boolean).join(" · ")),
      h("ul", null, takers.map((player) => h("li", { key: player }, takers.length > 1 && `${name(player)} `, h("b", null, `+${chips(view.won[player])}`))))));
}

function facts({ ui, redraw }, view) {
  const { handLimit, endCondition } = view.options;
  return h("button.handno", { key: "handno", type: "button", onclick: () => ((ui.records = true), redraw()) },
    h("span", null, h("b", null, `${view.handNo}`), endCondition === "hands" ? `/${handLimit}판` : "판"), h("span", null, `학교 ${chips(view.baseUnit)}`), h("span.unseen", null, "판 기록 열기"));
}

/** For the end of the game: all of it in one sentence. */
export const finalWords = (state, view) => `${josa(view.result.winner.map(called(state)).join(", "), "이/가")} 이겼어요`;
