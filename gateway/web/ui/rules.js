/** The rules sheet. Each game's rules are data in `rules/<id>.js`, fetched when somebody asks. */

import { sheet } from "./dialog.js";
import { h } from "./dom.js";

/** @type {Map<string, import("../types/page").Rules | null | false>} game -> its rules; null: on their way; false: none */
const books = new Map();

function rulesOf(game, then) {
  if (!books.has(game)) {
    books.set(game, null);
    import(`../rules/${game}.js`).then(({ rules }) => books.set(game, rules), () => books.set(game, false)).then(then);
  }
  return books.get(game);
}

export function rulesSheet({ lobby, act, redraw }, game, options) {
  const title = lobby.games?.find(({ id }) => id === game)?.title ?? "";
  const rules = rulesOf(game, redraw);
  return sheet({ title: `${title} 규칙`, close: () => (rules === false && books.delete(game), act.closeSheet()), key: "rules", cls: "rules" },
    h("div.scroll", { tabindex: "0" }, rules ? book(rules(options)) : h("p", { role: "status" }, rules === null ? "규칙을 가져오고 있어요" : "내 차례가 되면 할 수 있는 행동이 아래에 나와요. 하나를 골라 누르면 돼요.")));
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
