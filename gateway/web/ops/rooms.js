/** Rooms: search, and a row for each. */

import { h } from "../ui/dom.js";
import { lasting, number, plural } from "./format.js";
import { STATES } from "./map.js";
import { filter, more } from "./model.js";
import { NO_FILTERS, roomAddress } from "./route.js";

/** @param {import("./types").Model} model */
export function rooms({ rooms, route, overview }) {
  const { filters } = route;
  const narrowed = Object.values(filters).some(Boolean);
  return [
    h("header.head", null,
      h("h1", null, "Rooms"),
      h("form.filters", { role: "search", onsubmit: (event) => event.preventDefault() },
        h("input", {
          id: "search", type: "search", placeholder: "Code, room id, or a player's name or id", "aria-label": "Search rooms", autocomplete: "off", spellcheck: "false",
          value: filters.q, oninput: (event) => filter({ q: event.target.value }),
        }),
        choice("State", filters.state, STATES, (state) => filter({ state })),
        choice("Game", filters.game, Object.keys(overview?.games ?? {}).sort(), (game) => filter({ game })),
        choice("Node", filters.node, (overview?.nodes ?? []).map((node) => node.node), (node) => filter({ node })),
        narrowed && h("button.quiet", { type: "button", onclick: () => filter(NO_FILTERS) }, "Clear"))),
    !rooms ? h("p.empty", null, "Asking…")
      : !rooms.rooms.length ? h("p.empty", null, narrowed ? "No room fits. Closed rooms are found by their whole id." : "There are no rooms.")
        : [h("p.hint.count", { role: "status" }, narrowed ? `${plural(rooms.total, "room")} of ${number(overview?.rooms ?? rooms.total)}` : plural(rooms.total, "room")),
          h("div.wide", null, list(rooms.rooms)),
          rooms.total > rooms.rooms.length && h("button", { type: "button", onclick: more }, `Show more of ${number(rooms.total)}`)],
  ];
}

const choice = (name, chosen, values, then) =>
  h("select", { "aria-label": name, onchange: (event) => then(event.target.value) },
    h("option", { value: "", selected: !chosen }, `Any ${name.toLowerCase()}`),
    [...new Set([...values, ...(chosen ? [chosen] : [])])].map((value) => h("option", { key: value, value, selected: value === chosen }, value)));

/** @param {import("./types").RoomRow[]} rows */
function list(rows) {
  const heads = ["Code", "State", "Game", "Who", "Seats", "Online", "Node", "Epoch", "Entry ≥", "Age"];
  return h("table.list.rooms", null,
    h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((row) => h("tr", { key: row.id },
      h("td", { "data-name": "Code" }, h("a.mono.code", { href: roomAddress(row.id) }, row.code)),
      h("td", { "data-name": "State" }, state(row.state)),
      h("td", { "data-name": "Game" }, row.game),
      h("td.who", { "data-name": "Who" }, people(row)),
      h("td.num", { "data-name": "Seats" }, `${row.taken}/${row.seats}`),
      h("td.num", { "data-name": "Online" }, number(row.online)),
      h("td", { "data-name": "Node" }, row.node ?? "–"),
      h("td.num", { "data-name": "Epoch" }, number(row.epoch)),
      h("td.num", { "data-name": "Entry ≥" }, number(row.seqHeard)),
      h("td.num", { "data-name": "Age" }, lasting((Date.now() - row.created) / 1000))))));
}

/** @param {import("./types").RoomRow} row */
function people({ people, host }) {
  const persons = people.filter((one) => !one.bot);
  const bots = people.length - persons.length;
  const names = persons.map((one) => (one.name === host ? `${one.name}*` : one.name));
  return [...names.slice(0, 4), ...(names.length > 4 ? [`${names.length - 4} more`] : []), ...(bots ? [plural(bots, "bot")] : [])].join(", ") || "–";
}

export const state = (name) => h("span.state", { class: `is-${name}` }, name);
