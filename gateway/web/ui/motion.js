/**
 * What moves over a table between two places: cards on their way, chips, shots, what a life lost comes to. Each is told
 * by an event, drawn once from where it starts to where it ends, and gone. Who wants things to keep still sees none of it.
 *
 * A place is whatever carries `data-at`; most are people. Only transforms and opacity are animated, and nothing is
 * written back into styles: one layout is looked at, none is made.
 */

import { afterDrawing, calm, h } from "./dom.js";

const MOST = 8; // events of whoever was away: the last ones only
const STEP = 110; // ms from one to the next, unless they go together

/**
 * One thing that moves: `what` is drawn, or `says` is written. `at` is where it pops up; or it goes `from` … `to`.
 *
 * @typedef {{kind: keyof typeof KINDS, from: string, to: string, what?: any, says?: string, cls?: string, together?: boolean}} Move
 */

/**
 * Takes note of what has happened since the last drawing; draws what is still on its way.
 *
 * @param {import("../types/page").TableContext} ctx
 * @param {(event: any) => Move | Move[] | false | null | undefined} moves what an event sets in motion
 */
export function motion(ctx, moves) {
  const { state, ui, redraw } = ctx;
  const now = performance.now();
  const seen = ui.seen === undefined || ui.seen > state.logged ? state.logged : ui.seen;
  const news = calm() || seen === state.logged ? [] : state.log.slice(seen - state.logged).slice(-MOST);
  ui.seen = state.logged;
  ui.moving = (ui.moving ?? []).filter(({ until }) => until > now);
  let wait = 0, last = 0;
  for (const { n, event } of news) {
    [moves(event) || []].flat().forEach((one, i) => {
      if (!one) return;
      last = wait + KINDS[one.kind].after + KINDS[one.kind].lasts;
      ui.moving.push({ ...one, key: `${n} ${i}`, wait, until: now + last });
      if (!one.together) wait += STEP;
    });
  }
  if (last > 0) setTimeout(redraw, last + 40);
  return h("div.moving", { key: "moving", "aria-hidden": "true", hook: (el) => begin(el, ui.moving) },
    ui.moving.map(({ key, kind, cls, what, says }) => h(`span.${kind}`, { key, class: cls, "data-says": says }, what)));
}

/** Has just been struck? Whoever a thing of this class popped up at. */
export const popped = ({ ui }, place, cls) => (ui.moving ?? []).some((one) => one.kind === "pop" && one.cls === cls && one.from === place);

const to = ({ x, y }, more = "") => `translate(-50%, -50%) translate(${x}px, ${y}px) ${more}`;

/** How each kind goes: for how long (ms) after it began, how fast when, and through what. */
const KINDS = {
  flight: { lasts: 620, after: 0, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)", frames: (a, b) => [{ transform: to(a, "scale(0.7) rotate(-10deg)"), opacity: 1 }, { opacity: 1, offset: 0.8 }, { transform: to(b), opacity: 0 }] },
  toss: { lasts: 520, after: 0, easing: "cubic-bezier(0.3, 0.6, 0.4, 1)", frames: (a, b) => [{ transform: to(a), opacity: 1 }, { transform: to({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 18 }, "scale(1.15)"), opacity: 1, offset: 0.5 }, { opacity: 1, offset: 0.85 }, { transform: to(b), opacity: 0 }] },
  shot: { lasts: 420, after: 260, easing: "cubic-bezier(0.5, 0, 0.8, 0.6)", frames: (a, b) => [{ transform: to(a, turned(a, b)), opacity: 1 }, { transform: to(b, turned(a, b)), opacity: 1 }] },
  drift: { lasts: 900, after: 260, easing: "ease-in-out", frames: (a, b) => [{ transform: to(a), opacity: 1 }, { transform: to(b), opacity: 1 }] },
  pop: { lasts: 1200, after: 200, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)", frames: ({ x, y }) => [{ transform: to({ x, y: y + 10 }, "scale(0.6)"), opacity: 0 }, { transform: to({ x, y: y - 8 }, "scale(1.15)"), opacity: 1, offset: 0.2 }, { transform: to({ x, y: y - 16 }), opacity: 1, offset: 0.75 }, { transform: to({ x, y: y - 30 }), opacity: 0 }] },
};

const turned = (a, b) => `rotate(${Math.atan2(b.y - a.y, b.x - a.x)}rad)`;

/** Sets what is new in motion. */
function begin(layer, moving) {
  const fresh = [...layer.children].map((el, i) => ({ el, ...moving[i] })).filter(({ el }) => !el._begun);
  if (fresh.length === 0) return;
  for (const { el } of fresh) el._begun = true;
  afterDrawing(() => layer.isConnected && setOff(layer, fresh));
}

/** All places are looked up before anything begins. */
function setOff(layer, fresh) {
  const table = layer.closest(".table"), origin = table.getBoundingClientRect();
  const middles = new Map();
  const middle = (place) => {
    if (!middles.has(place)) {
      const box = (table.querySelector(`[data-at="${CSS.escape(place)}"]`) ?? table).getBoundingClientRect();
      middles.set(place, { x: box.left + box.width / 2 - origin.left, y: box.top + box.height / 2 - origin.top });
    }
    return middles.get(place);
  };
  const starts = fresh.map(({ kind, from, to: end }) => KINDS[kind].frames(middle(from), middle(end)));
  fresh.forEach(({ el, kind, wait }, i) => {
    const { lasts, after, easing } = KINDS[kind];
    el.animate(starts[i], { duration: lasts, delay: wait + after, easing });
  });
}
