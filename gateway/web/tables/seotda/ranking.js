/** 족보표: section 6.1 of the rules as it hangs beside the table, with the cards that make each line. */

import { h } from "../../ui/dom.js";
import { sheet } from "../../ui/dialog.js";
import { sample } from "./cards.js";

const g = (month) => ({ month, kind: "gwang" });
const y = (month) => ({ month, kind: "yeol" });
const n = (month) => ({ month, kind: "normal" });

/**
 * Name, cards for example, in words; and which names of hands fall under the line, where it is not its own.
 *
 * @typedef {[name: string, cards: {month: number, kind: string}[], text: string, names?: RegExp]} Line
 * @type {Line[]}
 */
const LINES = [
  ["38광땡", [g(3), g(8)], "3월 광과 8월 광"],
  ["18광땡", [g(1), g(8)], "1월 광과 8월 광"],
  ["13광땡", [g(1), g(3)], "1월 광과 3월 광"],
  ["장땡", [y(10), n(10)], "10월 두 장"],
  ["9땡~2땡", [y(9), n(9)], "같은 달 두 장", /^[2-9]땡$/],
  ["삥땡", [g(1), n(1)], "1월 두 장"],
  ["알리", [n(1), n(2)], "1월과 2월"],
  ["독사", [n(1), n(4)], "1월과 4월"],
  ["구삥", [n(1), n(9)], "1월과 9월"],
  ["장삥", [n(1), n(10)], "1월과 10월"],
  ["장사", [n(4), n(10)], "4월과 10월"],
  ["세륙", [n(4), n(6)], "4월과 6월"],
  ["갑오", [n(2), n(7)], "더해서 끝자리 9"],
  ["8끗~1끗", [n(3), n(5)], "더한 수의 끝자리", /^[1-8]끗$/],
  ["망통", [n(2), n(8)], "끝자리 0"],
];

/** The special hands that these options have. @returns {Line[]} */
function specials({ ttaengjabi, amhaeng, gusa, mungGusa }) {
  const most = { upTo8: "8땡", upTo9: "9땡", upToJang: "장땡" }[mungGusa];
  /** @type {any[]} */
  const found = [
    ttaengjabi !== "off" && ["땡잡이", ttaengjabi === "loose" ? [n(3), n(7)] : [g(3), y(7)], "삥땡~9땡을 잡아요. 아니면 망통"],
    amhaeng && ["암행어사", [y(4), y(7)], "13·18광땡을 잡아요. 아니면 1끗"],
    gusa && ["구사", [n(4), n(9)], "상대가 알리 이하면 재경기. 아니면 3끗"],
    gusa && most && ["멍텅구리구사", [y(4), y(9)], `상대가 ${most} 이하면 재경기`],
  ];
  return found.filter(Boolean);
}

/** @param {any} options @returns {{plain: Line[], special: Line[]}} */
export function lines(options) {
  const plain = options.gwangTtaeng === "only38" ? LINES.filter(([name]) => !/^1[38]광땡$/.test(name)) : LINES;
  return { plain, special: specials(options) };
}

/** "구사 - 상대가 알리 이하면 재경기" is a 구사. */
export const plainName = (handName) => handName?.split(" - ")[0] ?? null;

/** @param {Line} line @param {string | null} mine */
export const fits = ([name, , , names], mine) => mine !== null && (names ? names.test(mine) : name === mine);

let last = { key: "", drawn: /** @type {any} */ (null) };

/** The same description as long as it is the same table, so that it need not be drawn again with every turn. */
export function ranking(view, handName) {
  const mine = plainName(handName);
  const { gwangTtaeng, ttaengjabi, amhaeng, gusa, mungGusa } = view.options;
  const key = JSON.stringify([gwangTtaeng, ttaengjabi, amhaeng, gusa, mungGusa, mine]);
  if (last.key !== key) {
    const { plain, special } = lines(view.options);
    last = { key, drawn: h("div.jokbo", null, list(plain, mine), special.length > 0 && [h("h3", null, "특수패"), list(special, mine)]) };
  }
  return last.drawn;
}

const list = (rows, mine) => h("ol", null, rows.map((row) => {
  const [name, cards, text] = row;
  const here = fits(row, mine);
  return h("li", { key: name, class: here && "here", "aria-current": here ? "true" : null },
    h("span.two", { "aria-hidden": "true" }, cards.map(sample)), h("span.grow", null, h("strong", null, name), h("small", null, text)), here && h("em", null, "내 패"));
}));

export const rankingSheet = (view, handName, close) => sheet({ title: "족보표", close, key: "ranks", cls: "ranksheet" }, h("p.hint", null, "위로 갈수록 높아요"), h("div.scroll", { tabindex: "0" }, ranking(view, handName)));
