/** The sheet behind the gear: what this device does, who is here, and what the host may do. */

import { isAccount } from "../identity.js";
import { amHost, mySeat } from "../state.js";
import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { checkFair } from "./fair.js";
import { toggle } from "./form.js";
import { icon } from "./icons.js";
import { avatar } from "./waiting.js";

/** @param {import("../types/page").PageContext} ctx */
export function menuSheet(ctx) {
  const { state, act, watched } = ctx;
  const room = watched ? null : state?.room;
  return sheet({ title: room ? "메뉴" : "설정", close: act.closeSheet, key: "menu" },
    h("div.scroll", null,
      device(ctx),
      !room && isAccount() && account(act),
      room && [invite(room, act), people(ctx, room)]));
}

function device({ preferences, act }) {
  return h("section", { key: "device", "aria-label": "이 기기" },
    toggle("소리", preferences.sound, (on) => act.prefer({ sound: on })),
    toggle("진동", preferences.vibration, (on) => act.prefer({ vibration: on }), "내 차례가 되면 알려 줘요"),
    toggle("큰 글자", preferences.big, (on) => act.prefer({ big: on })),
    toggle("처음 하는 사람을 위한 도움말", preferences.hints, (on) => act.prefer({ hints: on }), "다시 켜면 처음부터 알려 줘요"));
}

function account(act) {
  return h("section", { key: "account", "aria-label": "계정" },
    h("div.buttons", null, h("button.wide", { type: "button", onclick: act.signOut }, icon("door"), "로그아웃")));
}

function invite(room, act) {
  return h("section", { key: "invite", "aria-label": "초대" }, h("h3", null, "초대"),
    h("div.invite", null, h("strong.code", null, room.code), h("button", { type: "button", onclick: act.openInvite }, icon("qr"), "초대하기")));
}

/** In a game the host can no longer change the rules, but still who is here. */
function people(ctx, room) {
  const { state, act } = ctx;
  const host = amHost(state);
  const seated = room.seats.map((seat, index) => ({ seat, index })).filter(({ seat }) => seat);
  return h("section", { key: "people", "aria-label": "사람" }, h("h3", null, "사람"),
    h("ul.people", null, seated.map(({ seat, index }) => h("li", { key: seat.player },
      avatar(seat, index),
      h("span.grow", null, h("strong", null, seat.name), h("small", null, about(seat, room, state))),
      host && seat.player !== state.you.player && h("button.round.quiet", { type: "button", onclick: () => act.openSeat(seat.player), "aria-label": `${seat.name} 님 자리 관리` }, icon("gear"))))),
    h("p.hint", null, room.watching > 0 ? `${room.watching}명이 구경하고 있어요` : "구경하는 사람이 없어요"),
    room.status === "playing" && checkFair(room.games - 1, ctx),
    h("div.buttons", null,
      host && room.status !== "playing" && h("button", { type: "button", onclick: act.openSettings }, icon("gear"), "방 설정"),
      host && h("button.danger", { type: "button", onclick: act.askClose }, "방 닫기"),
      h("button.danger.wide", { type: "button", onclick: act.askLeave }, icon("door"), mySeat(state) < 0 ? "나가기" : "방에서 나가기")));
}

const about = (seat, room, state) =>
  [seat.player === state.you.player && "나", seat.player === room.host && "방장", seat.bot && "봇", seat.left ? "나갔어요" : !seat.online && "연결이 끊겼어요"].filter(Boolean).join(" · ");
