/** Draws the page from the model, and again after each change. */

import { act, begin, isPlain, loadEntrance, loadGames, loadRooms, model, route, whenChanged } from "./app.js";
import { applyPreferences } from "./preferences.js";
import { tick } from "./senses.js";
import { sheet } from "./ui/dialog.js";
import { element, h, render } from "./ui/dom.js";
import { fairSheet } from "./ui/fair.js";
import { inviteSheet } from "./ui/invite.js";
import { armKeys, keepPlace } from "./ui/keys.js";
import { createSheet, lobby, signInButton } from "./ui/lobby.js";
import { menuSheet } from "./ui/menu.js";
import { replay, replayKeys } from "./ui/replay.js";
import { armSize, logSheet, room } from "./ui/room.js";
import { rulesSheet } from "./ui/rules.js";
import { armSounds } from "./ui/sound.js";
import { closeQuestion, leaveQuestion, seatSheet, settingsSheet } from "./ui/waiting.js";

const ROOMS_EVERY = 8000;

/** @type {Record<string, (sheet: import("./types/page").Sheet, ctx: any) => import("./types/page").VNode | null>} */
const SHEETS = {
  create: ({ wish }, ctx) => createSheet(ctx, wish),
  name: ({ code }, ctx) => nameSheet(ctx, code),
  seat: ({ player }, ctx) => seatSheet(ctx, player),
  settings: ({ draft }, ctx) => settingsSheet(ctx, draft),
  leave: (_, ctx) => leaveQuestion(ctx),
  close: (_, ctx) => closeQuestion(ctx),
  fair: (about, ctx) => fairSheet(about, ctx),
  log: (_, ctx) => logSheet(ctx),
  menu: (_, ctx) => menuSheet(ctx),
  invite: (_, ctx) => inviteSheet(ctx),
  rules: ({ game, options }, ctx) => rulesSheet(ctx, game, options),
};

/** For someone who comes by a link and has not been here before, or is no longer signed in. */
function nameSheet({ me, lobby, act }, code) {
  return sheet({ title: "한판에 어서 오세요", cls: "small" },
    signInButton(lobby, act),
    lobby.entrance.guests && h("form", { onsubmit: (event) => (event.preventDefault(), act.enterAs(event.target.who.value, code)) },
      h("label.field", null, h("span.label", null, "다른 사람에게 보일 이름"), h("input", { name: "who", value: me.name, maxlength: "20", autocomplete: "nickname" })),
      h("div.buttons", null, h("button.primary.wide", null, `${code} 방에 들어가기`))));
}

/** What views are given: the model, what can be done, and for a room its state and its game. */
/** @returns {any} a `PageContext`, and for what is drawn of a room a `RoomContext` */
function context() {
  const { me, lobby, room, preferences, replay } = model;
  const played = replay?.room.game ?? room?.state.room?.game;
  const game = lobby.games?.find(({ id }) => id === played) ?? null;
  return { me, lobby, act, redraw, plain: isPlain(), game, preferences, watched: replay, state: room?.state, ui: room?.ui };
}

let waiting = false;

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function draw() {
  const ctx = context();
  render(element("app"), model.replay ? replay(ctx) : model.room ? room(ctx) : lobby(ctx));
  render(element("dialogs"), model.sheet && SHEETS[model.sheet.kind](model.sheet, ctx));
  keepPlace();
  const mine = (model.room?.state.decision ?? 0) > 0;
  const title = mine ? "● 내 차례 · 한판" : "한판";
  if (document.title !== title) document.title = title;
}

whenChanged(redraw);
addEventListener("popstate", route);
addEventListener("keydown", (event) => model.replay?.tape && !model.sheet && replayKeys(event, context()));
setInterval(loadRooms, ROOMS_EVERY);
setInterval(() => tick(model.replay ? null : model.room?.state), 200);
armSize(redraw);
armKeys();
armSounds();
applyPreferences();
begin();
loadGames();
loadEntrance();
