/**
 * Small charts: columns in, elements out. Lines and bars are drawn in a field of `length` × 100 that the browser stretches
 * (strokes keep their width); words stand beside it as text, so they stay sharp and are read out.
 *
 *   chart({ title, columns, step, since, scale: linear(0, max), lines: [{ name, column, cls }] }, cursor)
 */

import { h } from "../ui/dom.js";
import { clock } from "./format.js";

/** A scale from 0: where a value stands, as a part of the height, and where the lines of the grid are. */
export function linear(most, write = (value) => String(value)) {
  const top = nice(Math.max(2, most)); // halves of one are no number of anything
  const ticks = [0, top / 2, top];
  return { at: (value) => Math.min(1, value / top), ticks: ticks.map((value) => ({ at: value / top, text: write(value) })) };
}

/** The next of 1, 2, 5, 10, 20 … */
export function nice(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/** Tenfold steps: turns are told within 1 ms when all is well, and within 10 s when nothing is. */
export function logarithmic(least, most, write = (value) => String(value)) {
  const from = Math.log10(least), height = Math.log10(most) - from;
  const at = (value) => Math.min(1, Math.max(0, (Math.log10(Math.max(value, least)) - from) / height));
  const ticks = [];
  for (let power = Math.ceil(from); power <= Math.log10(most); power++) ticks.push({ at: at(10 ** power), text: write(10 ** power) });
  return { at, ticks };
}

/** A path through what is known; where something is not, it is broken. */
export function line(column, scale) {
  let path = "", drawing = false;
  column.forEach((value, i) => {
    if (value === null) return (drawing = false);
    const next = column[i + 1] ?? null;
    path += `${drawing ? "L" : "M"}${i + 0.5} ${height(value, scale)}`;
    if (!drawing && next === null) path += "h0.01"; // one alone: a point, by its round ends
    drawing = true;
  });
  return path;
}

/** The same, closed down to the ground. */
export function area(column, scale) {
  let path = "", from = null;
  column.forEach((value, i) => {
    if (value !== null) {
      path += from === null ? `M${i} 100V${height(value, scale)}H${i + 1}` : `V${height(value, scale)}H${i + 1}`;
      from ??= i;
    }
    if (from !== null && (value === null || i === column.length - 1)) {
      path += "V100Z";
      from = null;
    }
  });
  return path;
}

/** A bar for each value above 0. */
export const bars = (column, scale) =>
  column.map((value, i) => (value ? `M${i + 0.1} 100V${height(value, scale)}h0.8V100Z` : "")).join("");

const height = (value, scale) => +(100 - scale.at(value) * 100).toFixed(2);

/**
 * @param {{title: string, note?: any, step: number, since: number, length: number, scale: any, bound?: {at: number, text: string},
 *   series: {name: string, column: (number | null)[], draw: (column: any, scale: any) => string, cls: string, write: (value: any) => string}[],
 *   marks?: (number | null)[]}} about
 * @param {{at: number | null, move: (at: number | null) => void}} cursor shared by all charts
 */
export function chart({ title, note, step, since, length, scale, bound, series, marks = [] }, cursor) {
  const at = cursor.at !== null && cursor.at < length ? cursor.at : null;
  const last = length - 1;
  const moved = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    cursor.move(Math.min(last, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * length))));
  };
  return h("figure.chart", { key: title },
    h("figcaption", null,
      h("h3", null, title),
      h("div.legend", null,
        series.map(({ name, column, cls, write }) => h("span.series", { class: cls }, name, " ", h("b", null, write(column[at ?? last] ?? null)))),
        h("span.when", null, at === null ? note : clock((since + at * step) * 1000)))),
    h("div.plot", { onpointermove: moved, onpointerdown: moved, onpointerleave: () => cursor.move(null) },
      h("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", role: "img", "aria-label": said(title, series, last) },
        scale.ticks.map((tick) => h("path.grid", { d: `M0 ${100 - tick.at * 100}H${length}` })),
        bound && h("path.bound", { d: `M0 ${100 - bound.at * 100}H${length}` }),
        series.map(({ column, draw, cls }) => h("path", { class: cls, d: draw(column, scale) })),
        h("path.mark", { d: marks.map((count, i) => (count ? `M${i + 0.5} 0V100` : "")).join("") }),
        at !== null && h("path.cursor", { d: `M${at + 0.5} 0V100` })),
      scale.ticks.map((tick) => h("span.tick", { style: { "--at": tick.at } }, tick.text)),
      bound && h("span.tick.bound", { style: { "--at": bound.at } }, bound.text)),
    h("div.times", null, [0, 0.5, 1].map((part) => h("span", null, clock((since + part * length * step) * 1000).slice(0, 5)))));
}

/** The same for who does not see it: what it stands at, and the most there was. */
function said(title, series, last) {
  const parts = series.map(({ name, column, write }) => {
    const known = column.filter((value) => value !== null);
    return known.length ? `${name} now ${write(column[last])}, at most ${write(Math.max(...known))}` : `${name}: nothing known`;
  });
  return `${title}. ${parts.join("; ")}.`;
}
