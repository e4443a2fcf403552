/**
 * French playing cards as drawings of our own, for any table: four suits told apart by shape, by colour and by depth of
 * colour, an index that can be read at 48 pixels, a joker, a back. A card is named as people write it: "10♥", "J♣",
 * "조커(J♥)" for a joker that counts as another card, "조커".
 */

import { h } from "./dom.js";
import { address, once } from "./pictures.js";
import { SUITS } from "./icons.js";

export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

const LETTER = Object.fromEntries(Object.entries(SUITS).map(([letter, { sign }]) => [sign, letter]));

/** What the pictures wear: a hat, a diadem, a crown; on a field of 24 × 24. */
const WORN = {
  J: "M4 16.5c5 2.3 11 2.3 16 0M6.5 15.7C7 9.5 9 7 12.5 7c2.8 0 4.6 2.8 5 8.7M13 7c1.2-2.8 4-4.3 7-3.5-1 2.5-2.8 3.8-5.5 4.1",
  Q: "M4 17.5h16M4.5 17.5C4.2 13 3.6 11 2.5 9c3 .6 4.4 2 5.3 4 .6-3.4 1.8-5.8 4.2-8 2.4 2.2 3.6 4.6 4.2 8 .9-2 2.3-3.4 5.3-4-1.1 2-1.7 4-2 8.5M12 11.5v.2",
  K: "M4.5 18.5h15M5 15.5L3 6.5l5.3 4L12 4l3.7 6.5 5.3-4-2 9z",
};

/** The parts of a written card. @param {string} face */
export function parsed(face) {
  const [, joker, inside = ""] = face.match(/^(조커)?\(?([^)]*)\)?$/) ?? [];
  const suit = LETTER[inside.slice(-1)] ?? null;
  return { joker: Boolean(joker), suit, rank: suit ? inside.slice(0, -1) : "" };
}

/** How a card is read out: "하트 10", "하트 J 조커". @param {string} face */
export function spoken(face) {
  const { joker, suit, rank } = parsed(face);
  const card = suit ? `${SUITS[suit].name} ${rank}` : face;
  return joker && suit ? `${card} 조커` : card;
}

const drawn = once();

/** A card that lies open. It says nothing to who listens: whatever holds it has the label. */
export const playingCard = (face) => drawn(face, () => h("img.pcard", { src: address(open(face)), alt: "", draggable: "false", decoding: "sync", "data-face": face }));

/** A card that lies face down. */
export const cardBack = () => drawn("back", () => h("img.pcard.back", { src: address(back()), alt: "", draggable: "false", decoding: "sync" }));

// ---------------------------------------------------------------- the drawings, on a field of 60 × 84

const INK = { S: "#17222b", H: "#b01f2e", D: "#b94d12", C: "#14573d", joker: "#67397a" };
export const FONT = "Pretendard, Apple SD Gothic Neo, Noto Sans KR, Noto Sans CJK KR, Malgun Gothic, sans-serif";

const card = (...drawn) => h("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 60 84" },
  h("rect", { x: "0.6", y: "0.6", width: "58.8", height: "82.8", rx: "6.6", fill: "#fffefa", stroke: "#b9c4bc", "stroke-width": "1.2" }), ...drawn);

function open(face) {
  const { joker, suit, rank } = parsed(face);
  return joker ? card(jester(suit, rank)) : card(index(suit, rank), large(suit, rank));
}

const pip = (suit, x, y, size) => h("path", { d: SUITS[suit].path, fill: INK[suit], transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})` });

const text = (x, y, size, fill, words, more = {}) => h("text", { x, y, "font-family": FONT, "font-size": size, "font-weight": "800", "text-anchor": "middle", fill, ...more }, words);

const index = (suit, rank) => [text(17, 26, rank === "10" ? 24 : 27, INK[suit], rank, { "letter-spacing": rank === "10" ? "-2.4" : "-1" }), pip(suit, 17, 38, 15)];

const large = (suit, rank) => (rank in WORN
  ? [h("path", { d: WORN[rank], transform: "translate(21 42) scale(1.42)", fill: "none", stroke: INK[suit], "stroke-width": "1.7", "stroke-linecap": "round", "stroke-linejoin": "round" }), pip(suit, 49, 71, 11)]
  : pip(suit, 40, 61, rank === "A" ? 36 : 30));

/** Three points with bells. One that counts as another card has that one's index, and makes room for it. */
function jester(suit, rank) {
  return [
    suit ? index(suit, rank) : text(30, 22, 11, INK.joker, "조커"),
    h("g", suit ? { transform: "translate(15.5 19) scale(0.74)" } : {},
      h("path", { d: "M15 70C12 58 13 51 8 48c8-2 12 1 15 7 0-9 2-14 7-18 5 4 7 9 7 18 3-6 7-9 15-7-5 3-4 10-7 22z", fill: "#e9dcf0", stroke: INK.joker, "stroke-width": "1.6", "stroke-linejoin": "round" }),
      [[8, 47], [30, 36], [52, 47]].map(([cx, cy]) => h("circle", { cx, cy, r: "3.2", fill: "#e6b94a", stroke: "#8a6410" }))),
    suit && text(38, 80, 11, INK.joker, "조커"),
  ];
}

/** A lattice, as of a paper window, and a round of red. */
const back = () => card(
  h("rect", { x: "4", y: "4", width: "52", height: "76", rx: "4.5", fill: "#20497f" }),
  h("path", { d: "M4 18L18 4M4 32L32 4M4 46L46 4M4 60L56 8M4 74L56 22M12 80L56 36M26 80L56 50M40 80L56 64M56 18L42 4M56 32L28 4M56 46L14 4M56 60L4 8M56 74L4 22M48 80L4 36M34 80L4 50M20 80L4 64", fill: "none", stroke: "#7d9dc6", "stroke-width": "1.1" }),
  h("circle", { cx: "30", cy: "42", r: "11", fill: "#fffefa" }),
  h("circle", { cx: "30", cy: "42", r: "5.5", fill: "none", stroke: "#b3261e", "stroke-width": "3" }));
