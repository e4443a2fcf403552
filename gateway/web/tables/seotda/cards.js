/**
 * Hwatu as drawings of our own: a month's plant on a ground of its colour, the month's number large in the corner, and
 * what the card is, said by a letter and not by a colour alone: 광 in a red round, 열 in a badge beside what lives there,
 * a ribbon on the others. A card is what the view calls one: `{month, kind, face, label}`.
 */

import { preferences } from "../../preferences.js";
import { FONT } from "../../ui/cards.js";
import { h } from "../../ui/dom.js";
import { address, once } from "../../ui/pictures.js";

const drawn = once();

/** It says nothing to who listens: whatever holds it has the label. @param {string} [face] */
const image = (drawing, face) => h("img.pcard.hwatu", { src: address(drawing), alt: "", draggable: "false", decoding: "sync", ...(face && { "data-face": face }) });

/** A card that lies open, in full; for whoever reads large letters, only what counts. */
export const hwatu = (card) => (preferences.big ? plain(card) : drawn(card.face, () => image(full(card), card.face)));

/** The same for little room, or large letters: the number, and the letter of 광 or 열. */
export const plain = (card) => drawn(`plain ${card.face}`, () => image(simple(card), card.face));

/** For a table of hands: no card that anybody holds. */
export const sample = (card) => drawn(`sample ${card.month}${card.kind}`, () => image(simple(card)));

export const hwatuBack = () => drawn("back", () => image(back()));

/** All that may come to lie on the table, as images that are not yet wanted. @returns {(() => any)[]} */
export function everyCard() {
  const cards = Object.keys(PLANTS).map(Number).flatMap((month) => [month in LIVES ? "yeol" : "gwang", "normal"].map((kind) => ({ month, kind })));
  return [back, ...cards.flatMap((card) => [() => full(card), () => simple(card)])].map((draw) => () => image(draw()));
}

/** Of these the tens are what special hands are made of. */
const WANTED = new Set([4, 7, 9]);

// ---------------------------------------------------------------- strokes and shapes, on a field of 60 × 90

const INK = "#1d1a16";
const path = (d, fill, more = {}) => h("path", { d, fill, ...more });
const line = (d, stroke, width = 1.4, more = {}) => h("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round", ...more });
const dot = (cx, cy, r, fill, more = {}) => h("circle", { cx, cy, r, fill, ...more });
const oval = (cx, cy, rx, ry, fill, turn = 0) => h("ellipse", { cx, cy, rx, ry, fill, ...(turn && { transform: `rotate(${turn} ${cx} ${cy})` }) });
const text = (x, y, size, fill, words, more = {}) => h("text", { x, y, "font-family": FONT, "font-size": size, "font-weight": "800", "text-anchor": "middle", fill, ...more }, words);
const at = (x, y, scale, turn, ...inside) => h("g", { transform: `translate(${x} ${y}) rotate(${turn}) scale(${scale})` }, ...inside);
const around = (n, draw) => Array.from({ length: n }, (_, i) => draw((i * 360) / n));

const ground = (month, ...inside) => h("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 60 90" },
  h("rect", { x: "0.6", y: "0.6", width: "58.8", height: "88.8", rx: "5.4", fill: "#fffdf5", stroke: "#4a3f36", "stroke-width": "1.2" }),
  h("clipPath", { id: "g" }, h("rect", { x: "4", y: "4", width: "52", height: "82", rx: "2.8" })),
  h("g", { "clip-path": "url(#g)" }, h("rect", { x: "4", y: "4", width: "52", height: "82", fill: GROUND[month] }), ...inside));

const GROUND = [null, "#dbe7cf", "#f7dfe2", "#fdeaf0", "#e5e0f1", "#d9e9f4", "#f8ddd2", "#f1e5c9", "#cfd9e8", "#f8ecc9", "#f5d9c2"];

/** On paper of its own, so that nothing drawn below makes it harder to read. */
const number = (month) => [
  path(month === 10 ? "M4 4h27v19a6 6 0 0 1-6 6h-21z" : "M4 4h20v19a6 6 0 0 1-6 6h-14z", "#fffdf5"),
  text(month === 10 ? 16.4 : 13.4, 25.4, 25, INK, String(month), { "letter-spacing": "-1.6" }),
];

const gwang = (x, y, r) => [dot(x, y, r + 1.3, "#fffdf5"), dot(x, y, r, "#c3201c"), text(x, y + r * 0.46, r * 1.3, "#fff", "광")];

function yeol(month, x, y, size) {
  const wide = size * 0.62;
  const wanted = WANTED.has(month);
  return [
    wanted && h("rect", { x: x - wide - 1.7, y: y - wide - 1.7, width: wide * 2 + 3.4, height: wide * 2 + 3.4, rx: size * 0.34, fill: "#e8b63a", stroke: "#6b4a04", "stroke-width": "0.8" }),
    h("rect", { x: x - wide, y: y - wide, width: wide * 2, height: wide * 2, rx: size * 0.24, fill: wanted ? "#173f7a" : "#fffdf5", stroke: wanted ? "none" : "#5b5348", "stroke-width": "1" }),
    text(x, y + size * 0.36, size, wanted ? "#fff" : "#3b352d", "열"),
  ];
}

// ---------------------------------------------------------------- what grows in each month

const blossom = (x, y, r, petal, edge, heart) => [
  around(5, (turn) => at(x, y, r / 6, turn, path("M0 0C-4.6-1.6-4.4-7.4-1.2-7.6L0-6.4 1.2-7.6C4.4-7.4 4.6-1.6 0 0z", petal, { stroke: edge, "stroke-width": "0.7" }))),
  dot(x, y, r * 0.26, heart),
];
const round = (x, y, r, petal, edge) => [around(5, (turn) => at(x, y, r / 6, turn, dot(0, -3.7, 2.9, petal, { stroke: edge, "stroke-width": "0.6" }))), dot(x, y, r * 0.24, "#f3c33c")];
const needles = (x, y, w) => at(x, y, w / 12, 0,
  path("M-12 1C-11-6-5-10 0-10S11-6 12 1C6 3-6 3-12 1z", "#2c6a45"),
  line("M0 1V-8M-4 1L-6.5-6M4 1L6.5-6M-8 .6L-10.4-3M8 .6L10.4-3", "#8fc09a", 0.9));
const cluster = (x, y, n, size) => Array.from({ length: n }, (_, i) => [
  oval(x - 2.6 + (i % 2), y + i * 3.4, size * (1 - (i / n) * 0.6), 2, i % 2 ? "#6a55a0" : "#54418a"),
  oval(x + 2.6 - (i % 2), y + i * 3.4 + 1.4, size * (1 - (i / n) * 0.6), 2, i % 2 ? "#54418a" : "#7d69b3"),
]);
const iris = (x, y, size) => at(x, y, size, 0,
  path("M0-1C-3-6-2-10 0-12 2-10 3-6 0-1z", "#5a76c8"),
  path("M0 0C-4-5-9-5-10-1-8 0-9 5-6 6-2 5-1 3 0 0z", "#33489b"),
  path("M0 0C4-5 9-5 10-1 8 0 9 5 6 6 2 5 1 3 0 0z", "#33489b"),
  path("M0-1C-3 2-3 7 0 10 3 7 3 2 0-1z", "#4058ad"), path("M0 1L-.9 5H.9z", "#f2d252"));
const peony = (x, y, size) => at(x, y, size, 0,
  around(8, (turn) => at(0, 0, 1, turn, oval(0, -8, 4.6, 5, "#c53a3a"))), around(6, (turn) => at(0, 0, 1, turn + 20, oval(0, -4.6, 3.6, 4, "#dd6a5f"))),
  dot(0, 0, 3.4, "#f0a592"), dot(0, 0, 1.7, "#f3c33c"));
const sprig = (d, leaves) => [line(d, "#6d4b2a", 1.3), leaves.map(([x, y, turn]) => [oval(x - 2, y, 4.6, 2.6, "#3f7a4a", turn), oval(x + 3.6, y - 1, 4.4, 2.4, "#55915a", turn + 70), oval(x + 1, y + 4, 2.6, 2, "#b03a62", turn)])];
const mum = (x, y, size, outer = "#dc9c12", inner = "#efc14a") => at(x, y, size, 0,
  around(14, (turn) => at(0, 0, 1, turn, path("M0 0C-2.2-4-2-8.6 0-10.4 2-8.6 2.2-4 0 0z", outer, { stroke: "#8d5f05", "stroke-width": "0.5" }))),
  around(9, (turn) => at(0, 0, 1, turn, oval(0, -3.6, 1.5, 2.8, inner))), dot(0, 0, 1.9, "#a8700a"));
const leaf = (x, y, size, turn, fill) => at(x, y, size, turn, path("M0-11L2.2-5.2 6.6-8.4 5.8-3 11-2.4 7 1.6 8.6 6.4 3 5 .7 7.6V13H-.7V7.6L-3 5-8.6 6.4-7 1.6-11-2.4-5.8-3-6.6-8.4-2.2-5.2z", fill));
const hill = (fill) => [path("M4 64C16 52 34 52 56 66V86H4z", fill), line("M12 61C11 52 13 47 17 42M20 58C20 51 22 46 27 43M33 58C34 51 38 47 43 46M44 61C46 55 49 52 53 51M27 57C27 50 26 46 23 41", "#6d6a45", 1.3), line("M17 42l-2.4 4M27 43l-3.2 3M43 46l-3.6 2M53 51l-3 2M23 41l.4 4.4", "#e9dcae", 2)];

const PLANTS = {
  1: () => [line("M8 88C16 78 12 70 24 62 32 56 30 46 42 38", "#6f4528", 4.6), line("M24 62C18 58 14 58 9 54", "#6f4528", 2.6), needles(14, 52, 11), needles(38, 66, 15), needles(43, 38, 12), needles(19, 82, 13)],
  2: () => [line("M6 84C18 74 24 66 30 54 34 46 44 42 56 30M30 54C38 58 46 58 54 54M19 70C16 62 14 58 9 52", "#5b3a29", 2.8), round(43, 40, 7, "#d8486b", "#8f1f41"), round(30, 57, 6, "#e77f97", "#a83354"), round(50, 56, 6, "#d8486b", "#8f1f41"), round(12, 55, 5, "#e77f97", "#a83354"), dot(53, 31, 2.2, "#c43a5f"), dot(22, 66, 2, "#c43a5f")],
  3: () => [line("M56 20C46 30 40 36 30 40M46 29C50 36 50 42 48 48", "#6b4630", 2.4), blossom(44, 32, 9, "#f7b6c9", "#c2577a", "#c2577a"), blossom(28, 42, 8, "#fbd3de", "#c2577a", "#c2577a"), blossom(47, 50, 8, "#f7b6c9", "#c2577a", "#c2577a"), blossom(14, 46, 6, "#f7b6c9", "#c2577a", "#c2577a")],
  4: () => [line("M56 12C44 10 34 14 26 22M44 11C46 18 46 22 44 26", "#5b4a2f", 2.2), oval(34, 15, 5, 2.4, "#41784c", -28), oval(50, 15, 5, 2.4, "#41784c", 20), oval(27, 23, 4.4, 2.2, "#41784c", -50), cluster(45, 27, 9, 4), cluster(31, 26, 7, 3.6), cluster(53, 22, 6, 3.2)],
  5: () => [line("M14 88C16 70 14 60 8 48M22 88C23 70 24 58 20 40M32 88C32 74 34 64 40 54M44 88C44 78 48 70 54 62", "#3b7a4b", 3), iris(36, 40, 1.15), iris(16, 52, 0.8)],
  6: () => [line("M32 88C34 76 33 68 34 58M34 72C26 68 20 70 14 64", "#4a6b39", 2.2), oval(18, 72, 8, 3.6, "#3f7745", 24), oval(47, 70, 8, 3.6, "#3f7745", -28), oval(46, 34, 7, 3.2, "#4b8650", 30), peony(34, 47, 1.15), peony(15, 60, 0.55)],
  7: () => [sprig("M8 88C12 66 26 48 44 26", [[11, 76, -40], [14, 65, 20], [20, 56, -45], [26, 47, 10], [34, 37, -50], [42, 28, -20]]), sprig("M22 88C30 72 42 56 55 46", [[30, 76, -20], [36, 67, 30], [43, 58, -30], [52, 49, 10]])],
  8: () => hill("#3c463f"),
  9: () => [line("M34 88C34 76 32 66 34 52M33 72C24 66 18 66 13 60", "#55713a", 2.2), oval(44, 74, 8, 3.4, "#4b7a43", -24), oval(21, 77, 7.4, 3.2, "#4b7a43", 22), mum(35, 45, 1.3), mum(14, 58, 0.62)],
  10: () => [leaf(40, 30, 1.05, 24, "#c8451a"), leaf(20, 47, 0.95, -20, "#de7a24"), leaf(45, 56, 0.8, 50, "#a8321a"), leaf(14, 72, 0.66, 10, "#c8451a"), leaf(32, 66, 0.55, -40, "#e0922f")],
};

// ---------------------------------------------------------------- who is there

const crane = () => [
  dot(43, 20, 9.5, "#d5402b"),
  path("M22 62C24 50 34 46 44 50 50 53 50 60 44 63 36 67 27 67 22 62z", "#fffefa", { stroke: INK, "stroke-width": "0.9" }),
  path("M40 50C47 51 53 56 55 64 50 64 44 62 41 58z", INK), line("M26 55C21 48 24 42 22 36", "#fffefa", 3.6), line("M26 55C21 48 24 42 22 36", INK, 0.7, { transform: "translate(-2.1 0)" }),
  dot(22, 35, 2.9, "#fffefa", { stroke: INK, "stroke-width": "0.8" }), path("M20.4 33.6a2.4 2.4 0 0 1 3.4-.4l-1.6 1.4z", "#c3201c"), line("M19.4 35.4L13.5 37", INK, 1.5), line("M32 66V77M38 65V77M32 77l-3 1.6M38 77l-3 1.6", INK, 1.1),
];
const curtain = () => [
  path("M4 62C16 58 44 58 56 62V86H4z", "#fffefa"), path("M4 62C16 58 44 58 56 62V68C44 64 16 64 4 68z", "#31518f"), path("M4 86L12 67 20 86zM24 86L30 66 36 86zM40 86L48 67 56 86z", "#31518f"),
  line("M4 62C16 58 44 58 56 62", "#1f3566", 1.4),
];
const moon = () => dot(35, 34, 17, "#fff3b8", { stroke: "#c9a640", "stroke-width": "1" });
const goose = (x, y, size) => at(x, y, size, 0, line("M-9-3C-5-6-2-4 0 0 2-4 6-6 9-4", INK, 2.2), oval(0.6, 1.2, 4, 1.7, INK, 14));
const bird = (body, wing, x, y, size, turn) => at(x, y, size, turn,
  path("M-13 4C-8-1-4-7 3-7 8-7 10-4 10.5-2L14-1 10.4 1C9 6 3 8-3 6.6L-14 10z", body, { stroke: INK, "stroke-width": "0.9" }), path("M-4-2C-1-3 4-1 5 2 2 6-5 5-9 3z", wing), dot(7, -3.2, 1.1, INK));
const flying = () => [
  line("M20 34a8 8 0 1 0 8 10 7 7 0 0 1-8-10z", "#b58a1e", 1.2, { fill: "#f7e6a0", transform: "translate(-6 6)" }),
  at(33, 62, 1, -10, path("M-15 2C-7-3 2-4 10-2L16-4 13 1C9 5 0 6-6 4.4L-16 8z", "#58604f", { stroke: INK, "stroke-width": "0.9" }), path("M-4-1C-6-9-2-15 5-18 4-11 5-5 4-1z", "#3c4436"), path("M0 2C2 8 7 11 13 11 9 7 8 4 7 0z", "#3c4436"), dot(10.4, -0.8, 1, "#fff")),
];
const bridge = () => [path("M4 70L22 64 27 70 12 75 14 78 40 70 46 76 14 86H4z", "#9a6a3c", { stroke: "#52330f", "stroke-width": "1" }), line("M8 69L12 74M15 67L19 72M22 76L27 81M30 73L36 79", "#52330f", 1), line("M12 76V86M27 70V76M44 77V84", "#52330f", 1.8)];
const butterfly = () => at(19, 68, 0.96, -14,
  path("M0 0C-3-12-15-14-16-6-16 0-9 3-1 2z", "#e9b13b", { stroke: INK, "stroke-width": "1" }), path("M0 0C3-12 15-14 16-6 16 0 9 3 1 2z", "#e9b13b", { stroke: INK, "stroke-width": "1" }),
  path("M0 1C-6 3-10 8-7 12-3 12-1 7 0 3z", "#c9542d", { stroke: INK, "stroke-width": "0.9" }), path("M0 1C6 3 10 8 7 12 3 12 1 7 0 3z", "#c9542d", { stroke: INK, "stroke-width": "0.9" }),
  dot(-9, -5, 2, "#fff7dc"), dot(9, -5, 2, "#fff7dc"), line("M0-3V9", INK, 2), line("M0-3C-1-7-3-9-5-10M0-3C1-7 3-9 5-10", INK, 1));
const boar = () => at(27, 66, 1, 0,
  path("M-20 8C-22-2-14-10-3-10 5-11 9-7 14-5L20-1C21 1 20 3 18 3.4L13 5C10 9 6 9.6 6 9.6V15H2.6L1.6 10H-7L-8 15H-11.4L-12 9C-15 9-17 9-20 8z", "#4b362a", { stroke: INK, "stroke-width": "0.8" }),
  path("M8-8L7-13 12-7z", "#4b362a"), line("M-15-5L-17-9M-10-8.6L-11-13M-4-10L-4-14.4M2-10.4L3-14", "#2c1d14", 1.4), line("M15.6 2.4C16-.6 17.4-1.4 18.4-1", "#fffefa", 1.5), dot(10.4, -3.4, 1.1, "#fff"));
const cup = () => [
  path("M8 62H42C42 72 34 77 25 77S8 72 8 62z", "#b3231d", { stroke: "#5f0f0c", "stroke-width": "1" }), oval(25, 62, 17, 4.4, "#f7e3b0"), h("ellipse", { cx: "25", cy: "62", rx: "17", ry: "4.4", fill: "none", stroke: "#5f0f0c", "stroke-width": "1" }),
  path("M20 76H30L32 83H18z", "#8f1915"), text(25, 74, 8.5, "#f4cf6a", "壽"),
];
const deer = () => at(26, 62, 1, 0,
  path("M-15 2C-14-4-6-5 1-4L6-13 10-15 16-11 15.4-8 10-8 8 2C6 7 6 8 6 10L7 22H4L1 11C-3 12-7 12-10 10L-12 22H-15L-15 9C-17 7-16 4-15 2z", "#b4713a", { stroke: INK, "stroke-width": "0.9" }),
  line("M8-15C5-19 6-23 4-26M6-20L2-21M11-15C12-20 14-22 14-26M12.6-20L17-22", "#5b3516", 1.7), dot(11.4, -11.4, 1, INK), [[-8, 1], [-3, 3], [-9, 6], [2, 1]].map(([x, y]) => dot(x, y, 1.1, "#f8e2be")), path("M-15 2L-19 4-15 6z", "#fffefa"));

const LIVES = {
  2: () => bird("#8ba13e", "#5f7427", 25, 70, 0.98, -6), 4: flying, 5: bridge, 6: butterfly, 7: boar, 9: cup, 10: deer,
};

const BLUE = new Set([6, 9, 10]); // the months of the blue ribbons
const ribbon = (month) => {
  const [cloth, edge, light] = BLUE.has(month) ? ["#27478c", "#14285a", "#b9c9ee"] : ["#bb2430", "#6d0f18", "#f6c3bd"];
  return [path("M3 62C12 56 21 57 30 61S48 66 57 60V74C48 80 39 79 30 75S12 70 3 76z", cloth, { stroke: edge, "stroke-width": "1" }), line("M3 65C12 59 21 60 30 64S48 69 57 63M3 73C12 67 21 68 30 72S48 77 57 71", light, 0.8)];
};

// ---------------------------------------------------------------- whole cards

function full({ month, kind }) {
  const plants = PLANTS[month]();
  if (kind === "gwang") {
    const scene = { 1: [plants[0], plants[4], crane(), plants[5]], 3: [plants, curtain()], 8: [moon(), plants] }[month];
    return ground(month, ...scene, ...number(month), ...gwang(46, 75.5, 8.6));
  }
  if (kind === "yeol") return ground(month, ...plants, ...[LIVES[month]()].flat(), ...number(month), ...yeol(month, WANTED.has(month) ? 46.2 : 47, WANTED.has(month) ? 76 : 77, WANTED.has(month) ? 11.5 : 9.5));
  if (month === 8) return ground(month, ...plants, goose(38, 20, 1), goose(24, 38, 0.85), goose(44, 36, 0.7), ...number(month));
  return ground(month, ...plants, ...ribbon(month), ...number(month));
}

function simple({ month, kind }) {
  const mark = kind === "gwang" ? gwang(30, 71, 12) : kind === "yeol" ? yeol(month, 30, 70.5, WANTED.has(month) ? 15 : 13) : [line("M17 71H43", "#8b7d69", 3.4)];
  return ground(month, h("rect", { x: "4", y: "4", width: "52", height: "82", fill: "#fffdf5", opacity: "0.62" }), text(29, 49, month === 10 ? 44 : 50, INK, String(month), { "letter-spacing": month === 10 ? "-4" : "-1" }), ...mark);
}

/** Lacquer red, and rings like those of a pond. */
const back = () => h("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 60 90" },
  h("rect", { x: "0.6", y: "0.6", width: "58.8", height: "88.8", rx: "5.4", fill: "#a5231f", stroke: "#5f0f0c", "stroke-width": "1.2" }),
  h("rect", { x: "4.5", y: "4.5", width: "51", height: "81", rx: "3", fill: "none", stroke: "#d98a7c", "stroke-width": "1" }),
  [8, 16, 24].map((r) => dot(30, 45, r, "none", { stroke: "#cf6f62", "stroke-width": "1.1" })), dot(30, 45, 3, "#f0c9b9"));
