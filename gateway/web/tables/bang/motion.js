/**
 * What moves over the table: cards on their way, shots, and what a life lost or won comes to. Each thing is told by an
 * event, drawn once from where it starts to where it ends, and gone. Who wants things to keep still sees none of it.
 */

import { calm, h } from "../../ui/dom.js";
import { back, card, shot, small } from "./art.js";
import { word } from "./words.js";

const LASTS = 1500; // ms: all of them are over by then
const MOST = 8; // of whoever was away the last ones only
const STEP = 110; // ms from one to the next

/** A pile's place on the table, beside those of the people. */
export const STOCK = "$stock", HEAP = "$heap", SHELF = "$shelf";

const fly = (from, to, what) => ({ cls: "flight", from, to, what });
const pop = (at, text, mood) => ({ cls: `pop ${mood}`, from: at, to: at, what: text });

/** @type {Record<string, (event: any, names: string) => any>} */
const MOVES = {
  cardPlayed: (e) => fly(e.player, HEAP, card(e.card.face)),
  attacked: (e, names) => ({ cls: "shot", from: e.source, to: e.player, what: shot(names === "children") }),
  responded: (e) => e.cards.map(({ face }) => fly(e.player, HEAP, card(face))),
  cardsDiscarded: (e) => e.cards.slice(0, 4).map(({ face }) => fly(e.player, HEAP, card(face))),
  healedByDiscard: (e) => e.cards.map(({ face }) => fly(e.player, HEAP, card(face))),
  cardsDrawn: (e) => Array.from({ length: Math.min(3, e.count) }, () => fly(STOCK, e.player, back())),
  discardTaken: (e) => fly(HEAP, e.player, card(e.card.face)),
  cardTaken: (e) => fly(e.target, e.player, e.card ? card(e.card.face) : back()),
  looted: (e) => e.count > 0 && fly(e.target, e.player, back()),
  storePicked: (e) => fly(SHELF, e.player, card(e.card.face)),
  dynamitePassed: (e, names) => ({ cls: "shot slow", from: e.player, to: e.target, what: small(`${word(names, "dynamite")} 2♥`) }),
  evaded: (e) => pop(e.player, "막음!", "good"),
  lifeLost: (e) => pop(e.player, `−${e.points}`, "bad"),
  lifeGained: (e) => pop(e.player, "+1", "good"),
  jailEscaped: (e) => pop(e.player, "탈출!", "good"),
  turnSkipped: (e) => pop(e.player, "쉬어요", "bad"),
};

/** Takes note of what has happened since the last drawing; draws what is still on its way. */
export function motion(ctx) {
  const { state, ui, redraw } = ctx;
  const now = performance.now();
  const seen = ui.seen === undefined || ui.seen > state.logged ? state.logged : ui.seen;
  const news = calm() ? [] : state.log.filter(({ n }) => n > Math.max(seen, state.logged - MOST));
  ui.seen = state.logged;
  ui.moving = (ui.moving ?? []).filter(({ until }) => until > now);
  let wait = 0;
  for (const { n, event } of news) {
    for (const one of [MOVES[event.type]?.(event, state.view.options.names) ?? []].flat().filter(Boolean)) {
      ui.moving.push({ ...one, key: `${n} ${wait}`, wait, until: now + wait + LASTS });
      wait += STEP;
    }
  }
  if (wait > 0) setTimeout(redraw, wait + LASTS + 20);
  return h("div.moving", { key: "moving", "aria-hidden": "true", hook: (el) => place(el, ui.moving) }, ui.moving.map(({ key, cls, what }) => h("span", { key, class: cls }, what)));
}

/** Has just been hurt? */
export const struck = ({ ui }, player) => (ui.moving ?? []).some(({ cls, from }) => cls === "pop bad" && from === player);

/** Says where each new thing starts and ends. All places are looked up before anything is written: one layout. */
function place(layer, moving) {
  const fresh = [...layer.children].map((el, i) => ({ el, ...moving[i] })).filter(({ el }) => !el.style.getPropertyValue("--x"));
  if (fresh.length === 0) return;
  const table = layer.closest(".bng"), origin = table.getBoundingClientRect();
  const middles = new Map();
  const middle = (at) => {
    if (!middles.has(at)) {
      const box = (table.querySelector(`[data-at="${CSS.escape(at)}"]`) ?? table).getBoundingClientRect();
      middles.set(at, { x: box.left + box.width / 2 - origin.left, y: box.top + box.height / 2 - origin.top });
    }
    return middles.get(at);
  };
  for (const { from, to } of fresh) middle(from), middle(to);
  for (const { el, from, to, wait } of fresh) {
    const start = middle(from), end = middle(to), x = end.x - start.x, y = end.y - start.y;
    const set = { "--x": `${start.x}px`, "--y": `${start.y}px`, "--dx": `${x}px`, "--dy": `${y}px`, "--turn": `${Math.atan2(y, x)}rad`, "--after": `${wait}ms` };
    for (const [name, value] of Object.entries(set)) el.style.setProperty(name, value);
  }
}
