/**
 * The page as a whole: what it shows (`model`) and everything that can be done (`act`). Views read the one and call the
 * other; after each change `changed` is called, which draws again.
 */

import { asMe, isNew, me, read, rename, renew, write } from "./identity.js";
import { api } from "./net/api.js";
import { connect } from "./net/socket.js";
import { isPending, mySeat, nameOf, nothing, reduce } from "./state.js";
import { announce, toast } from "./ui/dom.js";

const LAST = "hanpan.last"; // the room to go back to
const LEAVE_WITHIN = 1500;

export const model = {
  me,
  lobby: { games: null, rooms: null, error: null, busy: null, last: read(LAST) },
  room: null, // {summary, state, ui, link, leaving}
  sheet: null, // {kind, …}: what lies over the page
};

let changed = () => {};
export const whenChanged = (then) => (changed = then);

// ---------------------------------------------------------------- the lobby

export async function loadGames() {
  try {
    model.lobby.games = await api.games();
    model.lobby.error = null;
  } catch (no) {
    model.lobby.error = no.message;
    setTimeout(loadGames, 3000);
  }
  changed();
}

export async function loadRooms() {
  if (model.room || document.visibilityState !== "visible") return;
  try {
    model.lobby.rooms = (await api.rooms()).filter((room) => room.status !== "closed");
  } catch {
    return; // the list stays as it was; the next round tells
  }
  changed();
}

/** Is the room that we were in last still there? */
export async function checkLast() {
  const { last } = model.lobby;
  if (!last) return;
  try {
    if ((await api.room(last.id)).status === "closed") forgetLast();
  } catch (no) {
    if (no.code === "room_not_found") forgetLast();
  }
}

function forgetLast() {
  write(LAST, (model.lobby.last = null));
  changed();
}

/** Runs one thing at a time that the player waits for; says what went wrong. */
async function busy(what, work) {
  if (model.lobby.busy !== null) return;
  model.lobby.busy = what;
  changed();
  try {
    await work();
  } catch (no) {
    if (no.code === undefined) console.error(no);
    toast(no.message);
  } finally {
    model.lobby.busy = null;
    changed();
  }
}

// ---------------------------------------------------------------- entering and leaving

function enterRoom(summary, join, push = true) {
  leaveScreen();
  if (push) history.pushState(null, "", `/r/${summary.code}${location.search}`);
  const room = (model.room = { summary, state: nothing, ui: {}, link: null, leaving: null, renewed: false });
  model.sheet = null;
  link(room, join);
  changed();
}

function link(room, join) {
  room.state = nothing;
  room.link = connect({ token: me.token, room: room.summary.id, join, tell: (message) => room === model.room && hear(room, message) });
}

/** Off the room's screen. A seat in it stays ours. */
function leaveScreen() {
  model.room?.link?.end();
  model.room = null;
  model.sheet = null;
}

function toLobby() {
  leaveScreen();
  history.pushState(null, "", `/${location.search}`);
  loadRooms();
  changed();
}

// ---------------------------------------------------------------- what the room says

function hear(room, message) {
  const before = room.state;
  const after = (room.state = reduce(before, message, performance.now()));
  if (room.leaving && (message.type === "bye" || (message.type === "ack" && message.id === room.leaving))) {
    forgetLast();
    return toLobby();
  }
  if (message.type === "bye") parted(room, message);
  if (after.notice !== before.notice) toast(after.notice.text);
  if (after.room !== before.room && after.room) remember(after.room);
  if (before.room && after.room && before.room.games !== after.room.games) room.ui = {};
  tellTurn(before, after);
  changed();
}

function parted(room, { code }) {
  model.sheet = null;
  if (["kicked", "closed", "room_not_found", "banned", "not_public", "left"].includes(code)) forgetLast();
  if (code === "bad_token" && !room.renewed) {
    room.renewed = true;
    renew().then(() => link(room, "seat"), (no) => toast(no.message)).then(changed);
  }
}

function remember({ id, code, title }) {
  const { last } = model.lobby;
  if (last?.id !== id) write(LAST, (model.lobby.last = { id, code, title }));
}

/** Who cannot watch the table all the time is told whose turn it is. */
function tellTurn(before, after) {
  const turn = (state) => (state.room?.status === "playing" ? state.view?.current : undefined);
  if (after.decision > 0 && before.decision === 0) {
    navigator.vibrate?.(60);
    announce("내 차례예요");
  } else if (turn(after) !== turn(before) && typeof turn(after) === "string" && turn(after) !== after.you?.player) {
    announce(`${nameOf(after, turn(after))} 님 차례`);
  }
  if (after.room?.status === "finished" && before.room?.status === "playing") announce("게임이 끝났어요");
}

// ---------------------------------------------------------------- what can be done

const sheet = (kind, more) => () => open({ kind, ...more });

function open(one) {
  model.sheet = one;
  changed();
}

const ui = (changes) => () => {
  Object.assign(model.room.ui, changes);
  changed();
};

export const act = {
  closeSheet: () => open(null),

  // the lobby
  rename: (name) => busy("name", async () => name.trim() && rename(name.trim())),
  quick: (game) => busy(`quick ${game}`, async () => enterRoom(await asMe((token) => api.quick(token, game)), "seat")),
  openCreate: (game) => open({ kind: "create", wish: { game, options: {}, public: false, spectators: true, autoStart: false, bots: Math.min(2, seatsFor(game) - 1), seats: seatsFor(game) } }),
  editWish: (change) => open({ kind: "create", wish: { ...model.sheet.wish, ...change } }),
  create: (wish) => busy("create", async () => enterRoom(await asMe((token) => api.create(token, wish)), "seat")),
  open: (room, join) => busy("open", async () => enterRoom(await asMe(async () => room), join)),
  enter: (code) => busy("join", async () => code.trim() && arrive(code, true)),
  enterAs: (name, code) => busy("join", async () => {
    await rename(name.trim() || me.name);
    await arrive(code, false);
  }),

  // a room
  say: (message) => model.room?.link.say(message),
  play(action) {
    const { state } = model.room;
    if (!isPending(state, "action")) act.say({ type: "action", decision: state.decision, action });
  },
  hint: (text) => toast(text),
  toLobby,
  again: () => (link(model.room, "seat"), changed()),
  askLeave: () => (mySeat(model.room.state) < 0 ? act.leave() : open({ kind: "leave" })),
  leave() {
    const { room } = model;
    room.leaving = act.say({ type: "leave" });
    setTimeout(() => room === model.room && toLobby(), LEAVE_WITHIN);
  },
  askClose: sheet("close"),
  openSeat: (player) => open({ kind: "seat", player }),
  openSettings() {
    const { public: open_, spectators, autoStart, seats, options } = model.room.state.room;
    open({ kind: "settings", draft: { public: open_, spectators, autoStart, seats: seats.length, options } });
  },
  editDraft: (change) => open({ kind: "settings", draft: { ...model.sheet.draft, ...change } }),
  saveSettings({ options, ...draft }) {
    const { room } = model.room.state;
    const now = { public: room.public, spectators: room.spectators, autoStart: room.autoStart, seats: room.seats.length };
    const changes = Object.entries(draft).filter(([key, value]) => now[key] !== value);
    if (changes.length) act.say({ type: "room", ...Object.fromEntries(changes) });
    if (JSON.stringify(options) !== JSON.stringify(room.options)) act.say({ type: "options", options });
    act.closeSheet();
  },
  copyLink: async () => toast((await copied(invitation())) ? "초대 링크를 복사했어요" : invitation()),
  share: () => navigator.share({ title: "한판", text: `${model.room.state.room.title} 한 판 해요!`, url: invitation() }).catch(() => {}),
  toggleLog: sheet("log"),
  toggleHelp: sheet("help"),
  hideResult: ui({ hideResult: true }),
  showResult: ui({ hideResult: false, lobby: false }),
  showLobby: ui({ lobby: true }),
  showTable: ui({ lobby: false, hideResult: true }),
};

const seatsFor = (id) => {
  const { minPlayers, maxPlayers } = model.lobby.games.find((game) => game.id === id);
  return Math.max(minPlayers, Math.min(maxPlayers, 4));
};

async function arrive(code, push) {
  const summary = await api.join(code);
  enterRoom(await asMe(async () => summary), "seat", push);
}

const invitation = () => `${location.origin}/r/${model.room.state.room.code}`;

/** The clipboard is only there under https; elsewhere the old way still works. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

// ---------------------------------------------------------------- addresses

/** Shows what the address says: `/` the lobby, `/r/CODE` a room. */
export async function route() {
  const code = location.pathname.match(/^\/r\/([^/]+)$/)?.[1];
  if (!code) {
    leaveScreen();
    loadRooms();
    checkLast();
    return changed();
  }
  if (model.room?.summary.code === code) return;
  leaveScreen();
  if (isNew()) return open({ kind: "name", code });
  await busy("join", () => arrive(code, false));
  if (!model.room) history.replaceState(null, "", "/");
}
