/**
 * 섯다의 판: a blanket with people round it, the pot in the middle, my cards and my bets below. What two cards are worth,
 * what a bet costs and who wins is in the view; what may be done is in `legal`.
 */

import { sheet } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { ahead } from "../ui/pictures.js";
import { running } from "../ui/ring.js";
import { everyCard } from "./seotda/cards.js";
import { centre, finalWords, loud, passing, potName, shownHands } from "./seotda/middle.js";
import { mySide } from "./seotda/mine.js";
import { moving } from "./seotda/motion.js";
import { ranking, rankingSheet } from "./seotda/ranking.js";
import { around, called, places, seat, usual } from "./seotda/seats.js";
import { chips } from "./seotda/words.js";

ahead(everyCard());

export { chapter, describe, hints, score, sound } from "./seotda/words.js";

/** @param {import("../types/page").TableContext} ctx */
export function table(ctx) {
  const { state, ui, redraw } = ctx;
  const { view } = state;
  const me = view.seats.includes(state.you.player) ? state.you.player : null;
  const mine = state.decision > 0;
  const now = passing(ctx, view);
  const shown = shownHands(view, now.open);
  const [below, ...others] = around(view.seats, me);
  const spots = places(others.length);
  return h("main.table.sd", { class: [`phase-${view.phase}`, mine && "mine", view.phase === "finished" && "over", me ? "" : "onlooking"] },
    h("div.hall", null,
      h("section.blanket", { "aria-label": "판 가운데", class: `n${others.length}` },
        h("ol.ring", { "aria-label": "함께 하는 사람" }, !me && seat(ctx, view, below, { x: 0.5, y: 1 }, shown), others.map((player, i) => seat(ctx, view, player, spots[i], shown))),
        centre(ctx, view, now),
        loud(now.shout)),
      h("p.whose", { hook: running(state.clock, usual(state, view)), class: mine && "asked" }, h("span", null, turnText(state, view, me)), h("b", { "data-seconds": "", text: true, "aria-hidden": "true" }), h("i.bar.lapse", { "aria-hidden": "true" })),
      me && mySide(ctx, view, me)),
    h("aside.ranks", { "aria-label": "족보표" }, h("h2", null, "족보표"), ranking(view, ui.covered ? null : view.handName)),
    moving(ctx, view),
    ui.ranks && rankingSheet(view, ui.covered ? null : view.handName, () => ((ui.ranks = false), redraw())),
    ui.records && recordSheet(ctx, view));
}

function turnText(state, view, me) {
  const name = called(state);
  const asked = view.waitingFor.includes(me);
  const others = view.waitingFor.filter((player) => player !== me).map(name).join(", ");
  switch (view.phase) {
    case "betting": {
      if (!asked) return `${name(view.current)} 님 차례`;
      const call = view.legalActions.find(({ type }) => type === "call");
      return call ? `내 차례예요. 맞추려면 ${chips(call.amount)}칩` : "내 차례예요. 아직 아무도 걸지 않았어요";
    }
    case "choose": return asked ? "세 장 가운데 두 장을 골라요" : `${others} 님이 고르고 있어요`;
    case "rejoin": return asked ? "재경기에 다시 들어올까요?" : `재참가를 기다려요: ${others}`;
    case "rebuy": return asked ? "칩이 떨어졌어요" : `칩을 다시 받을지 기다려요: ${others}`;
    case "finished": return finalWords(state, view);
    default: return asked ? "결과를 보고 다음 판으로 가요" : "다음 판을 기다려요";
  }
}

/** The pots as they stand, the hands of the game before a rematch, and how the last hands ended. */
function recordSheet(ctx, view) {
  const { ui, redraw, state } = ctx;
  const name = called(state);
  const all = (players) => players.map(name).join(", ");
  const before = view.rematchNo > 0 ? (view.showdown?.hands ?? []) : [];
  return sheet({ title: "판 기록", close: () => ((ui.records = false), redraw()), key: "records", cls: "records" },
    h("div.scroll", { tabindex: "0" },
      view.pots.length > 0 && [h("h3", { key: "pots" }, "지금 판돈"), h("table", null, h("tbody", null, view.pots.map((pot, i) =>
        h("tr", { key: String(i) }, h("th", { scope: "row" }, `${potName(i)} 팟`), h("td", null, h("b", null, `${chips(pot.amount)}칩`), h("small", null, all(pot.eligible)))))))],
      before.length > 0 && [h("h3", { key: "before" }, "재경기 전에 펼친 패"), h("table", null, h("tbody", null, before.map((hand) =>
        h("tr", { key: hand.player }, h("th", { scope: "row" }, name(hand.player)), h("td", null, h("b", null, hand.name), h("small", null, hand.cards.map(({ label }) => label).join(", ")))))))],
      h("h3", { key: "hands" }, "지난 판"),
      view.publicLog.length === 0 ? h("p", null, "아직 끝난 판이 없어요") : h("table", null, h("tbody", null, view.publicLog.toReversed().map((record) =>
        h("tr", { key: String(record.handNo) }, h("th", { scope: "row" }, `${record.handNo}판`),
          h("td", null, h("b", null, Object.entries(record.won).map(([player, amount]) => `${name(player)} +${chips(amount)}`).join(", ")), h("small", null, [record.name ?? "패를 보이지 않았어요", record.rematches > 0 && `재경기 ${record.rematches}번`].filter(Boolean).join(" · ")))))))));
}

/** Below the ranking on the result sheet. */
export function details({ result }, name) {
  const { handsPlayed, rematches, bestHand, biggestPot } = result.stats;
  return [
    ["한 판", `${handsPlayed}판${rematches > 0 ? `, 재경기 ${rematches}번` : ""}`],
    bestHand && ["최고 족보", `${bestHand.name} · ${name(bestHand.player)} (${bestHand.handNo}판)`],
    biggestPot && ["가장 큰 판돈", `${chips(biggestPot.amount)}칩 · ${biggestPot.winners.map(name).join(", ")} (${biggestPot.handNo}판)`],
  ].filter(Boolean);
}
