/** What moves over the blanket (`ui/motion.js`): chips on their way to the pot, and from it to whoever has won. */

import { h } from "../../ui/dom.js";
import { motion } from "../../ui/motion.js";

/** The pot's place, beside those of the people. */
export const POT = "$pot";

const COIN = [
  h("ellipse", { cx: "11", cy: "12.6", rx: "9.6", ry: "7.4", fill: "#7c5a10" }),
  h("ellipse", { cx: "11", cy: "9.4", rx: "9.6", ry: "7.4", fill: "#f3d177", stroke: "#8d6714", "stroke-width": "1.2" }),
  h("ellipse", { cx: "11", cy: "9.4", rx: "5.6", ry: "4", fill: "none", stroke: "#b58a2a", "stroke-width": "1.2" }),
];
const coin = h("svg.coin", { viewBox: "0 0 22 22" }, COIN);

/** More coins for more chips, as measured by the 학교: only to be looked at. */
const heap = (amount, unit) => Math.max(1, Math.min(5, Math.round(Math.log2(amount / unit + 1))));

const toss = (from, to, n) => Array.from({ length: n }, () => ({ kind: /** @type {const} */ ("toss"), from, to, what: coin }));

/** @type {Record<string, (event: any, unit: number) => any>} */
const MOVES = {
  ante: (e) => e.amount > 0 && { ...toss(e.player, POT, 1)[0], together: true },
  bet: (e, unit) => e.amount > 0 && toss(e.player, POT, heap(e.amount, unit)),
  rejoined: (e, unit) => toss(e.player, POT, heap(e.amount, unit)),
  returned: (e) => toss(POT, e.player, 1),
  potWon: (e, unit) => e.winners.flatMap((player) => toss(POT, player, heap(e.amount / e.winners.length, unit))),
};

/** What is on its way just now. */
export const moving = (ctx, view) => motion(ctx, (event) => MOVES[event.type]?.(event, view.baseUnit));
