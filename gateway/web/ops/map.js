/**
 * The map: a sign for each room process of a node, for each spare, and for each room that is in no process. All signs of a
 * state are one path, so a node with hundreds of rooms is a handful of elements. A state has its own shape, beside its colour.
 *
 * @typedef {import("./types").Cell} Cell
 */

import { h } from "../ui/dom.js";
import { plural } from "./format.js";

const PITCH = 16; // from one sign to the next; a sign takes 12

/** What each state looks like, drawn from its upper left corner; lines only, so that one path holds many. */
const SIGNS = {
  playing: (x, y) => `M${x + 1} ${y + 1}h10v10h-10z`,
  waiting: (x, y) => `M${x + 1} ${y + 6}h10v5h-10z`,
  finished: (x, y) => `M${x + 1} ${y + 8.5}h10v2.5h-10z`,
  placing: (x, y) => `M${x + 6} ${y}l6 11h-12z`,
  stranded: (x, y) => `M${x} ${y + 1}h12l-6 11z`,
  quarantined: (x, y) => `M${x + 6} ${y - 0.5}l6.5 6.5-6.5 6.5-6.5-6.5z`,
  parked: (x, y) => `M${x + 2} ${y + 6}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z`,
  closed: (x, y) => `M${x + 1} ${y + 8.5}h10v2.5h-10z`,
  spare: (x, y) => `M${x + 1.5} ${y + 1.5}h9v9h-9z`,
  starting: (x, y) => `M${x + 1.5} ${y + 1.5}h9v9h-9z`,
};
export const STATES = ["playing", "waiting", "finished", "placing", "stranded", "quarantined", "parked"];
const ORDER = Object.fromEntries([...STATES, "closed"].map((state, i) => [state, i]));

/** The signs as they stand: rooms by state, the urgent ones last but for spares. */
export function laidOut(cells, { spares = 0, starting = 0 } = {}) {
  const rooms = [...cells].sort((a, b) => (ORDER[a[1]] ?? 9) - (ORDER[b[1]] ?? 9) || (a[0] < b[0] ? -1 : 1));
  return [
    ...rooms.map(([code, state, online]) => ({ code, state, online })),
    ...Array.from({ length: spares }, () => ({ code: "", state: "spare", online: 0 })),
    ...Array.from({ length: starting }, () => ({ code: "", state: "starting", online: 0 })),
  ];
}

/** One path a state, for signs in so many columns. */
export function paths(signs, columns) {
  const drawn = {};
  signs.forEach(({ state }, i) => {
    const sign = SIGNS[state] ?? SIGNS.finished;
    drawn[state] = (drawn[state] ?? "") + sign((i % columns) * PITCH + 2, Math.floor(i / columns) * PITCH + 2);
  });
  return drawn;
}

/**
 * A field of signs.
 * @param {Cell[]} cells
 * @param {{columns: number, label: string, spares?: number, starting?: number, point: (text: string) => void, open: (code: string) => void}} about
 */
export function field(cells, { columns, label, spares = 0, starting = 0, point, open }) {
  const signs = laidOut(cells, { spares, starting });
  if (!signs.length) return null;
  const across = Math.min(columns, signs.length);
  const wide = across * PITCH, high = Math.ceil(signs.length / across) * PITCH;
  const under = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * across);
    const y = Math.floor(((event.clientY - box.top) / box.height) * (high / PITCH));
    return signs[y * across + x];
  };
  return h("svg.field", {
    viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-label": `${label}: ${summary(signs)}`,
    onpointermove: (event) => point(told(under(event))),
    onpointerleave: () => point(""),
    onclick: (event) => {
      const sign = under(event);
      if (sign?.code) open(sign.code);
    },
  }, Object.entries(paths(signs, across)).map(([state, d]) => h("path", { key: state, class: `is-${state}`, d })));
}

const told = (sign) => (!sign ? "" : sign.code ? `${sign.code} · ${sign.state} · ${sign.online} online` : sign.state === "spare" ? "a spare process" : "a process that is starting");

function summary(signs) {
  const counts = {};
  for (const { state } of signs) counts[state] = (counts[state] ?? 0) + 1;
  return Object.entries(counts).map(([state, count]) => (state === "spare" ? plural(count, "spare") : `${count} ${state}`)).join(", ");
}

/** What the shapes mean. */
export const legend = (states) =>
  h("ul.signs", null, [...STATES, "spare"].map((state) =>
    h("li", { key: state },
      h("svg.field", { viewBox: "0 0 16 16", width: "16", height: "16", "aria-hidden": "true" }, h("path", { class: `is-${state}`, d: SIGNS[state](2, 2) })),
      state === "spare" ? h("span", null, "spare") : h("a", { href: `#/rooms?state=${state}` }, state, " ", h("b", null, String(states[state] ?? 0))))));
