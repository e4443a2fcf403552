/** What is heard, felt and read out of a room: for who cannot watch the table all the time, or cannot see it. */

import { left } from "./net/countdown.js";
import { preferences } from "./preferences.js";
import { nameOf } from "./state.js";
import { announce } from "./ui/dom.js";
import { sound } from "./ui/sound.js";

const LAST_SECONDS = 3;
const MOST = 4; // lines read out at once: who was away does not want to hear it all

export const play = (name) => preferences.sound && sound(name);

/** Browsers let a page shake the phone only after somebody has touched it. @param {number | number[]} pattern */
const shake = (pattern) => preferences.vibration && navigator.userActivation?.hasBeenActive && navigator.vibrate?.(pattern);

/** At the end of a round or a hand all that is asked is to go on: nobody need be called to that. */
const asked = ({ decision, view }) => decision > 0 && !/End$/.test(view?.phase ?? "");

/** A message has made `after` of `before`: what of it is to be noticed. `table` is the game's, once it is here. */
export function notice(before, after, table) {
  const lines = told(before, after, table);
  const turn = (state) => (state.room?.status === "playing" ? state.view?.current : undefined);
  const me = after.you?.player;
  if (asked(after) && !asked(before)) {
    shake(60);
    play("turn");
    lines.push("내 차례예요");
  } else if (turn(after) !== turn(before) && typeof turn(after) === "string" && turn(after) !== me) {
    lines.push(`${nameOf(after, turn(after))} 님 차례`);
  }
  if (after.room?.status === "finished" && before.room?.status === "playing") {
    const won = [after.view?.result?.winner ?? after.view?.result?.winners ?? []].flat().includes(me);
    play(won ? "win" : "end");
    shake(won ? [40, 60, 40, 60, 120] : 120);
    lines.push("게임이 끝났어요");
  }
  if (lines.length) announce(lines.join(". "));
}

/** The sounds of what happened, one at most; and its lines, to be read out. */
function told(before, after, table) {
  const news = after.log.filter(({ n }) => n > before.logged).slice(-MOST);
  const me = after.you?.player;
  const heard = news.map(({ event }) => table?.sound?.(event, me)).filter(Boolean);
  if (heard.length) play(heard.at(-1));
  if (heard.includes("hurt") || heard.includes("bang")) shake(90);
  return news.map(({ event }) => table?.describe(event, (player) => nameOf(after, player), after.view)).filter(Boolean);
}

let ticked = 0;

/** The last seconds of one's own turn tick. To be called a few times a second. */
export function tick(state) {
  const ms = state?.decision > 0 && state.room?.status === "playing" ? left(state.clock, performance.now()) : null;
  const second = ms === null || ms > LAST_SECONDS * 1000 ? 0 : Math.ceil(ms / 1000);
  if (second > 0 && second !== ticked) {
    play("tick");
    if (second === LAST_SECONDS) shake(30);
  }
  ticked = second;
}
