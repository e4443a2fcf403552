/**
 * 뱅!'s drawings, all our own: the cards as pictograms in ink and flat colour, the sixteen characters put together from
 * hats, hair and what they carry, the roles' signs. A card is told by its name, its picture and its frame: a plain edge
 * and "즉시" for what is used up, a double one and "장착" for what stays.
 */

import { FONT } from "../../ui/cards.js";
import { h } from "../../ui/dom.js";
import { address, once } from "../../ui/pictures.js";
import { SUITS } from "../../ui/icons.js";
import { KINDS_IN_ORDER, parts, REACH, short, word, WORN } from "./words.js";

const INK = "#33241a";
const PIP = { "♠": ["S", "#17222b"], "♥": ["H", "#b01f2e"], "♦": ["D", "#b94d12"], "♣": ["C", "#14573d"] };

const drawn = once();

const picture = (cls, box, children, more = {}) =>
  h(`img.${cls}`, { src: address(h("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: box }, children)), alt: "", draggable: "false", decoding: "sync", ...more });

/** Path data, its fill (default: none) and its stroke (default: ink). */
const p = (d, fill = "none", stroke = INK, width = 1.7) => h("path", { d, fill, stroke, "stroke-width": width, "stroke-linejoin": "round", "stroke-linecap": "round" });
const c = (cx, cy, r, fill = "none", stroke = INK, width = 1.7) => h("circle", { cx, cy, r, fill, stroke, "stroke-width": width });
const g = (transform, ...children) => h("g", { transform }, ...children);
const text = (x, y, size, fill, words, more = {}) => h("text", { x, y, "font-family": FONT, "font-size": size, "font-weight": "800", "text-anchor": "middle", fill, ...more }, words);

// ---------------------------------------------------------------- what is on the cards, on a field of 48 × 40

const WOOD = "#b9824d", STEEL = "#aab6bd", BRASS = "#e0ac3c", FIRE = "#e2632c", WATER = "#5aa6d8", LEAF = "#5f9a6c", CLOTH = "#c9573f", PAPER = "#fffaf0", ROSE = "#d96a7c";

const drop = (x, y, size = 1) => g(`translate(${x} ${y}) scale(${size})`, p("M0 -8C4 -2 6 1 6 4a6 6 0 0 1-12 0C-6 1-4-2 0-8z", WATER));
const bullet = (x, y, turn = 0, size = 1) => g(`translate(${x} ${y}) rotate(${turn}) scale(${size})`, p("M-8 -3.4h9c4 0 7 2 8 3.4-1 1.4-4 3.4-8 3.4h-9z", BRASS), p("M-4 -3.4v6.8M-8 -3.4v6.8"));
const hat = (x, y, size = 1, fill = "#8a5a34") => g(`translate(${x} ${y}) scale(${size})`, p("M-9 2C-8.5-6-6-9-2.5-8 -1-7 1-7 2.5-8 6-9 8.5-6 9 2z", fill), p("M-16 1c4 4.5 28 4.5 32 0-3 1-6 1.3-7 1.2C6 3-6 3-9 2.2-10 2.3-13 2-16 1z", fill), p("M-9 0C-5 1.8 5 1.8 9 0", "none", CLOTH, 2.2));
const mini = (x, y, turn, fill = PAPER) => g(`translate(${x} ${y}) rotate(${turn})`, h("rect", { x: -7, y: -10, width: 14, height: 20, rx: 2, fill, stroke: INK, "stroke-width": 1.6 }));
const wheel = (x, y, r) => [c(x, y, r, "#e8c893"), p(`M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`), c(x, y, 1.4, INK)];

const flask = (x, y, size = 1) => g(`translate(${x} ${y}) scale(${size})`, p("M-3.5-14h7v9L10 8c1.5 3.5 0 6-3.5 6h-13C-10 14-11.5 11.5-10 8L-3.5-5z", "#eaf4ee"), p("M-7.3 2h14.600L10 8c1.5 3.5 0 6-3.5 6h-13C-10 14-11.5 11.5-10 8z", ROSE), p("M-5-14h10", "none", INK, 2.6), p("M0 11.500c-4-3-4-6 0-4 4-2 4 1 0 4z", PAPER, PAPER, 0.5));
const mug = (x, y, size = 1) => g(`translate(${x} ${y}) scale(${size})`, p("M8-4h4a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H8", "none", INK, 2.2), h("rect", { x: -9, y: -7, width: 17, height: 21, rx: 2, fill: BRASS, stroke: INK, "stroke-width": 1.7 }), p("M-4-2v11M3-2v11", "none", "#a9761c", 1.6), p("M-10-6c-2-4 2-7 5-5 1-3.5 6-3.5 7 0 4-2 8 1.5 6 5z", PAPER));
const juice = (x, y, size = 1) => g(`translate(${x} ${y}) scale(${size})`, p("M1-8l4-7h4", "none", CLOTH, 2.2), p("M-8.5-8h17L6.5 14h-13z", "#f2a13c"), p("M-8.5-8h17l-.6 6h-15.800z", "#f9d79b"), c(-1, 5, 3.4, "#fbe3b4"));
const three = (glass) => [glass(10, 24, 0.72), glass(38, 24, 0.72), glass(24, 20, 0.95)];

/** A coach on two wheels, drawn by nobody to be seen, with what it brings. */
const coach = (load) => [p("M7 12h30l-3 15H11z", CLOTH), p("M5 12c6-3 28-3 34 0", "none", INK, 2.2), h("rect", { x: 14, y: 15, width: 7, height: 7, rx: 1.5, fill: "#fbe9c4", stroke: INK, "stroke-width": 1.5 }), h("rect", { x: 24, y: 15, width: 7, height: 7, rx: 1.5, fill: "#fbe9c4", stroke: INK, "stroke-width": 1.5 }), p("M35 24h9", "none", INK, 2), wheel(14, 31, 6.5), wheel(33, 31, 6.5), load];

/** A gun as long as it reaches, or one that squirts. */
/** @param {number} barrel @param {any} stock @param {any} more */
const gun = (barrel, stock, more = null) => [p(`M6 15h${barrel}v5H22l-1 4h-6l-2 10H6l2-11z`, STEEL), p("M8 23l-2 11h7l2-10c-2 1-5 1-7-1z", WOOD), p("M17 24c0 4 4 5 6 1", "none", INK, 1.6), p(`M${barrel + 4} 15v-2.5`, "none", INK, 2), stock, more];
/** @param {number} length @param {any} more */
const rifle = (length, more = null) => [p(`M${46 - length} 22l${length * 0.36}-6h${length * 0.64}v3.500H${46 - length * 0.56}l-3 3-${length * 0.2} 6c-2 2-6 2-7 0z`, WOOD), p(`M${46 - length * 0.64} 16h${length * 0.64}v3.500h-${length * 0.6}z`, STEEL), p(`M${46 - length * 0.58} 21c0 4 4 5 6 1`, "none", INK, 1.6), p("M44 16v-2.5", "none", INK, 2), more];
const squirt = (length, tank) => [p(`M8 16h${length}v6H24l-1 3h-6l-2 9H8l2-10z`, "#6cb98a"), h("rect", { x: 11, y: 16 - tank, width: 9 + tank, height: tank, rx: 3, fill: WATER, stroke: INK, "stroke-width": 1.7 }), p(`M${8 + length} 16h3v6h-3z`, FIRE), drop(Math.min(44, length + 15), 29, 0.5)];

const balloon = (x, y, fill) => [c(x, y, 9, fill), p(`M${x - 2} ${y + 9}h4l1 3h-6z`, fill), p(`M${x - 4} ${y - 3}c1-2 2-3 4-3`, "none", PAPER, 1.8)];
const horse = (fill) => [p("M12 38C12 22 16 12 28 8l3-5 2 6c5 3 8 9 9 15 0 3-2 5-5 4l-7-4c-3 3-4 7-3 14z", fill), p("M28 8c-8 1-15 9-16 30 4-4 3-10 7-15s6-9 9-15z", "#5f3d22"), c(33, 15, 1.3, INK), p("M38 23l3-1", "none", INK, 1.4)];

const PICTURES = {
  bang: () => [p("M30 3l3.5 8 8-3-2.5 8 8 4-8 4 2.5 8-8-3-3.5 8-3.5-8-8 3 2.5-8-6-4 6-4-2.5-8 8 3z", "#f4c04a", FIRE, 2), p("M30 12l2 5 5 3-5 3-2 5-2-5-5-3 5-3z", FIRE, FIRE), bullet(13, 20, 0, 1.05)],
  missed: () => [hat(26, 22, 1.05), c(27, 16, 2.4, PAPER), p("M4 10h9M2 15h6", "none", INK, 2), bullet(41, 9, -12, 0.6), p("M10 34c8 5 22 5 30-1M40 33l-.5 4.500M40 33l-4.5-.5", "none", LEAF, 2.4)],
  beer: () => flask(24, 21, 1.15),
  saloon: () => three(flask),
  stagecoach: () => coach([mini(22, 6, -12), mini(29, 6, 10)].map((one) => g("translate(6 -1) scale(.75)", one))),
  wellsFargo: () => coach([h("rect", { x: 15, y: 2, width: 16, height: 9, rx: 1.5, fill: BRASS, stroke: INK, "stroke-width": 1.7 }), p("M15 6h16M23 5v3", "none", INK, 1.6)]),
  generalStore: () => [h("rect", { x: 8, y: 17, width: 32, height: 20, fill: "#f2ddb3", stroke: INK, "stroke-width": 1.7 }), p("M6 6h36l3 11H3z", CLOTH), p("M13 6l-2 11M20.5 6l-1 11M27.5 6l1 11M35 6l2 11", "none", PAPER, 3), p("M3 17c1 4 7 4 8.5 0 1 4 7 4 8.5 0 1 4 7 4 8 0 1 4 7 4 8.5 0 1 4 7 4 8.5 0", PAPER), h("rect", { x: 12, y: 24, width: 12, height: 8, fill: "#bfe0ee", stroke: INK, "stroke-width": 1.5 }), h("rect", { x: 28, y: 24, width: 8, height: 13, fill: WOOD, stroke: INK, "stroke-width": 1.5 })],
  panic: () => [mini(33, 15, 14, "#8fb0d8"), p("M4 33c6 4 14 5 20 2 4-1 8-6 11-9 2-3-1-5-3-3l-5 3 8-9c2-3-2-5-4-3l-6 6 4-8c1-3-3-4-4-2l-5 8 0-6c0-3-4-3-4 0l-1 11-5-3c-3-1-4 2-2 4 3 3 4 5 3 6z", "#f0c9a0")],
  catBalou: () => [g("translate(24 21) rotate(-8)", p("M-9-14h18l-3 9 3 5-4 7 4 7H-9l3-8-4-6 3-6z", "#8fb0d8")), p("M13 9l22 23M35 9L13 32", "none", CLOTH, 4), p("M5 6l4 4M43 5l-4 4M4 34l5-3M44 35l-5-4", "none", INK, 2)],
  duel: () => [[1, -1].map((side) => g(`translate(${side > 0 ? 0 : 48} 0) scale(${side} 1)`, p("M4 38c0-8 2-10 7-11l-1-5c3-1 6-3 6-7V11l-13 0c-2 5-1 9 1 12v6", "#f0c9a0"), p("M4 38c0-8 2-10 8-11 3 2 5 6 5 11z", side > 0 ? "#4f79a8" : CLOTH), hat(9, 10, 0.72, side > 0 ? "#5a3b22" : "#2f3b40"))), p("M26 8l-5 9h5l-4 10", "none", FIRE, 2.6)],
  indians: () => [p("M4 34c3-5 8-5 10-2 2-6 10-6 12-1 2-5 9-4 10 0 3-3 7-2 8 3z", "#e3cfa6"), [[6, 4], [18, 2], [30, 5]].map(([x, y]) => g(`translate(${x} ${y}) rotate(52)`, p("M0 0h22", "none", WOOD, 2.2), p("M22-4l7 4-7 4z", STEEL), p("M-3-3l5 3-5 3M1-3l4 3-4 3", "none", CLOTH, 1.8)))],
  gatling: () => [p("M18 12h26v3H18zM18 17h27v3H18zM18 22h26v3H18z", STEEL), p("M8 11h12v15H8z", BRASS), p("M8 18H3v-5", "none", INK, 2), p("M18 26L8 38M18 26l8 12", "none", WOOD, 3), wheel(18, 31, 6.5)],
  barrel: () => [p("M13 4h22c5 10 5 22 0 32H13c-5-10-5-22 0-32z", WOOD), p("M24 4v32M17.5 4c-3 10-3 22 0 32M30.5 4c3 10 3 22 0 32", "none", "#7d522b", 1.3), p("M10.5 12h27M10.5 28h27", "none", INK, 3)],
  mustang: () => horse("#a8713f"),
  scope: () => [g("rotate(-24 24 20)", p("M3 16h13v9H3z", "#8a5a34"), p("M16 14.500h13v12H16z", BRASS), p("M29 12.500h15v16H29z", "#8a5a34"), p("M44 11.500h2.500v18H44z", BRASS)), p("M20 26l-6 12M26 25l6 13", "none", INK, 2.2)],
  jail: () => [h("rect", { x: 7, y: 4, width: 34, height: 33, rx: 2, fill: "#6d7a80", stroke: INK, "stroke-width": 1.8 }), h("rect", { x: 11, y: 8, width: 26, height: 25, fill: "#20292d" }), p("M16 8v25M22.5 8v25M29 8v25M34 8v25", "none", STEEL, 2.6), p("M11 20h26", "none", STEEL, 2.2), h("rect", { x: 30, y: 18, width: 9, height: 7, rx: 1.5, fill: BRASS, stroke: INK, "stroke-width": 1.5 })],
  dynamite: () => [[10, 19, 28].map((x) => h("rect", { x, y: 14, width: 8.5, height: 23, rx: 2, fill: "#c9402f", stroke: INK, "stroke-width": 1.7 })), h("rect", { x: 8, y: 22, width: 31, height: 6, fill: BRASS, stroke: INK, "stroke-width": 1.6 }), p("M23 14c0-7 8-4 9-9", "none", INK, 1.8), p("M33 0l1.5 3.500L38 3l-2 3 3 2-4 .5-.5 4-2.5-3-3 2 1-4-3-2 3.5-1z", "#f4c04a", FIRE, 1.2)],
  volcanic: () => gun(26, null, [p("M36 11h8M38 17.500h7M36 24h8", "none", FIRE, 2)]),
  schofield: () => gun(32, null, c(24, 17.5, 4, "#d5dde1")),
  remington: () => rifle(36),
  carabine: () => rifle(40, p("M16 26c-3 6 12 6 18-6", "none", WOOD, 1.8)),
  winchester: () => rifle(44, [p("M18 22c-2 7 8 8 8 0", "none", INK, 2), c(38, 11, 3.2, BRASS), p("M34 11h-6M42 11h4", "none", BRASS, 2)]),
};

/** The same, where the names are for children. */
const PLAYFUL = {
  bang: () => [p("M22 6c3 4 7-1 9 3s8 1 7 6 6 5 3 9 1 8-4 8-5 6-9 3-8 3-10-2-8-1-7-6-6-5-3-9-1-8 4-8 6-6 10-4z", "#bfe0f4", WATER, 2), drop(24, 21, 1.3), drop(8, 8, 0.5), drop(42, 33, 0.5)],
  missed: () => [p("M24 38c-3-8 9-11 4-20-3-5-9-4-10-8", "none", LEAF, 3), p("M18 10l-4 4M18 10l5 2.5", "none", LEAF, 3), drop(36, 14, 0.9), drop(11, 27, 0.7)],
  beer: () => juice(24, 22, 1.15),
  saloon: () => three(juice),
  wellsFargo: () => coach([h("rect", { x: 15, y: 2, width: 16, height: 9, rx: 1.5, fill: "#f2a7b6", stroke: INK, "stroke-width": 1.7 }), p("M23 2v9M19 2c-2-3 3-4 4 0 1-4 6-3 4 0", "none", CLOTH, 1.8)]),
  indians: () => [p("M12 22a7 7 0 0 1 1-14 10 10 0 0 1 18-2 8 8 0 0 1 5 16z", "#c6d4dc"), drop(14, 32, 0.65), drop(24, 34, 0.65), drop(34, 32, 0.65)],
  gatling: () => [balloon(12, 16, "#e58aa0"), balloon(36, 15, "#8cc79d"), balloon(24, 23, WATER)],
  barrel: () => [p("M4 21C6 8 16 4 24 4s18 4 20 17c-3-3-8-3-10 0-3-3-7-3-10 0-3-3-7-3-10 0-2-3-7-3-10 0z", "#e58aa0"), p("M14 21C15 11 19 6 24 4c5 2 9 7 10 17", "none", INK, 1.4), p("M24 21v12c0 6 8 5 7 0", "none", INK, 2.4)],
  mustang: () => horse("#e0b27c"),
  jail: () => [p("M14 4h17v18H14z", "#8cc79d"), p("M11 22h23l2 5H9z", WOOD), p("M12 27l-2 11M33 27l2 11M19 27v9M27 27v9", "none", INK, 2.4), c(41, 7, 2, PAPER), c(37, 12, 1.3, PAPER)],
  dynamite: () => [p("M9 19h30v18H9z", "#8f7cc4"), p("M9 28h30M24 19v18", "none", BRASS, 3), p("M7 18l14-7M41 18l-12-8", "none", INK, 2.2), p("M24 18l-4-4 7-3-5-4", "none", INK, 1.6), p("M22 0l1.5 3.500L27 3l-2 3 3 2-4 .5-.5 4-2.5-3-3 2 1-4-3-2 3.5-1z", "#f4c04a", FIRE, 1.2)],
  volcanic: () => [squirt(24, 5), drop(44, 12, 0.45), drop(46, 22, 0.45)],
  schofield: () => squirt(26, 5),
  remington: () => squirt(32, 5),
  carabine: () => squirt(28, 9),
  winchester: () => squirt(34, 11),
};

/** The same, where a name means another thing. */
const NAMED = { "맥주": () => mug(22, 20, 1.15), "살롱": () => three(mug) };

/** @param {string} kind @param {boolean} playful @param {string} name */
const pictureOf = (kind, playful, name = "") => NAMED[name] || (playful && PLAYFUL[kind]) || PICTURES[kind] || (() => c(24, 20, 12, "#d8e2dc"));

// ---------------------------------------------------------------- cards, on a field of 72 × 104

const BROWN = "#7a4b22", BLUE = "#1f4f86";

/**
 * A card that lies open: the sheet that all cards of its name share, and its own rank and suit over it. It says nothing to
 * who listens: whatever holds it has the label.
 *
 * @param {string} face
 */
export const card = (face) => drawn(face, () => h("span.pcard.bcard", { "data-face": face }, sheetOf(parts(face)), index(face)));

/** The sheets of all cards in this set of names, to be read ahead. */
export const everySheet = (names) => KINDS_IN_ORDER.map((kind) => () => sheetOf(parts(`${word(names, kind)} A♠`)));

const sheetOf = (about) => drawn(`sheet ${about.name}`, () => picture("drawing", "0 0 72 104", open(about)));

function index(face) {
  const { rank, sign } = parts(face);
  const [suit, ink] = PIP[sign] ?? ["S", INK];
  return h("svg.index", { viewBox: "0 0 72 104", "aria-hidden": "true" },
    text(rank === "10" ? 19 : 17, 25, 19, ink, rank, { "letter-spacing": "-1.4" }),
    h("path", { d: SUITS[suit].path, fill: ink, transform: `translate(${rank === "10" ? 30 : 26} 11) scale(.6)` }));
}

export const back = () => drawn("back", () => picture("pcard.bcard.back", "0 0 72 104", [
  h("rect", { x: 0.75, y: 0.75, width: 70.5, height: 102.5, rx: 7, fill: "#fbf4e4", stroke: "#8d7a5c", "stroke-width": 1.5 }),
  h("rect", { x: 5, y: 5, width: 62, height: 94, rx: 4.5, fill: "#8a4b2b" }),
  p("M5 24L24 5M5 46L46 5M5 68L67 6M5 90L67 28M18 99L67 50M40 99L67 72M67 24L48 5M67 46L26 5M67 68L5 6M67 90L5 28M54 99L5 50M32 99L5 72", "none", "#a96a43", 1.1),
  c(36, 52, 17, "#fbf4e4", "#5c2f18", 1.8),
  g("translate(36 53) scale(.78)", p(STAR, BRASS, "#5c2f18", 1.6))]));

const STAR = "M0 -18L4.6 -8L15.6 -9L9.2 0L15.6 9L4.6 8L0 18L-4.6 8L-15.6 9L-9.2 0L-15.6 -9L-4.6 -8z";

function open({ name, kind, playful }) {
  const worn = kind !== null && WORN.has(kind), tone = worn ? BLUE : BROWN;
  const title = short(name), reach = kind && REACH[kind];
  return [
    h("rect", { x: 0.75, y: 0.75, width: 70.5, height: 102.5, rx: 7, fill: "#fffdf6", stroke: "#8d7a5c", "stroke-width": 1.5 }),
    h("rect", { x: 4, y: 4, width: 64, height: 96, rx: 4.5, fill: "none", stroke: tone, "stroke-width": worn ? 2.6 : 2.2 }),
    worn && h("rect", { x: 7, y: 7, width: 58, height: 90, rx: 3, fill: "none", stroke: tone, "stroke-width": 0.9 }),
    h("rect", { x: 4, y: 78, width: 64, height: 22, fill: tone }),
    h("rect", { x: 9, y: 30, width: 54, height: 46, rx: 4, fill: worn ? "#e7eff7" : "#f8ecd2" }),
    g("translate(12 33)", pictureOf(kind ?? "", playful, name)()),
    text(36, 94, title.length > 6 ? 9.4 : title.length > 5 ? 11 : title.length > 3 ? 12.5 : 15, "#fff", title, { "letter-spacing": "-.4" }),
    reach ? [c(55, 18, 9.5, BRASS, INK, 1.5), text(55, 23, 14, INK, String(reach))] : text(56, 22, 8.5, tone, worn ? "장착" : kind === "missed" ? "반응" : "즉시"),
  ];
}

/** What lies before somebody, small: the picture in the frame of its kind, with a weapon's range. @param {string} face */
export const small = (face) => drawn(`small ${face}`, () => {
  const { kind, playful } = parts(face);
  const reach = kind && REACH[kind];
  return picture("mini", "0 0 52 44", [
    h("rect", { x: 1, y: 1, width: 50, height: 42, rx: 8, fill: kind === "jail" || kind === "dynamite" ? "#fdeadb" : "#e7eff7", stroke: kind === "jail" || kind === "dynamite" ? "#a8431b" : BLUE, "stroke-width": 2.4 }),
    g("translate(5 5) scale(.875)", pictureOf(kind ?? "", playful)()),
    reach && [c(41, 33, 9, BRASS, INK, 1.5), text(41, 38.5, 15, INK, String(reach))],
  ]);
});

/** What flies at whom is attacked. */
export const shot = (playful) => drawn(`shot ${playful}`, () => picture("shotpic", "0 0 24 24", playful ? drop(12, 13, 1) : bullet(12, 12, 0, 1.15)));

/** Life: a cartridge or a drop, full or spent. */
export const round = (playful, full) => drawn(`round ${playful} ${full}`, () => h("svg.shell", { class: [full ? "full" : "spent", playful && "drop"], viewBox: "0 0 12 20", "aria-hidden": "true" },
  h("path", { d: playful ? "M6 1.500C9 6.5 11 9 11 12.500a5 5 0 0 1-10 0C1 9 3 6.5 6 1.500z" : "M2 9C2 4.5 4 2 6 1c2 1 4 3.5 4 8zM1.5 10.500h9V18a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1z" })));

// ---------------------------------------------------------------- roles, on a field of 48 × 48

const ROLE = {
  sheriff: () => g("translate(24 25)", p(STAR, BRASS, INK, 2), c(0, 0, 5, "#fff3cf", INK, 1.6)),
  deputy: () => [p("M24 5l16 5v13c0 10-7 16-16 20C15 39 8 33 8 23V10z", "#8fb0d8", INK, 2), g("translate(24 24) scale(.62)", p(STAR, PAPER, INK, 2.2))],
  outlaw: () => [hat(24, 17, 1.25, "#2f2a27"), p("M11 25h26l-4 12-9 6-9-6z", CLOTH, INK, 2), c(19, 22.5, 1.8, INK), c(29, 22.5, 1.8, INK)],
  renegade: () => [p("M24 6c10 0 16 5 16 15 0 12-8 21-16 21z", "#e8e1f0", INK, 2), p("M24 6C14 6 8 11 8 21c0 12 8 21 16 21z", "#67397a", INK, 2), p("M13 20c2-3 6-3 8 0", "none", PAPER, 2.4), p("M27 20c2 3 6 3 8 0", "none", INK, 2.4), p("M17 31c4-3 5-3 7-3", "none", PAPER, 2.2), p("M24 28c3 3 6 3 8 1", "none", INK, 2.2)],
};

/** A role's sign; of one that is not known a question. */
export const role = (id) => drawn(`role ${id}`, () => picture("rolepic", "0 0 48 48", ROLE[id]?.() ?? [c(24, 24, 18, "#e9dfc8", "#8d7a5c", 2), text(24, 32, 24, "#6d5a3c", "?")]));

// ---------------------------------------------------------------- people, on a field of 80 × 80

const SKIN = ["#f3cfa7", "#d9a273", "#a8714a"];
const HAIR = { dark: "#33241a", red: "#a9512a", grey: "#b9bdb9", fair: "#d8a84c" };

const brim = (fill, band = CLOTH, tilt = 0) => g(`rotate(${tilt} 40 26)`, p("M24 24c1-15 6-19 12-17 3 1 5 1 8 0 6-2 11 2 12 17z", fill), p("M24 22c10 4 22 4 32 0", "none", band, 3.6), p("M12 23c10 9 46 9 56 0-5 2-9 2-12 1-10 4-22 4-32 0-3 1-7 1-12-1z", fill));
const bowler = (fill) => [p("M25 25c0-24 30-24 30 0z", fill), p("M19 25c6 5 36 5 42 0z", fill), p("M25 21c9 3 21 3 30 0", "none", "#d8c08a", 2.4)];
const topHat = (fill) => [p("M27 24L25 3h30l-2 21z", fill), p("M17 23c8 6 38 6 46 0-4 1-7 1-10 1H27c-3 0-6 0-10-1z", fill), p("M26.5 17h27", "none", LEAF, 4)];
const straw = () => [p("M28 24c0-16 24-16 24 0z", "#e6c778"), p("M8 27c10-7 54-7 64 0-8 7-56 7-64 0z", "#e6c778"), p("M28 21c7 3 17 3 24 0", "none", "#8a4b2b", 3)];

const eyes = (y = 38) => [c(33, y, 1.9, INK), c(47, y, 1.9, INK)];
const smile = p("M34 49c4 3.5 8 3.5 12 0", "none", INK, 2);
const stern = p("M35 50h10", "none", INK, 2.2);
const moustache = (fill) => p("M40 45c-4-3-9-1-11 4 5 0 8 0 11-2 3 2 6 2 11 2-2-5-7-7-11-4z", fill);
const beard = (fill) => p("M25 40c0 18 7 24 15 24s15-6 15-24c-3 5-6 7-9 6-4-2-8-2-12 0-3 1-6-1-9-6z", fill);
/** @param {string} fill @param {any} more */
const body = (fill, more = null) => [p("M8 80c1-13 10-19 24-20h16c14 1 23 7 24 20z", fill), more];
const collar = (fill) => p("M32 60l8 9 8-9-3 17-5 3-5-3z", fill);
const head = (skin) => [p("M34 54h12v10c-4 4-8 4-12 0z", SKIN[skin]), p("M25 34c0-12 7-17 15-17s15 5 15 17c0 14-7 23-15 23S25 48 25 34z", SKIN[skin])];
const braid = (x, fill) => [[44, 52, 60].map((y) => c(x, y, 4.4, fill)), p(`M${x - 3} 65h6l-3 6z`, CLOTH)];
const long = (fill) => p("M22 36c-4 14-3 24 2 30h32c5-6 6-16 2-30-2-14-9-20-18-20s-16 6-18 20z", fill);
const fringe = (fill) => p("M25 33c0-12 7-18 15-18s15 6 15 18c-5-2-8-5-9-9-5 5-13 8-21 9z", fill);

/** By character: the ground, and what is drawn on it from back to front. */
const PEOPLE = {
  bart: ["#e8d6b8", () => [body("#7d6a58"), head(1), p("M25 32c0-10 6-16 15-16s15 6 15 16l-30 0z", PAPER), p("M25 25l30 4M26 30l22-12", "none", "#b9ab92", 1.5), eyes(), p("M29 33l8 2M51 33l-8 2", "none", INK, 2.2), stern, p("M46 42l6 6M52 42l-6 6", "none", "#a8431b", 1.8), beard("#0000")]],
  blackJack: ["#d9d2c4", () => [body("#2a2a2e", collar(PAPER)), p("M36 66l4 3 4-3v6l-4-3-4 3z", CLOTH), head(0), eyes(), moustache(HAIR.dark), brim("#26262a", "#b01f2e")]],
  calamity: ["#f0d9c0", () => [body("#b06a3a", collar("#f4d9a8")), head(0), braid(22, HAIR.red), braid(58, HAIR.red), fringe(HAIR.red), eyes(), c(31, 44, 2.8, "#e9a58c", "none", 0), c(49, 44, 2.8, "#e9a58c", "none", 0), smile, brim("#a37440", "#2f6b57", -5)]],
  elGringo: ["#e3e0b8", () => [body("#a8431b", [p("M10 74c10-6 50-6 60 0M16 66c9-4 39-4 48 0", "none", "#f0c04a", 3), p("M9 79c10-5 52-5 62 0", "none", "#2f6b57", 3)]), head(1), eyes(), moustache(HAIR.dark), p("M40 52v4", "none", INK, 3), straw(), p("M50 10c5-3 8-8 8-8", "none", "#a8431b", 2.4)]],
  jesse: ["#dfe0e6", () => [body("#40566e"), head(0), eyes(36), p("M29 32l7 1.500M51 32l-7 1.5", "none", INK, 2), p("M24 42c10-4 22-4 32 0 0 10-6 18-16 21-10-3-16-11-16-21z", "#3e6fa5"), p("M30 47h.1M38 52h.1M47 47h.1M40 45h.1M34 56h.1M46 56h.1", "none", PAPER, 2.6), brim("#6d4a2c", "#3e6fa5", 6)]],
  jourdonnais: ["#d8e3da", () => [p("M14 80V62h52v18z", WOOD), p("M27 62v18M40 62v18M53 62v18", "none", "#7d522b", 1.6), p("M13 69h54", "none", INK, 3.6), head(1), eyes(), smile, p("M26 42c2 8 6 12 14 12s12-4 14-12c2 14-4 20-14 20s-16-6-14-20z", "#5a3b22"), p("M36 50c3 2 5 2 8 0", "none", PAPER, 2), bowler("#3c332c")]],
  kit: ["#d5e2d2", () => [body("#8a6a42", p("M18 66l6 8M30 63l3 9M62 66l-6 8M50 63l-3 9", "none", "#5f4527", 2)), head(0), fringe(HAIR.fair), c(33, 38, 6.5, "#dff0fa", INK, 2), c(47, 38, 6.5, "#dff0fa", INK, 2), p("M39.5 38h1", "none", INK, 2), eyes(), smile, p("M24 26c0-20 32-20 32 0l-3 3H27z", "#9a7a55"), p("M24 27c8-5 24-5 32 0", "none", "#6d5233", 4.5), p("M56 24c8 2 8 12 4 18 0-8-1-11-6-12z", "#9a7a55")]],
  lucky: ["#dcead6", () => [body("#2f6b57", collar(PAPER)), [[57, 66], [63, 66], [60, 62], [60, 70]].map(([x, y]) => c(x, y, 3.2, "#8cc79d", INK, 1.2)), head(0), eyes(), moustache("#8a5a34"), p("M36 52c3 2 6 2 9 0", "none", INK, 1.8), topHat("#274c40")]],
  paul: ["#dfe3ea", () => [body("#6b7785", collar(PAPER)), p("M35 64l5 4 5-4v7l-5-3-5 3z", "#67397a"), head(0), fringe(HAIR.grey), eyes(), c(47, 38, 6, "#ffffff66", BRASS, 2), p("M52 42c3 6 3 12 0 18", "none", BRASS, 1.5), moustache(HAIR.grey), bowler("#59636f")]],
  pedro: ["#ecdcb6", () => [body("#8a7a4a", [h("rect", { x: 18, y: 67, width: 11, height: 9, fill: CLOTH, stroke: INK, "stroke-width": 1.5 }), h("rect", { x: 52, y: 65, width: 10, height: 10, fill: "#3e6fa5", stroke: INK, "stroke-width": 1.5 })]), head(2), eyes(), smile, beard("#4d3b2c"), p("M35 50c3 2.5 7 2.5 10 0", PAPER, INK, 1.6), straw(), p("M16 27l6-4M58 29l6 2", "none", "#8a6410", 2)]],
  rose: ["#f2d8d8", () => [long("#4a2a1c"), body("#8f3548", collar("#f7e4cf")), head(1), eyes(), p("M29 34c2-2 5-2 7 0M44 34c2-2 5-2 7 0", "none", INK, 1.8), p("M36 49c3 2.5 6 2.5 8 0-2-2-6-2-8 0z", "#b3344a", "#b3344a", 1), brim("#5e3a26", "#e3b05a", 4), g("translate(60 24)", c(0, 0, 5.5, "#d9485f"), p("M-2-1c2-3 5 0 2 2-3 1-4-2-2-4", "none", PAPER, 1.3))]],
  sid: ["#d5e6e6", () => [body("#e9ece8", [p("M28 62c-2 10 4 14 8 12M52 62c0 6-4 8-4 12", "none", "#3c474d", 2.4), c(48, 75, 3, STEEL)]), head(1), fringe(HAIR.dark), p("M27 33c2-2 6-2 8 0M45 33c2-2 6-2 8 0", "none", INK, 1.7), c(33, 39, 5.5, "none", INK, 1.8), c(47, 39, 5.5, "none", INK, 1.8), p("M38.5 39h3", "none", INK, 1.8), eyes(39), smile, p("M30 20h20v6H30z", PAPER), p("M40 20v6M37 23h6", "none", "#b01f2e", 2.2)]],
  slab: ["#d8cdbf", () => [body("#3a3531", p("M20 64l16 16M60 64L44 80", "none", BRASS, 3)), head(0), p("M26 42c0 10 6 15 14 15s14-5 14-15c-4 3-8 4-14 4s-10-1-14-4z", "#0003", "none", 0), eyes(37), p("M28 33h9M43 33h9", "none", INK, 2.6), stern, p("M44 51l10 3", "none", LEAF, 2), g("translate(0 4)", brim("#3b2a1e", "#1f1812"))]],
  suzy: ["#f3e0e8", () => [body("#67397a", collar("#f0d8ea")), head(0), c(40, 11, 8, HAIR.dark), fringe(HAIR.dark), p("M25 33c-2 6-2 10 0 14M55 33c2 6 2 10 0 14", "none", HAIR.dark, 4), eyes(), p("M29 33.500c2-2 5-2 7 0M44 33.500c2-2 5-2 7 0", "none", INK, 1.7), smile, c(25, 49, 2.2, BRASS), c(55, 49, 2.2, BRASS), p("M47 80c-1-12 5-19 16-18-1 9-5 15-16 18zM47 80c3-8 8-13 16-18", "#e58aa0")]],
  vulture: ["#dcdad2", () => [p("M6 80c0-18 10-26 20-26-4 4-5 7-4 9 6-6 30-6 36 0 1-2 0-5-4-9 10 0 20 8 20 26z", "#3a3a3e"), head(2), p("M25 32c4-4 8-5 12-3M55 32c-4-4-8-5-12-3", "none", INK, 2.4), eyes(38), p("M38 37c0 6 0 9 3 14 3-4 4-9 2-14z", "#c98f63"), stern, p("M26 26c2-9 8-12 14-12s12 3 14 12c-8-4-20-4-28 0z", "#0000001c", "none", 0), p("M26 30c-2 3-2 6-1 9M54 30c2 3 2 6 1 9", "none", HAIR.grey, 4), [16, 24, 32, 40, 48, 56, 64].map((x, i) => c(x, 64 + Math.abs(3 - i) * 1.2, 5.4, i % 2 ? PAPER : "#e3e0d6"))]],
  willy: ["#dfe8f0", () => [body("#4f79a8", p("M33 62l7 8 7-8", "none", "#e8c04a", 4)), head(0), fringe(HAIR.red), eyes(), [[31, 44], [35, 46], [45, 46], [49, 44]].map(([x, y]) => c(x, y, 0.9, "#b06a3a", "none", 0)), smile, brim("#c49a5e", "#3e6fa5", -12)]],
};

/** A character's picture. Before there is one, an empty frame. */
export const portrait = (id) => drawn(`portrait ${id}`, () => {
  const [ground, draw] = PEOPLE[id] ?? ["#e9dfc8", () => [p("M8 80c1-13 10-19 24-20h16c14 1 23 7 24 20z", "#cbbd9e", "none", 0), c(40, 38, 16, "#cbbd9e", "none", 0), text(40, 46, 22, "#7a6a4a", "?")]];
  return picture("portrait", "0 0 80 80", [h("rect", { width: 80, height: 80, fill: ground }), draw()]);
});

/** The picture of a kind alone, as this set of names means it. */
export const sign = (kind, names) => drawn(`sign ${kind} ${names}`, () => picture("signpic", "0 0 48 40", pictureOf(kind, names === "children", word(names, kind))()));
