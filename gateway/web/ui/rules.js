/** The rules sheet. Each game's rules are data in `rules/<id>.js`, fetched when somebody asks. */

import { sheet } from "./dialog.js";
import { h } from "./dom.js";

/** @typedef {{rules: import("../types/page").Rules, presets?: import("../types/page").Preset[]}} Book */

/** @type {Map<string, Book | null | false>} game -> its book; null: on its way; false: there is none */
const books = new Map();

function bookOf(game, then) {
  if (!books.has(game)) {
    books.set(game, null);
    import(`../rules/${game}.js`).then((book) => books.set(game, book), () => books.set(game, false)).then(then);
  }
  return books.get(game);
}

/** Options that the game's book recommends, once it is here. */
export const presetsOf = (game, then) => (bookOf(game, then) || null)?.presets ?? [];

export function rulesSheet({ lobby, act, redraw }, game, options) {
  const title = lobby.games?.find(({ id }) => id === game)?.title ?? "";
  const found = bookOf(game, redraw);
  return sheet({ title: `${title} 규칙`, close: () => (found === false && books.delete(game), act.closeSheet()), key: "rules", cls: "rules" },
    h("div.scroll", { tabindex: "0" }, found ? book(found.rules(options)) : h("p", { role: "status" }, found === null ? "규칙을 가져오고 있어요" : "내 차례가 되면 할 수 있는 행동이 아래에 나와요. 하나를 골라 누르면 돼요.")));
}

function book({ lead, sections }) {
  return [
    h("p.lead", null, lead),
    sections.map(({ title, body }) => h("section", { key: title }, h("h3", null, title), body.map(paragraph))),
  ];
}

function paragraph(one, i) {
  if (typeof one === "string") return h("p", { key: String(i) }, one);
  if (Array.isArray(one)) return h("ul", { key: String(i) }, one.map((item) => h("li", { key: item }, item)));
  return h("table", { key: String(i) }, h("tbody", null, one.rows.map(([head, text]) => h("tr", { key: head }, h("th", { scope: "row" }, head), h("td", null, text)))));
}
