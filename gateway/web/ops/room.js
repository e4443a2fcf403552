/** One room: who is in it, what anybody sees, what happened, and who has owned it. Nothing secret, until it is asked for. */

import { h } from "../ui/dom.js";
import { brief, event, number, plural, since, stamp } from "./format.js";
import { LINES, close, kill, lookAt, move, reveal, set, unquarantine, verify } from "./model.js";
import { state } from "./rooms.js";
import { runbookLink } from "./runbook.js";

/** @param {import("./types").Model} model */
export function room(model) {
  const { room, seen, missing, unread, route } = model;
  if (missing) return h("p.empty", null, `${missing}.`);
  if (!room) return h("p.empty", null, `Asking for ${route.room}…`);
  const names = Object.fromEntries([...room.people, ...(seen?.lobby?.seats ?? [])].filter(Boolean).map((one) => [one.player, one.name]));
  return [
    head(model, room),
    room.quarantined && h("p.stopped", { role: "alert", key: "stopped" }, h("b", null, "Quarantined: "), room.quarantined, ". ", runbookLink("HanpanRoomQuarantined")),
    room.stranded && h("p.stopped", { role: "alert", key: "stranded" }, h("b", null, "Stranded: "), room.stranded, ". ", runbookLink("HanpanRoomsStranded")),
    (room.fault || unread) && h("p.stopped", { role: "alert", key: "fault" }, h("b", null, "The log cannot be read: "), room.fault || unread),
    h("div.columns", { key: "columns" },
      h("div.aside", null, facts(room), people(room, seen), owners(room)),
      h("div.inside", null, moment(model, names), entries(model, room, names))),
  ];
}

/** @param {import("./types").Model} model @param {import("./types").Room} room */
function head({ overview, busy, verdict }, room) {
  const runs = room.pid !== null, closed = room.state === "closed";
  const button = (name, then, { when = true, danger = false, title = "" } = {}) =>
    when && h("button", { key: name, type: "button", class: danger ? "danger" : "", disabled: busy, title, onclick: () => then(room) }, name);
  return h("header.head.roomhead", { key: "head" },
    h("h1", null, h("span.mono", null, room.code), " ", h("small", null, room.game), " ", state(room.state)),
    h("div.buttons", null,
      button("Verify", verify, { title: "Replay the log, and compare every digest" }),
      button("Move…", move, { when: runs && !closed }),
      button("Try again…", unquarantine, { when: !!room.quarantined }),
      button("Kill…", kill, { when: !!overview?.chaos && runs, danger: true, title: "This hanpan allows chaos" }),
      button("Close…", close, { when: !closed, danger: true })),
    verdict && h("p.verdict", { role: "status", class: verdict.ok ? "well" : "bad" },
      verdict.ok ? `✓ All ${number(verdict.entries)} entries replay to their digests.` : `✗ ${number(verdict.replayed)} of ${number(verdict.entries)} entries replay. ${verdict.why}`));
}

/** @param {import("./types").Room} room */
function facts(room) {
  const rows = [
    ["Id", h("span.mono", null, room.id)],
    ["Runs", room.pid === null ? "in no process" : [`pid ${room.pid} on `, h("a", { href: `#/rooms?node=${encodeURIComponent(room.node ?? "")}` }, room.node)]],
    ["Process", room.process && h("span.mono", null, room.process)],
    ["Epoch", number(room.epoch)],
    ["Entries", number(room.seq)],
    ["Games", plural(room.games, "begun", "begun")],
    ["Made", stamp(room.created)],
    ["Open to", room.public ? "everyone, in the lobby" : "who has the code"],
    ["Deaths here", room.deaths ? `${room.deaths} at this entry; 3 quarantine it` : null],
    ["Options", Object.keys(room.options).length ? brief(room.options) : null],
  ];
  return h("section", null, h("h2", null, "Room"), h("dl.facts", null, rows.filter(([, value]) => value !== null && value !== "").map(([name, value]) =>
    h("div", { key: String(name) }, h("dt", null, name), h("dd", null, value)))));
}

/** @param {import("./types").Room} room @param {import("./types").Inspection | null} seen */
function people(room, seen) {
  const asked = new Set(seen?.asked ?? []);
  return h("section", null, h("h2", null, "People"),
    room.people.length ? h("ul.people", null, room.people.map((one) =>
      h("li", { key: one.player },
        h("i", { class: one.bot ? "bot" : one.online ? "on" : "off", title: one.bot ? "bot" : one.online ? "online" : "not connected" }),
        h("span", null, h("b", null, one.name), one.name === room.host && h("small", null, "host"), one.left && h("small", null, "has left"), asked.has(one.player) && h("small.asked", null, "is asked")),
        h("small.mono", null, one.bot ? "bot" : one.player),
        h("small", null, one.seat === undefined || one.seat === null ? "watching" : `seat ${one.seat}`)))) : h("p.hint", null, "Nobody."));
}

/** @param {import("./types").Room} room */
const owners = ({ owners }) =>
  h("section", null, h("h2", null, "Epochs"),
    owners.length ? h("ol.owners", { tabindex: "0", "aria-label": "Epochs, newest first" }, [...owners].reverse().map((one, i) =>
      h("li", { key: one.epoch, class: i ? "" : "now" },
        h("b", null, String(one.epoch)),
        h("span", null, h("span.mono", null, one.name), h("small", null, `after entry ${number(one.seq)}`), h("small", null, stamp(one.wall)))))) : h("p.hint", null, "No process has owned it yet."));

// ---------------------------------------------------------------- how things stand, or stood

/** @param {import("./types").Model} model */
function moment({ seen, seq, room, unread }, names) {
  if (!seen) return h("section", null, h("h2", null, "What anybody sees"), h("p.hint", null, unread ? "Nobody knows." : "Replaying the log…"));
  const last = seen.verdict.entries, at = seq ?? seen.seq;
  const step = (by) => lookAt({ seq: Math.min(last, Math.max(1, at + by)) });
  return h("section.moment", null,
    h("header", null,
      h("h2", null, "What anybody sees"),
      h("small", null, `after entry ${number(seen.seq)}, ${since(seen.at)} in`,
        seen.asked.length > 0 && ` · waits for ${seen.asked.map((one) => names[one] ?? one).join(", ")}`,
        seen.deadlineIn !== null && ` · ${(seen.deadlineIn / 1000).toFixed(0)} s to answer`)),
    h("div.time", null,
      h("button.small", { type: "button", onclick: () => step(-1), disabled: at <= 1, "aria-label": "One entry back" }, "◀"),
      h("input", { type: "range", min: "1", max: String(Math.max(1, last)), value: String(at), "aria-label": "After which entry", oninput: (event) => lookAt({ seq: Number(event.target.value) }) }),
      h("button.small", { type: "button", onclick: () => step(1), disabled: at >= last, "aria-label": "One entry on" }, "▶"),
      h("button.small", { type: "button", "aria-pressed": String(seq === null), onclick: () => lookAt({ seq: null }) }, room?.state === "closed" ? "Last" : "Live")),
    seen.verdict.why && h("p.stopped", null, h("b", null, `Entry ${number(seen.verdict.replayed + 1)} does not replay: `), seen.verdict.why),
    seen.view ? h("div.view", { tabindex: "0", role: "region", "aria-label": "The view" }, tree(seen.view, names)) : h("p.hint", null, "No game has begun."));
}

const plain = (value) => value === null || typeof value !== "object";
const MANY = 6; // rows beyond which a table is folded

/** A value as names and values: short ones side by side, lists of like things as tables, what is deeper folded. */
function tree(value, names, depth = 0) {
  const parts = Object.entries(value).map(([name, inner]) => ({ name: names[name] ?? name, inner, deep: !plain(inner) && brief(inner, names).length > 40 }));
  return h("dl.tree", null, [...parts.filter((one) => !one.deep), ...parts.filter((one) => one.deep)].map(({ name, inner, deep }) =>
    h("div", { key: name, class: deep ? "deep" : "" }, h("dt", null, name), h("dd", null, deep ? inside(inner, names, depth + 1) : leaf(inner, names)))));
}

const leaf = (value, names) => h("span.leaf", { class: value === null ? "null" : typeof value }, brief(value, names) || "none");

function inside(value, names, depth) {
  const rows = Object.entries(value);
  if (rows.every(([, row]) => plain(row))) return leaf(value, names);
  const columns = [...new Set(rows.flatMap(([, row]) => (plain(row) || Array.isArray(row) ? [] : Object.keys(row))))];
  const alike = rows.length > 1 && columns.length > 0 && columns.length <= 9 && rows.every(([, row]) => !plain(row) && !Array.isArray(row));
  const drawn = alike ? sheet(rows, columns, names) : tree(value, names, depth);
  const folded = depth > 1 || rows.length > MANY;
  return folded ? h("details", null, h("summary", null, Array.isArray(value) ? `${rows.length} of them` : `${brief(value, names).slice(0, 60)}…`), drawn) : drawn;
}

const sheet = (rows, columns, names) =>
  h("table.sheet", null,
    h("thead", null, h("tr", null, h("td", null), columns.map((name) => h("th", { key: name, scope: "col" }, names[name] ?? name)))),
    h("tbody", null, rows.map(([called, row]) => h("tr", { key: called },
      h("th", { scope: "row" }, names[called] ?? called),
      columns.map((name) => h("td", { key: name }, name in row ? leaf(row[name], names) : ""))))));

// ---------------------------------------------------------------- what happened

/** @param {import("./types").Model} model @param {import("./types").Room} room */
function entries({ seen, opened, revealed, first }, room, names) {
  if (!seen) return null;
  const last = seen.verdict.entries, from = seen.lines[0]?.seq ?? 1, to = seen.lines.at(-1)?.seq ?? 0;
  return h("section.entries", null,
    h("header", null,
      h("h2", null, "Entries"),
      h("small", null, last ? `${number(from)} to ${number(to)} of ${number(last)}` : "none"),
      h("div.pick", null,
        h("button.small", { type: "button", disabled: from <= 1, onclick: () => lookAt({ first: Math.max(1, from - LINES) }) }, "Older"),
        h("button.small", { type: "button", disabled: to >= last, onclick: () => lookAt({ first: to + 1 }) }, "Newer"),
        h("button.small", { type: "button", "aria-pressed": String(first === null), onclick: () => lookAt({ first: null }) }, "Newest"))),
    h("ol.lines", null, [...seen.lines].reverse().map((line, i, all) => entry(line, all[i + 1], { room, names, open: opened === line.seq, secret: revealed[line.seq] }))));
}

/** @param {import("./types").Line} line @param {import("./types").Line | undefined} before */
function entry(line, before, { room, names, open, secret }) {
  const { seq, kind, who, hidden = [] } = line;
  const told = line.events === null || line.events === undefined ? null : line.events.map((one) => event(one, names, who));
  return h("li", { key: seq, class: [open ? "open" : "", before && before.epoch !== line.epoch ? "taken" : ""] },
    h("button.line", { type: "button", "aria-expanded": String(open), onclick: () => set({ opened: open ? null : seq }) },
      h("span.seq", null, number(seq)),
      h("span.at", null, since(line.at)),
      h("span.kind", { class: kind }, kind),
      h("span.told", null,
        who && h("b", null, `${names[who] ?? who} `),
        told === null ? h("em", null, "does not replay")
          : told.length ? told.map(({ type, told: words }, i) => h("span.event", { key: i }, h("u", null, type), words && ` ${words}`)) : factOf(line, names)),
      hidden.length > 0 && h("span.lock", { title: `hidden: ${hidden.join(", ")}` }, secret ? "shown" : "hidden")),
    open && h("div.opened", null,
      h("dl.facts", null,
        pair("Epoch", String(line.epoch)),
        pair("Digest", h("span.mono", null, line.digest)),
        line.id && pair("Message", h("span.mono", null, line.id)),
        who && pair("By", h("span.mono", null, who)),
        hidden.length > 0 && pair("Hidden", hidden.join(", "))),
      h("pre", { tabindex: "0" }, JSON.stringify(secret ?? line.fact, null, 2)),
      h("div.buttons", null,
        h("button.small", { type: "button", onclick: () => lookAt({ seq }) }, "How things stood then"),
        hidden.length > 0 && !secret && h("button.small.danger", { type: "button", onclick: () => reveal(room, seq) }, "Reveal secrets…"))));
}

const pair = (name, value) => h("div", { key: name }, h("dt", null, name), h("dd", null, value));

/** What happened to the room around the game. @param {import("./types").Line} line */
function factOf({ fact, who }, names) {
  const { player, name, ...rest } = fact;
  return [player && !name && player !== who && (names[player] ?? player), name, brief(rest, names)].filter(Boolean).join(" · ");
}
