/** ops/: what whoever is on call is told, the charts' and the map's lines, addresses, and how values are written. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { attention, recent } from "../ops/attention.js";
import { area, bars, chart, line, linear, logarithmic, nice } from "../ops/chart.js";
import { brief, event, lasting, ms, since } from "../ops/format.js";
import { field, laidOut, paths } from "../ops/map.js";
import { answered, model, question, refresh, signOut } from "../ops/model.js";
import { knownSince, overview as overviewPage } from "../ops/overview.js";
import { room as roomPage } from "../ops/room.js";
import { rooms as roomsPage } from "../ops/rooms.js";
import { roomAddress, roomsAddress, routeOf } from "../ops/route.js";
import { blocks } from "../ops/runbook.js";
import { h } from "../ui/dom.js";
import { button, find, withClass, words } from "./looking.js";

const node = (more = {}) => ({ node: "n1", pid: 1, rooms: 2, spares: 3, wanted: 3, starting: 0, processes: 5, limit: 100, draining: false, metrics: "", vitals: {}, cells: [], ...more });
const overview = (more = {}) => ({ at: 0, up: 9, version: "1", chaos: false, ready: true, rooms: 2, online: 1, states: {}, games: {}, nodes: [node()], nowhere: [], cellsLeftOut: 0, gateways: [], ...more });
const charts = (more = {}) => ({ step: 30, since: 0, games: [], turns: [], p50: [], p99: [], slow: [], timeouts: [], recoveries: [], sessions: [], ...more });

// ---- what to look at

test("when all is well there is nothing to look at", () => {
  assert.deepEqual(attention(overview(), charts()), []);
  assert.deepEqual(attention(null, null), []);
});

for (const [what, given, runbook] of [
  ["a quarantined room", { states: { quarantined: 1 } }, "HanpanRoomQuarantined"],
  ["a room that waits for a process", { states: { placing: 2 } }, "HanpanRoomsWithoutProcess"],
  ["a stranded room", { states: { stranded: 1 } }, "HanpanRoomsStranded"],
  ["no node", { nodes: [], ready: false }, "HanpanNodeAgentAbsent"],
  ["a cluster that is full", { nodes: [node({ spares: 0, full: true })], ready: false }, "HanpanNoNewRooms HanpanNodeFull"],
  ["no spare", { nodes: [node({ spares: 0 })] }, "HanpanNoSpares"],
  ["a node without spares beside one that has some", { nodes: [node({ node: "n2", spares: 0 }), node()] }, "HanpanNodeWithoutSpares"],
  ["a full node", { nodes: [node({ processes: 91 })] }, "HanpanNodeFull"],
  ["a store that is away", { nodes: [node({ vitals: { paused: 3 } })] }, "HanpanLogStoreDown"],
  ["little memory", { nodes: [node({ vitals: { memoryTotal: 100, memoryFree: 9 } })] }, "HanpanMemoryShort"],
  ["a full disk", { nodes: [node({ vitals: { diskTotal: 100, diskFree: 0 } })] }, "HanpanDiskShort"],
  ["a full gateway", { gateways: [{ name: "g", sockets: 95, limit: 100 }] }, "HanpanGatewayFull"],
]) {
  test(`${what} is told, with the page that says what to do`, () => {
    assert.deepEqual(attention(overview(given), null).map((one) => one.runbook).join(" "), runbook);
  });
}

test("turns are judged by the last five minutes, and few turns by nobody", () => {
  const slow = charts({ turns: [900, 40], slow: [900, 2], timeouts: [0, 0], p50: [1, 1], p99: [1, 1] });
  assert.deepEqual(attention(overview(), charts({ ...slow, step: 300 })).map((one) => one.runbook), ["HanpanTurnLatencyBurn"]);
  assert.deepEqual(attention(overview(), charts({ ...slow, step: 300, turns: [900, 9] })), []);
  const gone = charts({ step: 300, turns: [20], slow: [0], timeouts: [10] });
  assert.deepEqual(attention(overview(), gone).map((one) => one.runbook), ["HanpanTimeoutsSurge"]);
});

test("the grave comes first", () => {
  const found = attention(overview({ states: { placing: 1, quarantined: 1 }, nodes: [node({ draining: true })] }), null);
  assert.deepEqual(found.map((one) => one.grave), [true, false, false]);
});

test("a mean of quantiles weighs each by its turns, and leaves out what is not known", () => {
  const last = recent(charts({ step: 150, turns: [9, 1, 3], slow: [0, 0, 1], timeouts: [0, 0, 0], recoveries: [null, 1, null], p50: [8, null, 4], p99: [8, 2, 6] }), 300);
  assert.deepEqual([last.turns, last.slow, last.recoveries, last.p50, last.p99], [4, 1, 1, 4, 5]);
  assert.equal(recent(charts({ turns: [0], p50: [null], p99: [null] }), 300).p50, null);
});

test("each of these pages is there, can be shown, and leads to others that are", () => {
  const pages = JSON.parse(readFileSync(new URL("../ops/runbooks.json", import.meta.url), "utf8"));
  const source = ["attention.js", "room.js"].map((file) => readFileSync(new URL(`../ops/${file}`, import.meta.url), "utf8")).join("");
  for (const [name] of source.matchAll(/Hanpan[A-Z]\w+/g)) assert.ok(pages[name], name);
  for (const [name, text] of Object.entries(pages)) {
    const drawn = h("div", null, blocks(text));
    assert.deepEqual(find(drawn, (one) => one.tag === "h3").map(words), ["What it means", "Who feels it", "Look", "Do"], name);
    assert.doesNotMatch(words(drawn), /\*\*|`|\]\(|^#/m, name);
    for (const link of withClass(drawn, "runbook")) assert.ok(pages[words(link)], words(link));
  }
});

test("a page's lists, code and links are what they were written as", () => {
  const drawn = h("div", null, blocks("# A\n\nlook\nhere: `a *b*`\n\n1. **one**\n   more\n2. *two* [HanpanNodeFull](HanpanNodeFull.md)\n"));
  assert.deepEqual(drawn.children.map((one) => one.tag), ["h2", "p", "ol"]);
  const said = (one) => words(one).replace(/\s+/g, " ").trim();
  assert.equal(said(drawn.children[1]), "look here: a *b*");
  assert.deepEqual(drawn.children[2].children.map(said), ["one more", "two HanpanNodeFull"]);
  assert.equal(withClass(drawn, "runbook").length, 1);
});

// ---- charts

test("scales have round tops, and values stay inside", () => {
  assert.deepEqual([0, 0.3, 1, 3, 7, 11, 900].map(nice), [1, 0.5, 1, 5, 10, 20, 1000]);
  assert.equal(linear(7).at(99), 1);
  assert.deepEqual(linear(0.2).ticks.map((tick) => tick.text), ["0", "1", "2"]);
  assert.deepEqual(logarithmic(0.5, 10_000).ticks.map((tick) => tick.text), ["1", "10", "100", "1000", "10000"]);
  assert.equal(logarithmic(1, 100).at(0), 0);
});

test("lines and areas break where nothing is known", () => {
  const scale = linear(10);
  assert.equal(line([null, 0, 10, null, 5], scale), "M1.5 100L2.5 0M4.5 50h0.01");
  assert.equal(area([5, null, 10], scale), "M0 100V50H1V100ZM2 100V0H3V100Z");
  assert.equal(bars([null, 0, 10], scale), "M2.1 100V0h0.8V100Z");
});

test("a chart says in words what it shows, and shows what is under the cursor", () => {
  const about = { title: "Turns", step: 10, since: 0, length: 3, scale: linear(10), series: [{ name: "a minute", column: [1, 9, 4], draw: line, cls: "line", write: String }] };
  const still = chart(about, { at: null, move() {} });
  assert.equal(find(still, (one) => one.tag === "svg")[0].props["aria-label"], "Turns. a minute now 4, at most 9.");
  assert.match(words(still), /a minute\s+4/);
  assert.match(words(chart(about, { at: 1, move() {} })), /a minute\s+9/);
  assert.equal(find(chart(about, { at: 7, move() {} }), (one) => one.props.class === "cursor").length, 0);
});

test("charts say since when anything is known, where that is less than they show", () => {
  const about = (turns) => knownSince(charts({ step: 30, since: 1_800_000_000, turns }));
  assert.equal(about([0, 3, null]), "");
  assert.match(about([null, null, 0, 3]), /^known since \d\d:\d\d:00/);
  assert.equal(about([null, null]), "nothing was counted yet");
});

// ---- the map

test("signs stand by state, then spares; one path a state", () => {
  const signs = laidOut([["B", "waiting", 1], ["A", "playing", 2], ["C", "playing", 0]], { spares: 2, starting: 1 });
  assert.deepEqual(signs.map((one) => one.code || one.state), ["A", "C", "B", "spare", "spare", "starting"]);
  assert.deepEqual(Object.keys(paths(signs, 4)), ["playing", "waiting", "spare", "starting"]);
  assert.equal(paths(signs, 4).playing.match(/M/g).length, 2);
});

test("a click opens the room under the pointer, and nothing where there is none", () => {
  const opened = [], pointed = [];
  const tree = field([["A", "playing", 2], ["B", "parked", 0]], { columns: 2, label: "n1", spares: 1, open: (code) => opened.push(code), point: (text) => pointed.push(text) });
  const at = (clientX, clientY) => ({ clientX, clientY, currentTarget: { getBoundingClientRect: () => ({ left: 0, top: 0, width: 32, height: 32 }) } });
  for (const where of [at(20, 4), at(4, 20), at(20, 20)]) tree.props.onclick(where);
  tree.props.onpointermove(at(4, 4));
  tree.props.onpointermove(at(20, 20));
  assert.deepEqual(opened, ["B"]);
  assert.deepEqual(pointed, ["A · playing · 2 online", ""]);
  assert.equal(tree.props["aria-label"], "n1: 1 playing, 1 parked, 1 spare");
  assert.equal(withClass(tree, "is-parked").length, 1);
  assert.equal(field([], { columns: 2, label: "", open() {}, point() {} }), null);
});

// ---- addresses and words

test("addresses lead back to where they came from", () => {
  assert.deepEqual(routeOf(""), { page: "overview", room: "", filters: { q: "", state: "", game: "", node: "" } });
  assert.equal(routeOf(roomAddress("a/b")).room, "a/b");
  const filters = { q: "지호 & 민서", state: "playing", game: "", node: "n 1" };
  assert.deepEqual(routeOf(roomsAddress(filters)).filters, filters);
  assert.equal(routeOf("#/nonsense").page, "overview");
  assert.equal(routeOf("#/room").page, "overview");
});

test("values are written as they are read", () => {
  assert.deepEqual([0.42, 9.96, 250, 1500, 60_000, null].map(ms), ["0.4 ms", "10.0 ms", "250 ms", "1.5 s", "60 s", "–"]);
  assert.deepEqual([5, 90, 7300, 200_000].map(lasting), ["5 s", "1 min", "2 h 1 min", "2 d 7 h"]);
  assert.deepEqual([4100, 65_000, 3_725_000].map(since), ["4.1 s", "1:05", "1:02:05"]);
  assert.equal(brief({ g_a: [1, "g_b"] }, { g_a: "지호", g_b: "민서" }), "지호 1, 민서");
  assert.equal(brief({ options: {}, on: null, seats: 4 }), "on none, seats 4");
  assert.deepEqual(event({ type: "lit", player: "g_a", lamps: 3 }, { g_a: "지호" }), { type: "lit", told: "player 지호 · lamps 3" });
  assert.deepEqual(event({ type: "lit", player: "g_a", lamps: 3 }, {}, "g_a"), { type: "lit", told: "lamps 3" });
});

// ---- one room

const ROW = {
  id: "9f86", code: "HE3MEU", game: "seotda", state: "playing", status: "playing", epoch: 2, node: "n1", pid: 7, process: "n1-a-1", seqHeard: 3, seq: 3, seats: 4, taken: 2, online: 1, games: 1,
  public: false, host: "지호", people: [{ player: "g_a", name: "지호", seat: 0, online: true }, { player: "b", name: "봇", seat: 1, bot: true }], created: 0, parked: false, stranded: null, quarantined: null,
  owners: [{ epoch: 1, seq: 0, wall: 0, name: "n1-a-0" }, { epoch: 2, seq: 2, wall: 0, name: "n1-a-1" }], options: {}, deaths: 0, fault: null,
};
const LINES = [
  { seq: 2, epoch: 1, at: 0, kind: "start", fact: { players: ["g_a"] }, hidden: ["seed"], digest: "d", events: [{ type: "dealt" }] },
  { seq: 3, epoch: 2, at: 4100, kind: "action", fact: { action: { type: "call" } }, digest: "d", who: "g_a", events: [{ type: "called", player: "g_a" }] },
];
const SEEN = { verdict: { game: "seotda", entries: 3, replayed: 3, why: null }, seq: 3, at: 4100, lobby: { seats: [] }, view: { pot: 300, seats: ["g_a", "b"] }, asked: ["g_a"], deadlineIn: 9000, lines: LINES };

const shown = (room = {}, more = {}) => ({ tag: "main", props: {}, children: [roomPage({ ...model, overview: overview(), room: { ...ROW, ...room }, seen: SEEN, ...more })].flat(Infinity).filter(Boolean) });

test("a room shows people, epochs, what anybody sees and what happened, with names", () => {
  const text = words(shown());
  for (const part of ["HE3MEU", "pid 7 on", "n1-a-0", "is asked", "pot", "300", "지호, 봇", "called", "지호 ", "hidden"]) assert.ok(text.includes(part), part);
});

test("a log that cannot be read is told of, and nothing is waited for", () => {
  const text = words(shown({}, { seen: null, unread: "entry 2 is damaged" }));
  assert.match(text, /The log cannot be read:\s+entry 2 is damaged/);
  assert.doesNotMatch(text, /Replaying/);
});

test("only what can be done is offered; chaos only where it is allowed", () => {
  const offered = (...given) => ["Verify", "Move…", "Try again…", "Kill…", "Close…"].filter((name) => button(shown(...given), name));
  assert.deepEqual(offered(), ["Verify", "Move…", "Close…"]);
  assert.deepEqual(offered({}, { overview: overview({ chaos: true }) }), ["Verify", "Move…", "Kill…", "Close…"]);
  assert.deepEqual(offered({ state: "quarantined", quarantined: "died", pid: null, node: null }), ["Verify", "Try again…", "Close…"]);
  assert.deepEqual(offered({ state: "closed", pid: null, node: null }), ["Verify"]);
});

test("an entry is unfolded without its secrets, which are asked for one by one", () => {
  assert.ok(!button(shown(), "Reveal"));
  assert.ok(button(shown({}, { opened: 2 }), "Reveal secrets"));
  assert.ok(!button(shown({}, { opened: 3 }), "Reveal")); // nothing is hidden in it
  const revealed = shown({}, { opened: 2, revealed: { 2: { fact: { seed: "5eed" } } } });
  assert.ok(words(revealed).includes("5eed"));
  assert.ok(!button(revealed, "Reveal"));
});

test("a log that breaks says where", () => {
  const broken = { ...SEEN, verdict: { ...SEEN.verdict, replayed: 2, why: "DigestMismatch" }, lines: [{ ...LINES[1], events: null }] };
  const text = words(shown({}, { seen: broken }));
  assert.match(text, /Entry 3 does not replay/);
  assert.match(text, /does not replay/);
});

test("lists and the overview are drawn also where there is nothing yet", () => {
  for (const page of [overviewPage, roomsPage, roomPage]) assert.ok(words({ children: [page(model, [])].flat(9).filter(Boolean) }).includes("Asking"));
  const full = { ...model, overview: overview({ nodes: [node({ cells: [["A", "playing", 1]] })], gateways: [{ name: "g" }] }), charts: charts({ turns: [1], p50: [2], p99: [3], slow: [0], timeouts: [0], recoveries: [1], sessions: [2], games: ["a"] }) };
  const text = words({ children: overviewPage(full, attention(full.overview, full.charts)).flat(9).filter(Boolean) });
  for (const part of ["Turn latency", "n1", "Drain", "recovered", "2.0 ms"]) assert.ok(text.includes(part), part);
  assert.ok(words({ children: roomsPage({ ...full, rooms: { rooms: [ROW], total: 1 } }).flat(9).filter(Boolean) }).includes("지호*, 1 bot"));
});

// ---- colours

/** WCAG's contrast of two colours, #rrggbb or #rgb. */
function contrast(one, other) {
  const light = (colour) => {
    const digits = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.slice(1).match(/../g);
    const [r, g, b] = digits.map((pair) => parseInt(pair, 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [darker, lighter] = [light(one), light(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test("whatever is written in a colour can be read on every ground, by day and by night", () => {
  const css = readFileSync(new URL("../ops/ops.css", import.meta.url), "utf8");
  const themes = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, block]) => Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]+)/g)].map(([, name, colour]) => [name, colour])));
  assert.equal(themes.length, 2);
  for (const theme of themes) {
    for (const name of ["ink", "soft", "accent", "playing", "waiting", "finished", "parked", "placing", "quarantined", "bad", "warn", "a", "b", "c", "d"]) {
      for (const ground of ["ground", "raised", "sunk"]) assert.ok(contrast(theme[name], theme[ground]) >= 4.5, `${name} ${theme[name]} on ${ground} ${theme[ground]}`);
    }
    for (const name of ["bad", "warn", "well"]) assert.ok(contrast(theme[name], theme[`${name}-ground`]) >= 4.5, name);
  }
});

// ---- asking again

test("after an order the page asks again, also where an answer is on its way that may be from before it", async () => {
  const asked = [];
  const turn = () => new Promise((then) => setImmediate(then));
  globalThis.document = /** @type {any} */ ({ hidden: false });
  globalThis.fetch = /** @type {any} */ ((address) => new Promise((answer) => {
    if (address.endsWith("/overview")) asked.push((spares) => answer({ ok: true, json: async () => overview({ nodes: [node({ spares })] }) }));
    else answer({ ok: true, json: async () => charts() });
  }));
  model.token = "t";
  try {
    refresh();
    question({ title: "?", text: "", yes: "Yes", then: async () => {} });
    await answered();
    refresh();
    assert.equal(asked.length, 1, "one question at a time");
    asked[0](3);
    await turn();
    assert.equal(model.overview.nodes[0].spares, 3);
    refresh();
    assert.equal(asked.length, 2);
    asked[1](0);
    await turn();
    refresh();
    assert.equal(model.overview.nodes[0].spares, 0);
    assert.equal(asked.length, 2, "what has just been answered is not asked again");
  } finally {
    Object.assign(model, { token: "", overview: null });
    delete globalThis.document;
    delete globalThis.fetch;
  }
});

test("who has signed out asks nothing more, and what is answered then is neither shown nor held against them", async () => {
  const asked = [];
  const turn = () => new Promise((then) => setImmediate(then));
  const before = { document: globalThis.document, fetch: globalThis.fetch, sessionStorage: globalThis.sessionStorage };
  globalThis.document = /** @type {any} */ ({ hidden: false });
  globalThis.sessionStorage = /** @type {any} */ ({ removeItem: () => {} });
  globalThis.fetch = /** @type {any} */ ((address) => new Promise((answer) => asked.push({ address, answer })));
  const answers = (said, status = 200) => asked.splice(0).forEach(({ answer }) => answer({ ok: status === 200, status, json: async () => said }));
  const token = "an operator's";
  Object.assign(model, { token, overview: overview(), route: routeOf(""), refused: "" });
  try {
    refresh(true); // the overview, and the charts of an hour: then it asks for those of a quarter
    assert.equal(asked.length, 2);
    signOut();
    answers(overview());
    await turn();
    assert.deepEqual(asked, []);
    assert.equal(model.overview, null);
    Object.assign(model, { token, overview: overview() });
    refresh(true);
    signOut();
    answers({ message: "no" }, 401);
    await turn();
    assert.equal(model.refused, "");
  } finally {
    Object.assign(model, { token: "", overview: null, refused: "" });
    Object.assign(globalThis, before);
  }
});
