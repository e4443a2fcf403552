/** The people round the blanket, and what lies before each: cards, chips of this round, what they last did. */

import { nameOf, seatOf } from "../../state.js";
import { h } from "../../ui/dom.js";
import { halo, running } from "../../ui/ring.js";
import { avatar } from "../../ui/waiting.js";
import { hwatuBack, plain } from "./cards.js";
import { chips } from "./words.js";

/** Clockwise from whoever sits below: me, or for a spectator the first seat. */
export function around(seats, me) {
  const at = Math.max(0, seats.indexOf(me));
  return [...seats.slice(at), ...seats.slice(0, at)];
}

const ABOVE = [0, 1, 2, 3, 2, 3, 4, 3, 4, 5]; // of so many others, those who sit along the top

/**
 * Where so many others sit, from my left round to my right, as parts of the room that a seat leaves on the blanket: up
 * the left side, along the top, down the right side.
 */
export function places(count) {
  const top = ABOVE[count], side = (count - top) / 2;
  const left = Array.from({ length: side }, (_, i) => ({ x: 0, y: side === 1 ? 0.62 : 1 - i * 0.5 }));
  const along = Array.from({ length: top }, (_, i) => {
    const x = top === 1 ? 0.5 : side === 0 ? [0.1, 0.9, 0, 0.5, 1].slice(top === 2 ? 0 : 2)[i] : top === 2 ? 0.24 + i * 0.52 : i / (top - 1);
    return { x, y: side === 0 && top > 1 && x !== 0.5 ? 0.2 : 0 };
  });
  return [...left, ...along, ...left.map(({ y }) => ({ x: 1, y })).reverse()];
}

/** A hand is over, and the next one has not begun. */
export const over = ({ phase }) => ["handEnd", "rebuy", "finished"].includes(phase);

/**
 * What a person is doing in this hand, in a word and as a look: "콜 60", "다이", "올인", "+240".
 *
 * @returns {{word: string, look: string}}
 */
export function doing(view, player) {
  const one = view.players[player];
  const here = one.committedRound > 0 ? ` ${chips(one.committedRound)}` : "";
  const won = view.won[player];
  if (won > 0 && over(view)) return { word: `+${chips(won)}`, look: "won" };
  if (one.status === "left") return { word: "나감", look: "out" };
  if (one.status === "eliminated") return { word: "탈락", look: "out" };
  if (one.status === "busted") return { word: "칩 없음", look: "out" };
  if (one.folded) return { word: "다이", look: "die" };
  if (!one.inHand) return { word: "쉼", look: "out" };
  if (one.allIn) return { word: `올인${here}`, look: "allin" };
  if (view.phase === "choose") return one.chosen ? { word: "골랐음", look: "done" } : { word: "", look: "" };
  if (one.lastAction) return { word: one.lastAction + here, look: /체크|콜|삥/.test(one.lastAction) ? "even" : "raise" };
  return { word: here.trim(), look: "even" };
}

/** Whose turn it is, or who else is being waited for. */
export const asked = (view, player) => view.phase !== "handEnd" && view.waitingFor.includes(player);

/**
 * @param {import("../../types/page").TableContext} ctx
 * @param {Map<string, any>} shown the hands that lie open just now
 */
export function seat(ctx, view, player, place, shown) {
  const { state } = ctx;
  const one = view.players[player];
  const { seat: who, index } = seatOf(state, player);
  const hand = shown.get(player);
  const turn = asked(view, player);
  const now = doing(view, player);
  const gone = !who.online || who.left || one.away;
  const cards = hand?.cards ?? one.cards;
  const label = [who.name, view.dealer === player && "선", `칩 ${chips(one.stack)}`, now.word, hand ? `${hand.cards.map(({ label: called }) => called).join(", ")}: ${hand.name}` : cards.length > 0 && `뒤집힌 카드 ${cards.length}장`, turn && "차례", one.away ? "자리 비움" : !who.online && !who.left && "연결 끊김"].filter(Boolean).join(", ");
  return h("li.sitter", { key: player, "data-at": player, style: { "--x": place.x, "--y": place.y }, class: [turn && "turn", now.look && `is-${now.look}`, !one.inHand && "idle", gone && "away"] },
    h("div", { role: "group", "aria-label": label, hook: turn ? running(state.clock, usual(state, view)) : undefined },
      h("span.face", null, turn && halo(), avatar(who, index), view.dealer === player && dealer(), gone && !who.left && h("span.gone", null, one.away ? "비움" : "끊김")),
      h("span.cards", { class: [`of${cards.length}`, cards.some(({ hidden }) => !hidden) && "open"] }, cards.map((card, i) => h("i", { class: !card.hidden && "up", key: card.hidden ? `b${view.handNo}.${view.rematchNo}.${i}` : card.face, style: { "--late": `${late(view, i, place)}ms` } }, card.hidden ? hwatuBack() : plain(card)))),
      h("span.who", null, who.name),
      h("span.stack", null, chips(one.stack)),
      (hand || now.word) && h("span.now", { key: hand?.name ?? now.word, class: hand && now.look !== "won" ? ["made", hand.special && "special"] : now.look }, hand && h("span.name", null, hand.name, now.look === "won" && " "), (!hand || now.look === "won") && now.word)));
}

/** Cards come one after the other from my left on; the first ones of a hand when they have been cut. */
export const late = (view, i, place) => (view.street === 0 && view.rematchNo === 0 ? 700 : 0) + i * 90 + Math.round((place?.x ?? 1) * 240);

/** What a full ring stands for; somebody who is away has less time, and a ring that began less full. */
export const usual = (state, view) => ((state.clock?.whole ?? 0) > 5500 && view.phase === "betting" ? view.options.turnSeconds * 1000 : 0);

export const dealer = () => h("span.first", { title: "선" }, "선");
export const called = (state) => (player) => nameOf(state, player);
