/** Small signs, all on a field of 24 × 24: the page's own icons, which are strokes, and the suits of French cards. */

import { h } from "./dom.js";

const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9.5 5.5L5 10l4.5 4.5M5 10h8.5a5.5 5.5 0 0 1 0 11H11",
  check: "M5 12.5l4.5 4.5L19 7.5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  copy: "M9 9h10v11H9zM5 15V4h10",
  share: "M12 15V4m-4 4l4-4 4 4M6 13v7h12v-7",
  crown: "M4 18h16M4 8l4 4 4-7 4 7 4-4-1.5 7h-13z",
  bot: "M5 9h14v10H5zM12 9V5M9 13v2m6-2v2M3 13v3m18-3v3",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  gear: "M4 7h9m5 0h2M4 17h3m5 0h8M15.5 4.5v5M9.5 14.5v5",
  list: "M5 6h14M5 12h14M5 18h9",
  person: "M12 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5 20c.5-4 3-6 7-6s6.5 2 7 6",
  people: "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 19c.3-3.5 2.5-5 6-5s5.7 1.5 6 5M15.5 5.3a3 3 0 0 1 0 5.4M17.5 14.3c2 .6 3.2 2 3.5 4.7",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
  bolt: "M13 3L6 13.5h5L10.5 21 18 10h-5.5z",
  door: "M14 4H6v16h8M11 12h9m-3.5-3.5L20 12l-3.5 3.5",
  help: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.5 9.5a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2 1-1.2 1.8M12 16.5v.2",
  qr: "M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h2.5v2.5h-2.5zM19.5 13.5v2.5M13.5 19.5h2.5M19 19v.5",
  replay: "M5.5 8.5A8 8 0 1 1 4 12M4 4.5v4.5h4.5M10.5 9.2v5.6l4.6-2.8z",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  next: "M7 5.5v13l8.5-6.5zM18 5.5v13",
  previous: "M17 5.5v13L8.5 12zM6 5.5v13",
  book: "M12 6.5C10 5 7 4.7 4 5v13c3-.3 6 0 8 1.5 2-1.5 5-1.8 8-1.5V5c-3-.3-6 0-8 1.5zM12 6.5v13",
  bulb: "M9.5 17.5h5M10.5 20.5h3M9 14.5c-1.7-1-2.8-2.7-2.8-4.7a5.8 5.8 0 0 1 11.6 0c0 2-1.1 3.7-2.8 4.7v.8H9z",
  sound: "M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  star: "M12 3.5l2.5 5.4 5.9.6-4.4 4 1.3 5.8-5.3-3-5.3 3 1.3-5.8-4.4-4 5.9-.6z",
  heart: "M12 19.5S4.5 15 4.5 9.5A3.9 3.9 0 0 1 12 8a3.9 3.9 0 0 1 7.5 1.5c0 5.5-7.5 10-7.5 10z",
};

const drawn = new Map();

export function icon(name, cls = "") {
  const key = `${name} ${cls}`;
  if (!drawn.has(key)) drawn.set(key, h("svg.icon", { class: cls, viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: PATHS[name] })));
  return drawn.get(key);
}

// ---------------------------------------------------------------- suits

/** The four suits of French cards, by their letters: told apart by shape, by colour and by depth of colour. */
export const SUITS = {
  S: { sign: "♠", name: "스페이드", path: "M12 1.5C9.6 6.2 2.8 9.4 2.8 14.3a4.5 4.5 0 0 0 8 2.9c-.2 2.3-.9 4-2.3 5.3h7c-1.4-1.3-2.1-3-2.3-5.3a4.5 4.5 0 0 0 8-2.9C21.2 9.4 14.4 6.2 12 1.5z" },
  H: { sign: "♥", name: "하트", path: "M12 21.5C6.8 16.8 2 13.2 2 8.2a5.2 5.2 0 0 1 10-2.1 5.2 5.2 0 0 1 10 2.1c0 5-4.8 8.6-10 13.3z" },
  D: { sign: "♦", name: "다이아몬드", path: "M12 1c2.3 4 4.8 7.5 8.2 11-3.4 3.5-5.9 7-8.2 11-2.3-4-4.8-7.5-8.2-11C7.2 8.5 9.7 5 12 1z" },
  C: { sign: "♣", name: "클로버", path: "M12 1.5a4.7 4.7 0 0 0-3.9 7.3 4.7 4.7 0 1 0 2.7 8.1c-.2 2.5-.9 4.3-2.3 5.6h7c-1.4-1.3-2.1-3.1-2.3-5.6a4.7 4.7 0 1 0 2.7-8.1A4.7 4.7 0 0 0 12 1.5z" },
};

/** Each is described once. @type {Map<string, import("../types/page").VNode>} */
const marks = new Map(Object.entries(SUITS).map(([suit, { path }]) => [suit, h("svg.suit", { class: suit, viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: path }))]));

/** @param {string} suit its letter */
export const suitMark = (suit) => marks.get(suit);

// ---------------------------------------------------------------- the name

/** Small: two cards, one of them with the round of a 판. */
export const logo = () => h("img.logo", { src: new URL("../icon.svg", import.meta.url).pathname, alt: "", width: "32", height: "32" });
