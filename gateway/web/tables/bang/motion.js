/** What moves over 뱅!'s table (`ui/motion.js`): cards, shots, and what a life lost or won comes to. */

import { motion, popped } from "../../ui/motion.js";
import { back, card, shot, small } from "./art.js";
import { word } from "./words.js";

/** A pile's place on the table, beside those of the people. */
export const STOCK = "$stock", HEAP = "$heap", SHELF = "$shelf";

const fly = (from, to, what) => ({ kind: "flight", from, to, what });
const pop = (at, says, mood) => ({ kind: "pop", cls: mood, from: at, to: at, says });

/** @type {Record<string, (event: any, names: string) => any>} */
const MOVES = {
  cardPlayed: (e) => fly(e.player, HEAP, card(e.card.face)),
  attacked: (e, names) => ({ kind: "shot", from: e.source, to: e.player, what: shot(names === "children") }),
  responded: (e) => e.cards.map(({ face }) => fly(e.player, HEAP, card(face))),
  cardsDiscarded: (e) => e.cards.slice(0, 4).map(({ face }) => fly(e.player, HEAP, card(face))),
  healedByDiscard: (e) => e.cards.map(({ face }) => fly(e.player, HEAP, card(face))),
  cardsDrawn: (e) => Array.from({ length: Math.min(3, e.count) }, () => fly(STOCK, e.player, back())),
  discardTaken: (e) => fly(HEAP, e.player, card(e.card.face)),
  cardTaken: (e) => fly(e.target, e.player, e.card ? card(e.card.face) : back()),
  looted: (e) => e.count > 0 && fly(e.target, e.player, back()),
  storePicked: (e) => fly(SHELF, e.player, card(e.card.face)),
  dynamitePassed: (e, names) => ({ kind: "drift", from: e.player, to: e.target, what: small(`${word(names, "dynamite")} 2♥`) }),
  evaded: (e) => pop(e.player, "막음!", "good"),
  lifeLost: (e) => pop(e.player, `−${e.points}`, "bad"),
  lifeGained: (e) => pop(e.player, "+1", "good"),
  jailEscaped: (e) => pop(e.player, "탈출!", "good"),
  turnSkipped: (e) => pop(e.player, "쉬어요", "bad"),
};

/** What is on its way just now. */
export const moving = (ctx) => motion(ctx, (event) => MOVES[event.type]?.(event, ctx.state.view.options.names));

/** Has just been hurt? */
export const struck = (ctx, player) => popped(ctx, player, "bad");
