/**
 * What is done in rooms: entering and leaving them, what they say, a game watched again, and all that a player or a host
 * can do. Fetched with the screens that need it (`inside.js`), so the lobby does not wait for it.
 */

import { act, addressOf, busy, changed, forgetLast, isPlain, LAST, loadRooms, model, open, route, sheet } from "./app.js";
import { Lots } from "./fair/lots.js";
import { asMe, me, read, renew, write } from "./identity.js";
import { api } from "./net/api.js";
import { connect } from "./net/socket.js";
import { markRead, prefer } from "./preferences.js";
import { pause } from "./replay.js";
import { notice, play } from "./senses.js";
import { isPending, mySeat, nothing, reduce } from "./state.js";
import { loadedTable, tableOf } from "./tables/registry.js";
import { toast } from "./ui/dom.js";

const LEAVE_WITHIN = 1500; // ms
const RESULT_AFTER = 1600; // ms

/** The room that we are in; for what can only be done in one. */
const here = () => /** @type {import("./types/page").Room} */ (model.room);

const info = () => /** @type {import("./types/page").RoomInfo} */ (here().state.room);

/** The game that is watched again, likewise. */
const watched = () => /** @type {import("./types/page").Replay} */ (model.replay);

/** Of that game, what the server sent. */
const tape = () => /** @type {import("./types/page").Tape} */ (watched().tape);

// ---------------------------------------------------------------- entering and leaving

export function enterRoom(summary, join, push = true) {
  leaveScreen();
  if (push) history.pushState(null, "", addressOf(summary.code));
  const lots = new Lots(summary.id, { read, write });
  const room = (model.room = { summary, state: nothing, ui: {}, link: null, leaving: null, renewed: false, lots, seals: {} });
  model.sheet = null;
  link(room, join);
  tableOf(summary.game, isPlain(), changed); // its table is fetched while the room is entered
  changed();
}

/** @param {import("./types/page").Room} room @param {"seat" | "watch"} join @param {string} key into a locked room */
function link(room, join, key = location.hash.slice(1)) {
  room.state = nothing;
  const pledge = join === "seat" && me.player !== null ? room.lots.pledge(me.player) : undefined;
  room.link = connect({ token: me.token, room: room.summary.id, join, key, pledge, tell: (message) => room === model.room && hear(room, message) });
}

/** Off the room's screen. A seat in it stays ours. */
export function leaveScreen() {
  endReplay();
  model.room?.link?.end();
  model.room = null;
  model.sheet = null;
}

function toLobby() {
  leaveScreen();
  history.pushState(null, "", addressOf(null));
  loadRooms();
  changed();
}

// ---------------------------------------------------------------- what the room says

/** @param {import("./types/page").Room} room @param {import("./types/page").Heard} message */
function hear(room, message) {
  const before = room.state;
  const after = (room.state = reduce(before, message, performance.now()));
  if (room.leaving && (message.type === "bye" || (message.type === "ack" && message.id === room.leaving))) {
    forgetLast();
    return toLobby();
  }
  if (message.type === "bye") parted(room, message);
  if (after.room !== before.room) addNumber(room);
  if (after.notice !== null && after.notice !== before.notice) toast(after.notice.text);
  if (after.room !== before.room && after.room) remember(after.room);
  if (before.room && after.room && before.room.games !== after.room.games) room.ui = {};
  if (before.room?.status === "playing" && after.room?.status === "finished") resultAfter(room);
  if (!model.replay) notice(before, after, after.room && loadedTable(after.room.game, isPlain()));
  changed();
}

/** Our number for the deals, without anybody being asked; and which seal we heard before it was opened. */
function addNumber({ state, link: to, lots, seals }) {
  const { room, you } = state;
  if (!room || !you || room.status === "closed") return;
  const lot = lots.follow(room, you.player);
  if (room.deal && !room.deal.begun) seals[room.games] = { lent: null, ...seals[room.games], seal: room.deal.seal };
  if (lot === null || isPending(state, lot.type)) return;
  if (lot.type === "lend") seals[room.games].lent = lot.number;
  to?.say(lot);
}

/** The last move is to be seen before the result lies over it. */
function resultAfter(room) {
  const { ui } = room;
  ui.hideResult = true;
  setTimeout(() => ((ui.hideResult = false), changed()), RESULT_AFTER);
}

function parted(room, { code }) {
  model.sheet = null;
  if (["kicked", "closed", "room_not_found", "banned", "not_public", "left"].includes(code)) forgetLast();
  if (code === "bad_token" && !room.renewed) {
    room.renewed = true;
    renew().then(() => link(room, "seat"), (no) => (toast(no.message), open({ kind: "name", code: room.summary.code }))).then(changed);
  }
}

function remember({ id, code, title }) {
  const { last } = model.lobby;
  if (last?.id !== id) write(LAST, (model.lobby.last = { id, code, title }));
}

// ---------------------------------------------------------------- 다시 보기

/** Watches a finished game again: over the room, where we are in it, which goes on behind. */
export async function watchReplay(room, number) {
  endReplay();
  /** @type {import("./types/page").Replay} */
  const replay = (model.replay = { room, number, tape: null, refusal: null, at: 0, speed: 1, playing: false, ui: {} });
  model.sheet = null;
  changed();
  try {
    const fetched = me.token === null ? api.replay(null, room.id, number) : asMe((token) => api.replay(token, room.id, number));
    replay.tape = await fetched;
    if (replay === model.replay) setPlaying(true);
  } catch ({ code, message }) {
    replay.refusal = { code, message };
  }
  changed();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let stepping;

function setPlaying(playing) {
  const replay = watched();
  if (playing && replay.at === tape().frames.length - 1) step(0);
  replay.playing = playing;
  clearTimeout(stepping);
  if (playing) stepping = setTimeout(stepOn, pause(tape(), replay.at, replay.speed));
  changed();
}

function stepOn() {
  step(watched().at + 1);
  setPlaying(watched().at < tape().frames.length - 1);
}

function step(at) {
  const replay = watched();
  const { frames, game, viewer } = tape();
  const to = Math.max(0, Math.min(frames.length - 1, at));
  if (to === replay.at + 1) play(frames[to].events.map((event) => loadedTable(game, isPlain())?.sound?.(event, viewer ?? "")).findLast(Boolean));
  replay.at = to;
}

/** By hand: whoever moves it themselves wants to look. */
function seek(at) {
  step(at);
  setPlaying(false);
}

export function endReplay() {
  clearTimeout(stepping);
  model.replay = null;
}

// ---------------------------------------------------------------- what can be done

const ui = (changes) => () => {
  Object.assign(here().ui, changes);
  changed();
};

Object.assign(act, {
  // making a room
  editWish: (change) => open({ kind: "create", wish: { ...model.sheet?.wish, ...change } }),
  create: (wish) => busy("create", async () => enterRoom(await asMe((token) => api.create(token, wish)), "seat")),

  // 다시 보기
  watchAgain(number) {
    const { id, code, game } = model.replay?.room ?? here().summary;
    history[model.replay ? "replaceState" : "pushState"](null, "", addressOf(code, number));
    watchReplay({ id, code, game }, number);
  },
  closeReplay() {
    const { code } = watched().room;
    endReplay();
    history.replaceState(null, "", addressOf(code));
    model.room ? changed() : route();
  },
  seek,
  setPlaying,
  setSpeed(speed) {
    watched().speed = speed;
    setPlaying(watched().playing);
  },

  /** What can be checked of a game's deals: of a running one our own cards. */
  async openFair(number) {
    const { id } = model.replay?.room ?? here().summary;
    const heard = (model.room?.summary.id === id && model.room.seals[number]) || null;
    const about = /** @type {import("./types/page").Sheet} */ ({ kind: "fair", heard, view: null, evidence: null, refusal: null });
    open(about);
    try {
      const { fairSheet } = await import("./fair/sheet.js");
      about.evidence = await (me.token === null ? api.fairness(null, id, number) : asMe((token) => api.fairness(token, id, number)));
      about.view = fairSheet;
    } catch (no) {
      about.refusal = no.message;
    }
    changed();
  },

  // this device
  prefer: (change) => (prefer(change), play("pick"), changed()),
  markRead: (id) => (markRead(id), changed()),
  sound: play,

  // a room
  say: (message) => model.room?.link?.say(message),
  /** The room takes them in the order in which they come: first the bots, each on any free seat, then the start. */
  startWithBots(count) {
    for (let i = 0; i < count; i += 1) act.say({ type: "addBot" });
    act.say({ type: "start" });
  },
  play(action) {
    const { state } = here();
    if (isPending(state, "action")) return;
    play("card");
    act.say({ type: "action", decision: state.decision, action });
  },
  hint: (text) => toast(text),
  toLobby,
  again: () => (link(here(), "seat"), changed()),
  unlock: (password) => (link(here(), "seat", password.trim()), changed()),
  askLeave: () => (mySeat(here().state) < 0 ? act.leave() : open({ kind: "leave" })),
  leave() {
    const room = here();
    room.leaving = act.say({ type: "leave" }) ?? null;
    setTimeout(() => room === model.room && toLobby(), LEAVE_WITHIN);
  },
  askClose: sheet("close"),
  openSeat: (player) => open({ kind: "seat", player }),
  openSettings() {
    const { public: open_, spectators, autoStart, seats, options, locked } = info();
    open({ kind: "settings", draft: { public: open_, spectators, autoStart, seats: seats.length, options, locked, password: "" } });
  },
  editDraft: (change) => open({ kind: "settings", draft: { ...model.sheet?.draft, ...change } }),
  saveSettings({ options, locked, password, ...draft }) {
    const room = info();
    const now = { public: room.public, spectators: room.spectators, autoStart: room.autoStart, seats: room.seats.length };
    const changes = Object.entries(draft).filter(([key, value]) => now[key] !== value);
    if (!locked && room.locked) changes.push(["password", ""]);
    else if (locked && password.trim()) changes.push(["password", password.trim()]);
    if (changes.length) act.say({ type: "room", ...Object.fromEntries(changes) });
    if (JSON.stringify(options) !== JSON.stringify(room.options)) act.say({ type: "options", options });
    act.closeSheet();
  },
  copyLink: async () => toast((await copied(invitation())) ? "초대 링크를 복사했어요" : invitation()),
  share: () => navigator.share({ title: "한판", text: `${info().title} 한 판 해요!`, url: invitation() }).catch(() => {}),
  openLog: sheet("log"),
  openInvite: sheet("invite"),
  invitation: () => invitation(),
  hideResult: ui({ hideResult: true }),
  showResult: ui({ hideResult: false, lobby: false }),
  showLobby: ui({ lobby: true }),
  showTable: ui({ lobby: false, hideResult: true }),
});

/** What stands behind the # never reaches a server. */
const invitation = () => `${location.origin}/r/${info().code}${info().locked ? `#${info().invite}` : ""}`;

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

