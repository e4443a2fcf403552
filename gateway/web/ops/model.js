/**
 * What the page knows, and all that can be done on it. `main.js` draws it after each change.
 *
 * The token stays in this tab (sessionStorage): it goes with the tab, and no other page can read it. The operator's name
 * is kept; it is what orders are logged under, and proves nothing.
 *
 * @typedef {import("./types").Model} Model
 */

import { announce, toast } from "../ui/dom.js";
import { ask, order } from "./api.js";
import { NO_FILTERS, roomsAddress, routeOf } from "./route.js";

const EVERY = { overview: 3000, charts: 10_000, rooms: 4000, room: 4000, audit: 5000 };
export const LINES = 50;
const ROWS = 100;

/** @type {Model} */
export const model = {
  token: "", operator: "", signing: false, refused: "",
  route: routeOf(""), overview: null, heard: 0, silent: "",
  charts: null, game: "", minutes: 0, cursor: null, pointed: "",
  rooms: null, shown: ROWS,
  room: null, seen: null, missing: "", unread: "", seq: null, first: null, opened: null, revealed: {}, verdict: null,
  deeds: null, reading: "", runbooks: null, question: null, answer: "", busy: false,
};

let draw = () => {};
export const whenChanged = (then) => (draw = then);

/** @param {Partial<Model>} change */
export function set(change) {
  Object.assign(model, change);
  draw();
}

// ---------------------------------------------------------------- signing in

export function begin() {
  const given = location.hash.match(/^#token=(.+)$/);
  if (given) {
    keep(sessionStorage, "hanpan-ops-token", decodeURIComponent(given[1]));
    history.replaceState(null, "", "/ops");
  }
  set({ token: kept(sessionStorage, "hanpan-ops-token"), operator: kept(localStorage, "hanpan-ops-operator"), route: routeOf(location.hash) });
  if (model.token) refresh();
}

export async function signIn(token, operator) {
  set({ signing: true, refused: "", operator });
  try {
    await ask({ token, operator }, "audit");
    keep(sessionStorage, "hanpan-ops-token", token);
    keep(localStorage, "hanpan-ops-operator", operator);
    set({ token, signing: false });
    refresh();
  } catch (no) {
    set({ signing: false, refused: no.message });
  }
}

export function signOut(refused = "") {
  sessionStorage.removeItem("hanpan-ops-token");
  set({ token: "", overview: null, charts: null, rooms: null, room: null, seen: null, revealed: {}, deeds: null, reading: "", question: null, refused });
}

function kept(storage, name) {
  try {
    return storage.getItem(name) ?? "";
  } catch {
    return ""; // the browser keeps nothing for us: then it is asked for each time
  }
}

function keep(storage, name, value) {
  try {
    storage.setItem(name, value);
  } catch {
    /* as above */
  }
}

// ---------------------------------------------------------------- looking

const asked = {}; // when, by what; performance.now()
const took = {}; // how long the answer took: what is much is asked for less often
const underway = new Set();

/** Asks for what the page at hand shows and has grown old. Called four times a second. */
export function refresh(now = false) {
  if (!model.token || (document.hidden && !now)) return;
  const { page } = model.route;
  look("overview", now, async () => set({ overview: await questioned("overview") }));
  if (page === "overview" && model.overview) look("charts", now, charted);
  if (page === "rooms") look("rooms", now, searched);
  if (page === "room") look("room", now, looked);
  if (page === "audit") look("audit", now, async () => set({ deeds: (await questioned("audit")).deeds }));
}

async function look(what, now, work) {
  if (now) asked[what] = -Infinity; // also where an answer is on its way: it may be from before what was ordered
  const every = Math.max(EVERY[what], 10 * (took[what] ?? 0));
  if (underway.has(what) || performance.now() - (asked[what] ?? -Infinity) < every) return;
  underway.add(what);
  const began = (asked[what] = performance.now());
  try {
    await work();
    took[what] = performance.now() - began;
  } catch (no) {
    if (no instanceof SignedOut) return;
    if (no.status === 401) signOut(no.message);
    else if (!(what === "room" && no.code === "room_not_found")) set({ silent: no.message });
  } finally {
    underway.delete(what);
  }
}

/** Whoever asked has gone since, or is somebody else: what was answered is nobody's. */
class SignedOut extends Error {}

async function questioned(what, args) {
  const { token } = model;
  if (!token) throw new SignedOut();
  let said;
  try {
    said = await ask(model, what, args);
  } catch (no) {
    throw model.token === token ? no : new SignedOut();
  }
  if (model.token !== token) throw new SignedOut();
  model.heard = performance.now();
  model.silent = "";
  return said;
}

/** The hour, or where less than a third of it is known the last quarter; until somebody chooses. */
async function charted() {
  const over = async (minutes) => ({ minutes, charts: await questioned("charts", { game: model.game, minutes }) });
  let seen = await over(model.minutes || 60);
  const { turns, step } = seen.charts;
  if (!model.minutes && turns.filter((value) => value !== null).length * step < 20 * 60) seen = await over(15);
  set(seen);
}

async function searched() {
  const filters = model.route.filters;
  const found = await questioned("rooms", { ...filters, limit: model.shown });
  if (filters === model.route.filters) set({ rooms: found });
}

/** The room, and its log where that has grown. */
async function looked() {
  const id = model.route.room;
  if (model.missing) return;
  try {
    const room = await questioned("room", { room: model.room?.id ?? id }); // a code is nobody's once its room is closed
    if (id !== model.route.room) return;
    const grown = !(model.seen || model.unread) || (model.seq === null && (room.seq !== model.room?.seq || room.epoch !== model.room?.epoch || room.state !== model.room?.state));
    set({ room, missing: "" });
    if (grown) await inspect();
  } catch (no) {
    if (no.code === "room_not_found" && id === model.route.room) set({ missing: no.message });
    throw no;
  }
}

async function inspect() {
  const { route, seq, first } = model;
  const here = () => route === model.route && seq === model.seq && first === model.first;
  try {
    const seen = await questioned("inspect", { room: model.room?.id ?? route.room, seq, first, limit: LINES });
    if (here()) set({ seen, unread: "" });
  } catch (no) {
    if (no.code !== "damaged") throw no;
    if (here()) set({ seen: null, unread: no.message });
  }
}

/** Another moment of the room's past, or another part of its entries. */
export function lookAt({ seq = model.seq, first = model.first }) {
  set({ seq, first, opened: null });
  clearTimeout(lookAt.timer);
  lookAt.timer = setTimeout(() => inspect().catch((no) => set({ silent: no.message })), 120); // a slider is dragged
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
lookAt.timer = undefined;

export function go() {
  const route = routeOf(location.hash);
  const another = route.page !== model.route.page || route.room !== model.route.room;
  set({ route, ...(another ? { room: null, seen: null, missing: "", unread: "", seq: null, first: null, opened: null, revealed: {}, verdict: null, pointed: "", cursor: null } : {}), shown: ROWS });
  asked[route.page] = -Infinity;
  refresh();
  if (another) scrollTo(0, 0);
}

export function filter(change) {
  history.replaceState(null, "", roomsAddress({ ...NO_FILTERS, ...model.route.filters, ...change }));
  go();
}

export function more() {
  set({ shown: model.shown + ROWS });
  look("rooms", true, searched);
}

export function chartOf(change) {
  set({ ...change, cursor: null });
  asked.charts = -Infinity;
  refresh();
}

/** An alert's page, by its name; "" closes it. They lie beside the page, and are fetched when the first is read. */
export async function read(name) {
  set({ reading: name });
  if (!name || model.runbooks !== null) return;
  try {
    const answer = await fetch(new URL("./runbooks.json", import.meta.url));
    if (!answer.ok) throw new Error(`Status ${answer.status}`);
    set({ runbooks: await answer.json() });
  } catch {
    set({ reading: "" });
    told("The gateway does not answer");
  }
}

// ---------------------------------------------------------------- doing

/** Asks first. @param {import("./types").Question} question */
export const question = (question) => set({ question, answer: question.choices?.[0]?.value ?? "" });

export async function answered() {
  const { question, answer } = model;
  if (!question || model.busy) return;
  set({ busy: true });
  try {
    await question.then(answer);
    set({ question: null });
  } catch (no) {
    told(`Refused: ${no.message}`);
    if (no.status === 401) signOut(no.message);
  } finally {
    set({ busy: false });
    refresh(true);
  }
}

function told(text) {
  toast(text);
  announce(text);
}

/** @returns {(choice: string) => Promise<void>} */
const giving = (what, args, said) => async () => {
  const done = await order(model, what, args);
  told(said(done));
};

export const close = (room) => question({
  title: `Close ${room.code}?`, text: `The room is over for everyone in it (${room.online} online), for good. Its log stays.`,
  yes: "Close the room", danger: true, typed: room.code, then: giving("close", { room: room.id }, () => `${room.code} is closed`),
});

export const unquarantine = (room) => question({
  title: `Try ${room.code} again?`, text: "Once what was wrong has been mended. If it was not, the room is stopped again, and says why.",
  yes: "Try again", then: giving("unquarantine", { room: room.id }, (row) => (row.quarantined ? `${room.code} is stopped again: ${row.quarantined}` : `${room.code} is played again`)),
});

export const kill = (room) => question({
  title: `Kill the process of ${room.code}?`, text: `As kill -9 would (pid ${room.pid} on ${room.node}). The room is brought back from its log; its players see a pause.`,
  yes: "Kill it", danger: true, then: giving("kill", { room: room.id }, () => `The process of ${room.code} was killed`),
});

export function move(room) {
  const elsewhere = (model.overview?.nodes ?? []).filter((node) => !node.draining);
  question({
    title: `Move ${room.code}`, text: "Its process ends in peace, and another one goes on with it. Players see a blink of a pause, and keep their sockets.",
    yes: "Move it", choices: [{ value: "", text: "wherever there is most space" }, ...elsewhere.map((node) => ({ value: node.node, text: `${node.node} (${node.spares} spare)` }))],
    then: async (node) => giving("move", { room: room.id, ...(node ? { node } : {}) }, (row) => `${row.code} runs on ${row.node}, pid ${row.pid}`)(node),
  });
}

export const drain = (node) => question({
  title: `Drain ${node.node}?`, text: `Its ${node.rooms} rooms move to other nodes while they are played, four at a time and only where there are spares. It gets no new ones.`,
  yes: "Drain it", danger: true,
  choices: [{ value: "", text: "and keep its agent: it can take rooms again" }, { value: "retire", text: "and end its agent when it is empty: it leaves for good" }],
  then: async (choice) => giving("drain", { node: node.node, retire: choice === "retire" }, (said) => `${node.node} is being drained of ${said.rooms} rooms`)(choice),
});

export const undrain = (node) => question({
  title: `Let rooms come to ${node.node} again?`, text: "It keeps spares again, and takes rooms.", yes: "Yes",
  then: giving("undrain", { node: node.node }, () => `${node.node} takes rooms again`),
});

export const reveal = (room, seq) => question({
  title: `Show the secrets of entry ${seq}?`, text: `Hidden cards, moves or the deal's seed of ${room.code}: what its players may not see. That you asked is logged, with your name and address.`,
  yes: "Show, and log it", danger: true,
  then: async () => {
    const { entries } = await order(model, "reveal", { room: room.id, seq });
    set({ revealed: { ...model.revealed, [seq]: entries[0] } });
  },
});

export async function verify(room) {
  set({ busy: true });
  try {
    const verdict = await ask(model, "verify", { room: room.id });
    set({ verdict });
    told(verdict.ok ? `All ${verdict.entries} entries replay to their digests` : `The log does not replay: ${verdict.why}`);
  } catch (no) {
    told(`Refused: ${no.message}`);
  } finally {
    set({ busy: false });
  }
}
