/** The picture book: every card and what it does, who is in this game, and how each role wins. */

import { nameOf } from "../../state.js";
import { sheet } from "../../ui/dialog.js";
import { h } from "../../ui/dom.js";
import { portrait, role, sign } from "./art.js";
import { aim, effect, KINDS_IN_ORDER, REACH, ROLES, short, word, WORN } from "./words.js";

const PAGES = { cards: "카드", people: "인물", roles: "역할" };

export function bookSheet(ctx) {
  const { ui, redraw, state } = ctx;
  const { view } = state;
  const { names } = view.options;
  const page = ui.page ?? "cards";
  return sheet({ title: "도감", close: () => ((ui.book = false), redraw()), key: "book", cls: "bngsheet" },
    h("div.tabs", { role: "tablist", "aria-label": "도감" }, Object.entries(PAGES).map(([id, title]) => h("button", { key: id, type: "button", role: "tab", "aria-selected": String(page === id), onclick: () => ((ui.page = id), redraw()) }, title))),
    h("div.scroll", { key: page, tabindex: "0", "aria-label": PAGES[page] }, { cards, people, roles }[page](ctx, names, view)));
}

/** Tapping a picture tells what the card does. */
function cards({ ui, redraw }, names) {
  const open = ui.entry ?? "bang";
  return [false, true].map((worn) => h("section", { key: String(worn) },
    h("h3", null, worn ? "장착 카드: 앞에 놓아두고 써요" : "즉시 카드: 쓰고 나면 버려요"),
    h("ul.kinds", null, KINDS_IN_ORDER.filter((kind) => WORN.has(kind) === worn).map((kind) => h("li", { key: kind },
      h("button.kind", { type: "button", class: [worn && "worn", open === kind && "open"], "aria-pressed": String(open === kind), onclick: () => ((ui.entry = kind), redraw()) }, sign(kind, names), h("span", null, short(word(names, kind)), kind in REACH && ` ${REACH[kind]}`)),
      open === kind && h("p.tells", { role: "status" }, effect(names, kind)))))));
}

const people = ({ state }, names, view) =>
  h("ul.cast", null, view.players.filter(({ character }) => character).map((row) => h("li", { key: row.id }, portrait(row.character), h("p", null, h("strong", null, row.characterName), h("small", null, ` ${nameOf(state, row.id)}`), h("span", null, row.ability)))));

const roles = (_, names) =>
  h("ul.cast", null, ROLES.map((id) => h("li", { key: id }, role(id), h("p", null, h("strong", null, word(names, id)), h("span", null, aim(names, id))))));
