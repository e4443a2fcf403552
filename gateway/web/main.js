/** Draws the page from the model, and again after each change. */

import { act, begin, changed, isPlain, loadEntrance, loadGames, loadRooms, model, route, whenChanged } from "./app.js";
import { inside, screens, whenInside } from "./inside.js";
import { applyPreferences } from "./preferences.js";
import { element, render } from "./ui/dom.js";
import { lobby } from "./ui/lobby.js";

const ROOMS_EVERY = 8000; // ms

/** What views are given: the model, what can be done, and for a room its state and its game. */
/** @returns {any} a `PageContext`, and for what is drawn of a room a `RoomContext` */
function context() {
  const { me, lobby, room, preferences, replay } = model;
  const played = replay?.room.game ?? room?.state.room?.game;
  const game = lobby.games?.find(({ id }) => id === played) ?? null;
  return { me, lobby, act, redraw, plain: isPlain(), game, preferences, watched: replay, state: room?.state, ui: room?.ui };
}

const FIRST_WITHIN = 300; // ms

let waiting = true; // at first for the games, below

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

let called = false; // by the page's title

function draw() {
  const ctx = context();
  const there = screens();
  render(element("app"), there?.screen(ctx) ?? lobby(ctx));
  render(element("dialogs"), model.sheet && there?.over(model.sheet, ctx));
  there?.drawn();
  const mine = (model.room?.state.decision ?? 0) > 0;
  if (mine !== called) document.title = (called = mine) ? "● 내 차례 · 한판" : "한판";
}

/** Rooms are fetched behind the lobby, once that has been painted. Whoever needs them is told if they did not come. */
const fetchAhead = () => inside().catch(() => {});

/** Asking for so many files takes a slow phone a tenth of a second, in which it would not notice a finger. */
const whenIdle = (then) => ("requestIdleCallback" in globalThis ? requestIdleCallback(then, { timeout: 1000 }) : setTimeout(then, 200));

whenChanged(redraw);
whenInside(() => {
  screens()?.arm(context, redraw);
  changed();
});
addEventListener("popstate", route);
setInterval(loadRooms, ROOMS_EVERY);
applyPreferences();
begin();
const games = loadGames(); // which were asked for with the document
loadEntrance();
// A slow phone draws everything once sooner than it draws an empty lobby first: so the games are waited for, a little.
Promise.race([games, new Promise((done) => setTimeout(done, FIRST_WITHIN))]).then(() => {
  waiting = false;
  redraw();
});
games.then(() => requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(fetchAhead))));
