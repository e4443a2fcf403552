/** A room on the screen: the bar above, what interrupts, the waiting room or the table, the log, the result. */

import { isPending, mySeat, nameOf, seatOf, withNames } from "../state.js";
import { unread } from "../preferences.js";
import { tableOf } from "../tables/registry.js";
import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { checkFair } from "./fair.js";
import { low, wide } from "./size.js";
import { avatar, waiting } from "./waiting.js";

/** @param {import("../types/page").RoomContext} ctx */
export function room(ctx) {
  const { state, act } = ctx;
  if (state.bye) return ended(ctx);
  if (!state.room) return h("main.alone", { key: "opening" }, h("p", null, "방에 들어가고 있어요"), h("button", { type: "button", onclick: act.toLobby }, "돌아가기"));
  const atTable = state.view !== null && !ctx.ui.lobby && (state.room.status === "playing" || state.room.status === "finished");
  return h("div.room", { key: "room", class: atTable && "playing" },
    bar(ctx, atTable),
    banner(state),
    atTable ? table(ctx) : waiting(ctx),
    atTable && state.room.status === "finished" && !ctx.ui.hideResult && result(ctx));
}

function bar(ctx, atTable) {
  const { state, act } = ctx;
  const { room, view } = state;
  return h("header.bar", { key: "bar" },
    h("button.round.quiet", { type: "button", onclick: act.askLeave, "aria-label": "나가기" }, icon("back")),
    h("span.grow", null, h("strong", null, room.title), h("small", null, room.code)),
    mySeat(state) < 0 && h("span.badge", null, icon("eye"), "구경 중"),
    atTable && room.status === "finished" && h("button.quiet", { key: "result", type: "button", onclick: act.showResult }, "결과"),
    !atTable && view !== null && room.status === "finished" && h("button.quiet", { key: "table", type: "button", onclick: act.showTable }, "판 보기"),
    atTable && h("button.round.quiet.narrow", { key: "log", type: "button", onclick: act.openLog, "aria-label": "기록" }, icon("list")),
    h("button.round.quiet", { key: "rules", type: "button", onclick: () => act.openRules(room.game, room.options), "aria-label": "규칙" }, icon("help")),
    h("button.round.quiet", { key: "menu", type: "button", onclick: act.openMenu, "aria-label": "메뉴" }, icon("gear")));
}

/** What stands between the player and the room just now. */
function banner(state) {
  if (state.link !== "open" && state.lost > 0) {
    return h("p.banner", { key: "banner", role: "status" }, h("i.spinner"), state.why ?? "다시 연결하고 있어요");
  }
  if (state.paused) {
    return h("p.banner", { key: "banner", role: "status" }, h("i.spinner"), state.paused.message || "방이 잠시 멈췄어요");
  }
  return null;
}

const tableIn = ({ state, plain, redraw }) => tableOf(state.room.game, plain, redraw);

/**
 * A table with the log beside it. A replay is framed by the same, and has its controls below the table.
 *
 * @param {any} ctx
 * @param {import("../types/page").VNode | null} below
 */
export function table(ctx, below = null) {
  const own = tableIn(ctx);
  return h("div.around", { key: "table" },
    h("div.board", null,
      own && !ctx.replay && mySeat(ctx.state) >= 0 && !(low() && picking(ctx.ui)) && hint(own.hints?.(ctx.state) ?? [], ctx),
      own ? own.table(ctx) : own === null ? h("main.alone", null, h("p", { role: "status" }, "판을 펴고 있어요")) : unavailable(),
      below),
    wide() && h("aside.log", { "aria-label": "기록" }, h("h2", null, "기록"), log(ctx)));
}

/** A browser does not try again what a page could not import, and a page of an older version may fit no newer table. */
const unavailable = () => h("main.alone", { key: "unavailable" }, h("p", { role: "alert" }, "판을 가져오지 못했어요"), h("button.primary", { type: "button", onclick: () => location.reload() }, "새로 고침"));

/** Whoever has picked up a card looks for where it can go: nothing may lie over that. */
const picking = ({ picked }) => (Array.isArray(picked) ? picked.length > 0 : (picked ?? null) !== null);

/** One thing at a time for who plays this for the first time. */
function hint(hints, { act }) {
  const one = unread(hints);
  return one && h("div.coach", { key: `coach ${one.id}`, role: "note" }, icon("bulb"), h("p", null, one.text), h("button", { type: "button", onclick: () => act.markRead(one.id) }, "알겠어요"));
}

/** The newest line first: the style sheet turns it round, so that the browser itself stays at its end. */
function log(ctx) {
  const { state } = ctx;
  const table = tableIn(ctx);
  const name = (player) => nameOf(state, player);
  return h("ol", null, table && state.log.slice(-SHOWN).reverse().map((entry) => {
    if (!lines.has(entry)) {
      const text = table.describe(entry.event, name, state.view);
      lines.set(entry, text && h("li", { key: String(entry.n), class: entry.event.type }, text));
    }
    return lines.get(entry);
  }));
}

const SHOWN = 200; // events of the log

/** Each line as it was described when it happened; null: not worth one. */
const lines = new WeakMap();

export const logSheet = (ctx) => sheet({ title: "기록", close: ctx.act.closeSheet, cls: "logsheet" }, log(ctx));

// ---------------------------------------------------------------- after a game

function result(ctx) {
  const { state, act } = ctx;
  const { room, view } = state;
  const mine = mySeat(state);
  const found = view.result ?? null;
  const winners = [found?.winner ?? found?.winners ?? []].flat();
  const won = winners.includes(state.you.player);
  const people = room.seats.filter((seat) => seat && !seat.bot);
  const ready = people.filter((seat) => seat.ready);
  const meReady = mine >= 0 && room.seats[mine]?.ready;
  return sheet({ title: won ? "이겼어요!" : "한 판 끝", close: act.hideResult, key: "result", cls: ["result", won && "won"] },
    h("p.summary", null, found?.summary ? withNames(state, found.summary) : winners.length > 0 && `승자: ${winners.map((player) => nameOf(state, player)).join(", ")}`),
    found?.ranking && h("ol.ranking", null, found.ranking.map((line) => rank(line, state, tableIn(ctx)))),
    details(ctx),
    checkFair(room.games - 1, ctx),
    h("p.hint", { "aria-live": "polite" }, mine < 0 ? "" : meReady ? `${ready.length}/${people.length}명이 한 판 더 하려고 해요` : "모두 누르면 바로 다음 판이 시작돼요"),
    h("div.buttons", null,
      h("button", { type: "button", onclick: act.showLobby }, "대기실"),
      h("button", { type: "button", onclick: () => act.watchAgain(room.games - 1) }, icon("replay"), "다시 보기"),
      mine >= 0
        ? h("button.wide", { type: "button", class: meReady ? "good" : "primary", disabled: isPending(state, "ready"), "aria-pressed": String(Boolean(meReady)), onclick: () => act.say({ type: "ready", ready: !meReady }) }, meReady && icon("check"), "한 판 더")
        : h("button.primary.wide", { type: "button", onclick: act.askLeave }, "나가기")));
}

/** What the game itself finds worth telling of it. */
function details(ctx) {
  const { state } = ctx;
  const events = state.sawAll ? state.log.map(({ event }) => event) : null;
  const own = tableIn(ctx);
  const told = (state.view.result && own && own.details?.(state.view, (player) => nameOf(state, player), events)) || [];
  return told.length > 0 && h("dl.details", null, told.map(([what, which]) => h("div", { key: what }, h("dt", null, what), h("dd", null, which))));
}

function rank(line, state, table) {
  const { player, rank: place } = line;
  const { seat, index } = seatOf(state, player);
  const score = table?.score?.(line, state.view);
  const winning = [state.view.result.winner ?? state.view.result.winners ?? []].flat().includes(player);
  return h("li", { key: player, class: player === state.you.player && "me" },
    h("b", null, String(place)), avatar(seat, index), h("span.grow", null, seat.name, winning && icon("crown", "host")),
    score && h("small", null, score),
    seat.ready && !seat.bot && icon("check", "good"));
}

// ---------------------------------------------------------------- the end

const ENDINGS = {
  replaced: "다른 창에서 이어서 하고 있어요",
  kicked: "방장이 내보냈어요",
  left: "방에서 나왔어요",
  closed: "방이 닫혔어요",
  not_public: "구경할 수 없는 방이에요",
  room_full: "빈자리가 없어요",
  bad_version: "앱이 새로워졌어요. 페이지를 새로 고쳐 주세요",
};

const SIGNS = { replaced: "copy", not_public: "eye", room_full: "people", bad_version: "replay" };

function ended({ state, act }) {
  const { code, message } = state.bye;
  const locked = code === "locked" || code === "wrong_key";
  return h("main.alone", { key: "ended" },
    icon(SIGNS[code] ?? "door", "large"),
    h("p", { role: "alert" }, message || ENDINGS[code] || "방과 연결이 끝났어요"),
    locked && h("form.row", { onsubmit: (event) => (event.preventDefault(), act.unlock(event.target.password.value)) },
      h("input", { name: "password", maxlength: "32", autocomplete: "off", enterkeyhint: "go", "aria-label": "방 비밀번호" }),
      h("button.primary", null, "입장")),
    h("div.buttons", null,
      h("button", { type: "button", onclick: act.toLobby }, "처음으로"),
      code === "replaced" && h("button.primary", { type: "button", onclick: act.again }, "여기서 이어 하기"),
      ["bad_version", "bad_token", "too_big", "bad_message"].includes(code) && h("button.primary", { type: "button", onclick: () => location.reload() }, "새로 고침"),
      ["quarantined", "crowded", "idle"].includes(code) && h("button.primary", { type: "button", onclick: act.again }, "다시 해 보기")));
}
