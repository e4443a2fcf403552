/** The four suits of French cards: told apart by shape, by colour and by depth of colour. */

import { h } from "./dom.js";

/** By their letters; the paths lie in a field of 24 × 24. */
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
