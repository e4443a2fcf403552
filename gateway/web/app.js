/**
 * The page as a whole: what it shows (`model`) and everything that can be done (`act`). Views read the one and call the
 * other; after each change `changed` is called, which draws again. Here is what the lobby needs; what is done in rooms is
 * in `play.js`, which adds itself to `act`.
 */

import { answered, asking } from "./account.js";
import { asMe, isNew, me, read, rename, signIn, signOut, write } from "./identity.js";
import { inside } from "./inside.js";
import { api } from "./net/api.js";
import { preferences } from "./preferences.js";
import { toast } from "./ui/dom.js";

export const LAST = "hanpan.last"; // the room to go back to
const ASKED = "hanpan.signIn"; // what was asked when we went away to sign in

/** @type {import("./types/page").Model} */
export const model = {
  me,
  preferences,
  lobby: { games: null, rooms: null, error: null, busy: null, last: read(LAST), entrance: { guests: true, signIn: "" } },
  room: null, // {summary, state, ui, link, leaving}
  replay: null, // a finished game that is watched again, in front of the room
  sheet: null, // {kind, …}: what lies over the page
};

let drawAgain = () => {};
export const whenChanged = (then) => (drawAgain = then);
export const changed = () => drawAgain();

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

/** How people come in here; as guests until it is known, or where a gateway of before does not say. */
export async function loadEntrance() {
  try {
    model.lobby.entrance = await api.entrance();
    changed();
  } catch (no) {
    if (no.retry) setTimeout(loadEntrance, 3000);
  }
}

/** First of all, and out of the address before anything else looks at it: have we just signed in? */
export async function begin() {
  const answer = answered(location.hash, read(ASKED));
  if (answer === null) return route();
  history.replaceState(null, "", answer.from);
  write(ASKED, null);
  await busy("signIn", async () => {
    if (answer.token === null) return toast("로그인하지 못했어요. 다시 해 주세요");
    await signIn(answer.token);
    toast(`${me.name} 님, 어서 오세요`);
  });
  await route();
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

export function forgetLast() {
  write(LAST, (model.lobby.last = null));
  changed();
}

/** Runs one thing at a time that the player waits for; says what went wrong. */
export async function busy(what, work) {
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

// ---------------------------------------------------------------- what can be done

export const sheet = (kind, more = {}) => () => open({ kind, ...more });

/** Lays a sheet over the page, or takes away what lies there. Sheets come with the rooms, and are seen from then on. */
export function open(one) {
  model.sheet = one;
  if (one) inside().catch((no) => toast(no.message));
  changed();
}

/** Goes into a room, as soon as there is what rooms need. */
async function enter(summary, join, push = true) {
  const { enterRoom } = await inside();
  enterRoom(summary, join, push);
}

/** @type {Record<string, any>} */
export const act = {
  closeSheet: () => open(null),
  rename: (name) => busy("name", async () => name.trim() && rename(name.trim())),
  signIn() {
    const { address, asked } = asking(model.lobby.entrance.signIn, location);
    write(ASKED, asked);
    location.assign(address);
  },
  signOut() {
    signOut();
    forgetLast();
    act.closeSheet();
  },
  quick: (game) => busy(`quick ${game}`, async () => enter(await asMe((token) => api.quick(token, game)), "seat")),
  openCreate: (game) => open({ kind: "create", wish: { game, options: {}, public: false, spectators: true, autoStart: false, bots: botsFor(game), seats: seatsFor(game) } }),
  open: (room, join) => busy("open", async () => enter(await asMe(async () => room), join)),
  enter: (code) => busy("join", async () => code.trim() && arrive(code, true)),
  enterAs: (name, code) => busy("join", async () => {
    await rename(name.trim() || me.name);
    await arrive(code, false);
  }),
  openMenu: sheet("menu"),
  openRules: (game, options = {}) => open({ kind: "rules", game, options }),
};

/** @returns {{minPlayers: number, maxPlayers: number}} */
const sizeOf = (id) => /** @type {import("./types/page").GameInfo[]} */ (model.lobby.games).find((game) => game.id === id) ?? { minPlayers: 2, maxPlayers: 4 };

/** Four, or a chair more than the game needs. */
const seatsFor = (id) => Math.min(sizeOf(id).maxPlayers, Math.max(sizeOf(id).minPlayers + 1, 4));

/** Enough to begin at once. */
const botsFor = (id) => Math.min(seatsFor(id) - 1, Math.max(sizeOf(id).minPlayers - 1, 2));

async function arrive(code, push) {
  const summary = await api.join(code);
  await enter(await asMe(async () => summary), "seat", push);
}

// ---------------------------------------------------------------- addresses

/** Of the lobby, of a room, or of one of its games to watch again; whatever else the address asks for stays. */
export function addressOf(code, replay = null) {
  const query = new URLSearchParams(location.search);
  query.delete("replay");
  if (replay !== null) query.set("replay", replay);
  const asked = query.toString();
  return `${code === null ? "/" : `/r/${code}`}${asked && `?${asked}`}`;
}

/** `?table=generic` shows the table that plays any game. */
export const isPlain = () => plain;
let plain = false; // looked up where the address may have changed: it is asked for at each drawing

/** Shows what the address says: `/` the lobby, `/r/CODE` a room, `/r/CODE?replay=2` its third game. */
export async function route() {
  plain = new URLSearchParams(location.search).get("table") === "generic";
  const { code, asked } = addressed();
  if (code === null) {
    model.sheet = null;
    if (model.room || model.replay) (await inside()).leaveScreen();
    loadRooms();
    checkLast();
    return changed();
  }
  const play = await inside().catch((no) => toast(no.message));
  if (!play || addressed().code !== code) return;
  const mine = model.room?.summary.code === code ? model.room.summary : null;
  if (asked !== null) return busy("replay", async () => play.watchReplay(mine ?? (await api.join(code)), asked));
  if (mine) return play.endReplay(), changed();
  play.leaveScreen();
  if (isNew()) return open({ kind: "name", code });
  await busy("join", () => arrive(code, false));
  if (!model.room) history.replaceState(null, "", "/");
}

/** @returns {{code: string | null, asked: number | null}} a room's code, and the number of its game that is to be watched */
function addressed() {
  const code = location.pathname.match(/^\/r\/([^/]+)$/)?.[1] ?? null;
  const asked = new URLSearchParams(location.search).get("replay");
  return { code, asked: asked === null ? null : Number(asked) };
}
