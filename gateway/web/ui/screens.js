/** Every screen but the lobby, every sheet that lies over the page, and what of keys, sounds and clocks goes with them. */

import { tick } from "../senses.js";
import { createSheet } from "./create.js";
import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { fairSheet } from "./fair.js";
import { inviteSheet } from "./invite.js";
import { armKeys, keepPlace } from "./keys.js";
import { signInButton } from "./lobby.js";
import { menuSheet } from "./menu.js";
import { replay, replayKeys } from "./replay.js";
import { logSheet, room } from "./room.js";
import { rulesSheet } from "./rules.js";
import { armSize } from "./size.js";
import { armSounds } from "./sound.js";
import { closeQuestion, leaveQuestion, seatSheet, settingsSheet } from "./waiting.js";

const TICK = 200; // ms

/** @type {Record<string, (sheet: import("../types/page").Sheet, ctx: any) => import("../types/page").VNode | null>} */
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

/** What fills the page: a game that is watched again, or the room; null: neither. @param {any} ctx */
export const screen = (ctx) => (ctx.watched ? replay(ctx) : ctx.state ? room(ctx) : null);

/** What lies over it. @param {import("../types/page").Sheet} about @param {any} ctx */
export const over = (about, ctx) => SHEETS[about.kind](about, ctx);

/** For someone who comes by a link and has not been here before, or is no longer signed in. */
function nameSheet({ me, lobby, act }, code) {
  return sheet({ title: "한판에 어서 오세요", cls: "small" },
    signInButton(lobby, act),
    lobby.entrance.guests && h("form", { onsubmit: (event) => (event.preventDefault(), act.enterAs(event.target.who.value, code)) },
      h("label.field", null, h("span.label", null, "다른 사람에게 보일 이름"), h("input", { name: "who", value: me.name, maxlength: "20", autocomplete: "nickname" })),
      h("div.buttons", null, h("button.primary.wide", null, `${code} 방에 들어가기`))));
}

/**
 * To be called once, before any of it is drawn.
 *
 * @param {() => any} context what views are given just now @param {() => void} redraw
 */
export function arm(context, redraw) {
  armSize(redraw);
  armKeys();
  armSounds();
  setInterval(() => tick(asked(context())), TICK);
  addEventListener("keydown", (event) => {
    const ctx = context();
    if (ctx.watched?.tape && document.querySelector("dialog[open]") === null) replayKeys(event, ctx);
  });
}

/** The room whose clock may tick: not while a game is watched again in front of it. */
const asked = ({ watched, state }) => (watched ? null : state);

/** To be called after each drawing. */
export const drawn = keepPlace;
