/** The operators' page: draws the model after each change. */

import { element, h, render } from "../ui/dom.js";
import { attention } from "./attention.js";
import { audit } from "./audit.js";
import { asking, signingIn } from "./dialogs.js";
import { lasting } from "./format.js";
import { begin, go, model, refresh, set, signOut, whenChanged } from "./model.js";
import { overview } from "./overview.js";
import { room } from "./room.js";
import { rooms } from "./rooms.js";
import { reading } from "./runbook.js";

const PAGES = { overview, rooms, room, audit };
const TABS = [["overview", "Overview", "#/"], ["rooms", "Rooms", "#/rooms"], ["audit", "Audit", "#/audit"]];

function redraw() {
  if (!model.token) {
    render(element("app"), signingIn(model));
    render(element("dialogs"));
    document.title = "hanpan ops";
    return;
  }
  const findings = attention(model.overview, model.charts);
  const grave = findings.filter((one) => one.grave).length;
  render(element("app"), bar(findings.length, grave), silence(), h("main", { key: model.route.page, class: model.route.page }, PAGES[model.route.page](model, findings)));
  render(element("dialogs"), model.question && asking(model), reading(model));
  document.title = `${grave ? `(${grave}) ` : ""}hanpan ops`;
}

function bar(found, grave) {
  const { overview, route } = model;
  const state = !overview ? "asking" : grave ? "grave" : found ? "minor" : "well";
  const words = { asking: "Asking…", grave: `${grave} to look at`, minor: `${found} to note`, well: "All well" };
  return h("header.bar", { key: "bar" },
    h("a.brand", { href: "#/" }, h("img", { src: "/icon.svg", alt: "", width: "24", height: "24" }), "hanpan ops"),
    h("nav", { "aria-label": "Pages" }, TABS.map(([page, name, href]) =>
      h("a", { key: page, href, "aria-current": page === route.page || (page === "rooms" && route.page === "room") ? "page" : null }, name))),
    h("a.health", { class: state, href: "#/" }, h("i", { "aria-hidden": "true" }), words[state]),
    h("span.about", null, overview && `${overview.version} · directory up ${lasting(overview.up)}`),
    h("button.quiet", { type: "button", onclick: () => signOut() }, "Sign out"));
}

/** What is shown may be old: that must be seen at once. */
function silence() {
  if (!model.silent) return null;
  const old = model.heard ? `What you see is ${lasting((performance.now() - model.heard) / 1000)} old.` : "";
  return h("p.silence", { key: "silence", role: "alert" }, h("b", null, model.silent), ". ", old);
}

whenChanged(redraw);
addEventListener("hashchange", go);
addEventListener("visibilitychange", () => refresh());
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog");
  if (event.key !== "/" || typing || !model.token) return;
  event.preventDefault();
  if (model.route.page !== "rooms") location.hash = "#/rooms";
  setTimeout(() => document.getElementById("search")?.focus(), 50);
});
setInterval(() => {
  refresh();
  if (model.silent) set({});
}, 250);
begin();
