/** What operators have ordered. */

import { h } from "../ui/dom.js";
import { stamp } from "./format.js";
import { roomAddress } from "./route.js";

/** @param {import("./types").Model} model */
export function audit({ deeds }) {
  return [
    h("header.head", null, h("h1", null, "Audit"),
      h("p.hint", null, "The last 200 orders since the directory's start, newest first. The log has all of them: ", h("code", null, 'jq \'select(.event == "audit")\' hanpan.log'))),
    !deeds ? h("p.empty", null, "Asking…") : !deeds.length ? h("p.empty", null, "Nobody has ordered anything yet.")
      : h("div.wide", null, h("table.list.deeds", null,
        h("thead", null, h("tr", null, ["When", "Who", "Order", "Of", "Outcome"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, deeds.map((deed, i) => h("tr", { key: deeds.length - i },
          h("td.num", { "data-name": "When" }, stamp(deed.at)),
          h("td", { "data-name": "Who" }, deed.by),
          h("td", { "data-name": "Order" }, h("b", null, deed.what), deed.times > 1 && h("small", null, ` × ${deed.times}`)),
          h("td", { "data-name": "Of" }, deed.room ? h("a.mono", { href: roomAddress(deed.room) }, deed.room) : deed.node),
          h("td", { "data-name": "Outcome" }, h("span.outcome", { class: deed.outcome === "done" ? "well" : deed.outcome === "under way" ? "" : "bad" }, deed.outcome))))))),
  ];
}
