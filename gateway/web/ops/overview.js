/** The whole cluster on one page: what to look at, how turns go, and what runs where. */

import { h } from "../ui/dom.js";
import { recent } from "./attention.js";
import { area, bars, chart, line, linear, logarithmic } from "./chart.js";
import { clock, gib, ms, number, percent, plural } from "./format.js";
import { field, legend } from "./map.js";
import { chartOf, drain, set, undrain } from "./model.js";
import { runbookLink } from "./runbook.js";

const NODE_COLUMNS = 20;

/** @param {import("./types").Model} model @param {import("./types").Finding[]} findings */
export function overview(model, findings) {
  const { overview, charts } = model;
  if (!overview) return h("p.empty", null, "Asking…");
  return [
    findings.length > 0 && attentionList(findings),
    tiles(overview, charts),
    charts && turns(model, charts),
    map(model, overview),
    gateways(overview),
  ];
}

const attentionList = (findings) =>
  h("section.attention", { "aria-label": "To look at", key: "attention" },
    h("ul", null, findings.map(({ grave, text, runbook, href }) =>
      h("li", { key: text, class: grave ? "grave" : "minor" },
        h("i", { "aria-hidden": "true" }, grave ? "!" : "·"),
        h("span", null, href ? h("a", { href }, text) : text),
        runbook && runbookLink(runbook)))));

/** @param {import("./types").Overview} overview @param {import("./types").Charts | null} charts */
function tiles({ states, rooms, online, nodes }, charts) {
  const last = charts && recent(charts, 300), hour = charts && recent(charts, 3600);
  const played = last?.turns ?? 0, missed = last?.timeouts ?? 0, questions = played + missed;
  const slow = played ? (last?.slow ?? 0) / played : 0;
  const spares = nodes.reduce((sum, node) => sum + node.spares, 0);
  return h("section.tiles", { "aria-label": "Figures", key: "tiles" },
    tile("Rooms", number(rooms), `${number(states.playing ?? 0)} playing · ${number(states.parked ?? 0)} parked`),
    tile("People online", number(online), `in ${plural((states.playing ?? 0) + (states.waiting ?? 0) + (states.finished ?? 0), "running room")}`),
    tile("Turn, p50", played ? ms(last?.p50) : "–", "last 5 minutes"),
    tile("Turn, p99", played ? ms(last?.p99) : "–", played ? `${percent(slow, 2)} over 100 ms` : "no turns", played > 20 && slow > 0.0144),
    tile("Deadlines missed", questions ? percent(missed / questions, 1) : "–", `${number(missed)} in 5 minutes`, questions > 10 && missed / questions > 0.1),
    tile("Rooms recovered", hour ? number(hour.recoveries) : "–", hour ? `in ${Math.round(hour.seconds / 60)} minutes` : ""),
    tile("Spares", number(spares), `of ${number(nodes.reduce((sum, node) => sum + (node.draining ? 0 : node.wanted), 0))} wanted`, !spares));
}

const tile = (name, value, note, bad = false) =>
  h("div.tile", { key: name, class: bad ? "bad" : "" }, h("span", null, name), h("b", null, value), h("small", null, note));

// ---------------------------------------------------------------- charts

/** @param {import("./types").Model} model @param {import("./types").Charts} charts */
function turns({ game, minutes, cursor }, charts) {
  const { step, since, recoveries } = charts;
  const shared = { step, since, length: charts.turns.length, marks: recoveries };
  const pointer = { at: cursor, move: (at) => at !== cursor && set({ cursor: at }) };
  const each = (column) => column.map((value) => (value === null ? null : (value * 60) / step));
  const perMinute = each(charts.turns), missed = each(charts.timeouts);
  const lost = recoveries.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);
  const most = (...columns) => Math.max(1, ...columns.flat().filter((value) => value !== null));
  return h("section.turns", { "aria-label": "Turns", key: "turns" },
    h("header", null,
      h("h2", null, "Turns and timeouts"),
      h("span.hint", null, knownSince(charts)),
      lost > 0 && h("span.hint.recovered", null, h("i", { "aria-hidden": "true" }), `a line: ${plural(lost, "room was", "rooms were")} recovered then`),
      h("div.pick", null,
        h("select", { "aria-label": "Game", onchange: (event) => chartOf({ game: event.target.value }) },
          h("option", { value: "", selected: !game }, "All games"),
          charts.games.map((id) => h("option", { key: id, value: id, selected: id === game }, id))),
        h("div.switch", { role: "group", "aria-label": "How far back" }, [15, 60].map((far) =>
          h("button", { key: far, type: "button", "aria-pressed": String(far === minutes), onclick: () => chartOf({ minutes: far }) }, `${far} min`))))),
    h("div.charts", null,
      chart({
        ...shared, title: "Turn latency", scale: logarithmic(0.5, 10_000, ms), bound: { at: logarithmic(0.5, 10_000).at(100), text: "promised" },
        series: [
          { name: "p50", column: charts.p50, draw: line, cls: "line a", write: ms },
          { name: "p99", column: charts.p99, draw: line, cls: "line b", write: ms },
        ],
      }, pointer),
      chart({
        ...shared, title: "Deadlines missed", scale: linear(most(missed), number),
        series: [{ name: "a minute", column: missed, draw: bars, cls: "bars c", write: number }],
      }, pointer),
      chart({
        ...shared, title: "Turns", scale: linear(most(perMinute), number),
        series: [{ name: "a minute", column: perMinute, draw: area, cls: "area a", write: number }],
      }, pointer),
      chart({
        ...shared, title: "People connected to rooms", scale: linear(most(charts.sessions), number),
        series: [{ name: "people", column: charts.sessions, draw: area, cls: "area d", write: number }],
      }, pointer)));
}

/** Agents keep the last hour, whatever becomes of the directory; what was before them is not known, and not nought. */
export function knownSince({ turns, since, step }) {
  const first = turns.findIndex((value) => value !== null);
  if (first === 0) return "";
  return first < 0 ? "nothing was counted yet" : `known since ${clock((since + first * step) * 1000)}, when the nodes' agents began`;
}

// ---------------------------------------------------------------- the map

/** @param {import("./types").Model} model @param {import("./types").Overview} overview */
function map({ pointed }, { nodes, nowhere, states, cellsLeftOut }) {
  const open = (code) => (location.hash = `#/room/${code}`);
  const point = (text) => pointed !== text && set({ pointed: text });
  const about = { point, open };
  return h("section.map", { "aria-label": "What runs where", key: "map" },
    h("header", null,
      h("h2", null, "What runs where"),
      legend(states),
      h("output.pointed", { "aria-live": "off" }, pointed || "Point at a room; a click opens it.")),
    cellsLeftOut > 0 && h("p.hint", null, `${number(cellsLeftOut)} older rooms are not drawn.`),
    h("div.nodes", null,
      nodes.map((node) => nodeCard(node, about)),
      h("article.node.nowhere", { key: "nowhere" },
        h("header", null, h("div", null, h("h3", null, "In no process"), h("small", null, plural(nowhere.length, "room")))),
        nowhere.length ? field(nowhere, { columns: NODE_COLUMNS, label: "Rooms in no process", ...about }) : h("p.hint", null, "Parked rooms wait here, and cost nothing: whoever comes back wakes them."))));
}

/** @param {import("./types").OneNode} node */
function nodeCard(node, about) {
  const { memoryFree, memoryTotal, diskFree, diskTotal, cpu, sessions } = node.vitals;
  const used = (free, total) => (total && free !== null && free !== undefined ? 1 - free / total : null);
  return h("article.node", { key: node.node, class: node.draining ? "draining" : "" },
    h("header", null,
      h("div", null,
        h("h3", null, h("a", { href: `#/rooms?node=${encodeURIComponent(node.node)}` }, node.node)),
        node.draining && h("span.state.is-placing", null, "draining"),
        h("small", null, `${plural(node.rooms, "room")} · ${plural(node.spares, "spare")} · ${number(sessions)} online`)),
      node.draining
        ? h("button.small", { type: "button", onclick: () => undrain(node), "aria-label": `Let rooms come to ${node.node} again` }, "Undo")
        : h("button.small", { type: "button", onclick: () => drain(node), "aria-label": `Drain ${node.node}` }, "Drain")),
    field(node.cells, { columns: NODE_COLUMNS, label: `Processes on ${node.node}`, spares: node.spares, starting: node.starting, ...about }) ?? h("p.hint", null, "No process runs here."),
    h("dl.meters", null,
      meter("Processes", node.processes / node.limit, `${number(node.processes)} of ${number(node.limit)}`),
      meter("CPU", cpu ?? null, percent(cpu)),
      meter("Memory", used(memoryFree, memoryTotal), `${gib(memoryFree)} free`),
      meter("Disk", used(diskFree, diskTotal), `${gib(diskFree)} free`)),
    h("footer", null, node.version && `${node.version} · `, `agent pid ${node.pid}`, node.metrics && [" · metrics ", h("span.mono", null, node.metrics)]));
}

const meter = (name, part, words) =>
  h("div", { key: name, class: part !== null && part > 0.9 ? "bad" : "" },
    h("dt", null, name),
    h("dd", null, h("span.meter", { style: { "--part": part ?? 0 } }), h("span", null, words)));

/** @param {import("./types").Overview} overview */
const gateways = ({ gateways }) =>
  h("section.gateways", { "aria-label": "Gateways", key: "gateways" },
    h("h2", null, "Gateways"),
    gateways.length ? h("ul", null, gateways.map((one) =>
      h("li", { key: `${one.name} ${one.pid}` },
        h("b", null, one.name),
        one.limit === undefined ? h("small", null, "no gateway of players: a tool, or one that has just come")
          : [h("span.meter", { style: { "--part": (one.sockets ?? 0) / one.limit } }), h("span", null, `${number(one.sockets)} of ${number(one.limit)} sockets`), h("small", null, one.version && `${one.version} · `, `pid ${one.pid}`)],
        one.draining && h("span.state.is-placing", null, "ending")))) : h("p.hint", null, "None is connected."));
