/** The room before, between and after games: who sits where, and what the host may do. */

import { amHost, isPending, mySeat } from "../state.js";
import { question, sheet } from "./dialog.js";
import { h } from "./dom.js";
import { fields, password, stepper, toggle } from "./form.js";
import { icon } from "./icons.js";
import { qrOf } from "./invite.js";
import { chosen, fieldsOf, summary, valuesOf } from "./schema.js";
import { wide } from "./size.js";

/** @param {import("../types/page").RoomContext} ctx */
export function waiting(ctx) {
  const { state, game, act } = ctx;
  const { room } = state;
  const mine = mySeat(state);
  return h("main.waiting", { key: "waiting" },
    h("section.card.invite", { "aria-label": "초대" },
      h("div", null, h("small", null, "초대 코드"), h("strong.code", null, room.code)),
      h("button", { type: "button", onclick: act.openInvite }, icon("qr"), "초대하기"),
      h("button.round", { type: "button", onclick: act.copyLink, "aria-label": "링크 복사" }, icon("copy")),
      wide() && qrOf(act.invitation()) && h("figure", null, qrOf(act.invitation()), h("figcaption.hint", null, "카메라로 비추면 바로 들어와요"))),
    seeking(ctx, mine),
    h("ol.seats", { "aria-label": "자리" }, room.seats.map((seat, i) => h("li", { key: String(i) }, seat ? taken(seat, i, ctx) : free(i, ctx, mine)))),
    room.watching > 0 && h("p.watching", null, icon("eye"), `${room.watching}명이 구경하고 있어요`),
    settings(room, game, amHost(state), act),
    finished(room) >= 0 && h("button.quiet.again", { key: "again", type: "button", onclick: () => act.watchAgain(finished(room)) }, icon("replay"), "지난 판 다시 보기"),
    h("footer.bar", null, bottom(ctx, mine)));
}

const SEEKS_FOR = 8000; // ms until bots are offered to somebody who waits alone in an open room

/** A host in a room that is open to all, with too few to play: it says that others are looked for, then offers bots. */
function seeking(ctx, mine) {
  const { state, ui, act, redraw } = ctx;
  const { room } = state;
  const count = room.seats.filter(Boolean).length;
  const others = room.seats.some((seat, i) => seat && !seat.bot && i !== mine);
  if (!room.public || !amHost(state) || mine < 0 || others || count >= room.minPlayers) return null;
  const now = performance.now();
  if (ui.seeksSince === undefined) (ui.seeksSince = now), setTimeout(redraw, SEEKS_FOR + 50);
  const bots = Math.min(room.seats.length, Math.max(room.minPlayers, 3)) - count;
  const sending = isPending(state, "addBot") || isPending(state, "start");
  if (now - ui.seeksSince < SEEKS_FOR) return h("section.card.seeking", { key: "seeking", role: "status" }, h("i.spinner"), h("p", null, h("strong", null, "같이 할 사람을 찾고 있어요"), h("small", null, "열린 방 목록에 이 방이 보여요")));
  return h("section.card.seeking.offer", { key: "offer", role: "status" },
    h("p", null, h("strong", null, "아직 아무도 오지 않았어요"), h("small", null, "봇과 먼저 한 판 해도 좋아요. 더 기다려도 돼요")),
    h("button.primary", { type: "button", disabled: sending, onclick: () => act.startWithBots(bots) }, icon("bot"), `봇 ${bots}명과 시작`));
}

/** The number of the last game that is over; −1 where there is none. */
const finished = (room) => room.games - (room.status === "playing" ? 2 : 1);

function taken(seat, index, { state, act }) {
  const { room, you } = state;
  const me = seat.player === you.player;
  const tools = amHost(state) && !me;
  const mark = seat.player === room.host ? "방장" : "";
  return h("div.seat", { class: [me && "me", !seat.online && "away", seat.ready && "ready"] },
    avatar(seat, index),
    h("span.grow", null,
      h("strong", null, seat.name, me && h("em", null, " 나")),
      !seat.bot && h("small", null, !seat.online ? "연결이 끊겼어요" : seat.left ? "나갔어요" : mark || (seat.ready ? "준비됐어요" : "준비 중이에요"))),
    seat.player === room.host && icon("crown", "host"),
    seat.ready && !seat.bot && icon("check", "good"),
    tools && h("button.round.quiet", { type: "button", onclick: () => act.openSeat(seat.player), "aria-label": `${seat.name} 님 자리 관리` }, icon("gear")));
}

function free(index, { state, act }, mine) {
  const host = amHost(state);
  return h("div.seat.free", null,
    h("span.avatar", { "aria-hidden": "true" }, String(index + 1)),
    h("span.grow", null, "빈자리"),
    mine < 0 && h("button", { type: "button", onclick: () => act.say({ type: "sit", seat: index }) }, "앉기"),
    host && mine >= 0 && h("button", { type: "button", onclick: () => act.say({ type: "addBot", seat: index }) }, icon("bot"), "봇 추가"));
}

/** A first letter in the colour of the seat. */
export function avatar(seat, index) {
  return h("span.avatar", { class: index >= 0 && `tint${index % 6}`, "aria-hidden": "true" }, seat.bot ? icon("bot") : [...seat.name][0]);
}

function settings(room, game, host, act) {
  const phrases = game ? summary(fieldsOf(game.options), room.options) : [];
  const about = [room.public ? "공개 방" : "비공개 방", ...(room.locked ? ["비밀번호"] : []), room.spectators ? "구경 허용" : "구경 안 됨", ...(room.autoStart ? ["차면 바로 시작"] : [])];
  return h("section.card.settings", { "aria-label": "설정" },
    h("div.grow", null, h("strong", null, room.title), h("p", null, [...about, ...(phrases.length ? phrases : ["기본 규칙"])].join(" · "))),
    host && h("button", { type: "button", onclick: act.openSettings }, icon("gear"), "바꾸기"));
}

function bottom({ state, act }, mine) {
  const { room } = state;
  const { seats } = room;
  const count = seats.filter(Boolean).length;
  if (room.deal && !room.deal.begun) return h("p.hint", { role: "status" }, h("i.spinner"), "카드를 봉인하고 섞고 있어요");
  if (mine < 0) {
    return h("button.primary.wide", { type: "button", disabled: count >= seats.length, onclick: () => act.say({ type: "sit" }) },
      count >= seats.length ? "빈자리가 없어요. 구경하고 있어요" : "앉아서 같이 하기");
  }
  const stand = h("button", { type: "button", onclick: () => act.say({ type: "stand" }) }, "일어나기");
  if (!amHost(state)) {
    const { ready } = seats[mine];
    return [stand, h("button.wide", { type: "button", class: ready ? "good" : "primary", "aria-pressed": String(ready), onclick: () => act.say({ type: "ready", ready: !ready }) },
      ready && icon("check"), ready ? "준비됐어요" : "준비")];
  }
  const unready = seats.filter((seat) => seat && !seat.bot && !seat.ready && seat.player !== room.host);
  const lacking = Math.max(0, room.minPlayers - count);
  const why = lacking > 0 ? `${lacking}명 더 있어야 해요` : unready.length > 0 ? `${unready.length}명이 아직 준비 중이에요` : "";
  return [stand, h("button.primary.wide", { type: "button", disabled: why !== "" || isPending(state, "start"), onclick: () => act.say({ type: "start" }) }, why || "시작")];
}

// ---------------------------------------------------------------- the host's sheets

export function seatSheet({ state, act }, player) {
  const seat = state.room.seats.find((one) => one?.player === player);
  if (!seat) return null;
  const doing = (message) => () => (act.closeSheet(), act.say({ ...message, player }));
  return sheet({ title: seat.name, close: act.closeSheet, cls: "small" },
    !seat.bot && h("button.wide", { type: "button", onclick: doing({ type: "host" }) }, icon("crown"), "방장 넘기기"),
    h("button.wide.danger", { type: "button", onclick: doing({ type: "kick" }) }, icon("door"), seat.bot ? "봇 빼기" : "내보내기"),
    !seat.bot && h("p.hint", null, "내보낸 사람은 이 방에 다시 들어올 수 없어요."));
}

export function settingsSheet({ state, game, act }, draft) {
  const { room } = state;
  const list = game ? fieldsOf(game.options) : [];
  const values = valuesOf(list, draft.options);
  const set = act.editDraft;
  const taken = room.seats.filter(Boolean).length;
  return sheet({ title: "방 설정", close: act.closeSheet, key: "settings" },
    h("div.scroll", null,
      h("div.field.across", null, h("span.label", null, "자리"), stepper(draft.seats, Math.max(room.minPlayers, taken), room.maxPlayers, (n) => set({ seats: n }), "자리")),
      toggle("공개 방", draft.public, (on) => set({ public: on }), "열린 방 목록에 보여요"),
      toggle("구경 허용", draft.spectators, (on) => set({ spectators: on })),
      toggle("자리가 차면 바로 시작", draft.autoStart, (on) => set({ autoStart: on })),
      toggle("비밀번호로 잠그기", draft.locked, (on) => set({ locked: on }), "초대 링크로는 비밀번호 없이 들어와요"),
      draft.locked && password(draft.password, (text) => set({ password: text })),
      h("h3", null, "게임 설정"),
      fields(list, values, (key, value) => set({ options: chosen(list, { ...values, [key]: value }) }))),
    h("div.buttons", null,
      h("button.danger", { type: "button", onclick: act.askClose }, "방 닫기"),
      h("button.primary.wide", { type: "button", onclick: () => act.saveSettings(draft) }, "저장")));
}

export const closeQuestion = ({ act }) =>
  question({ title: "방을 닫을까요?", text: "모두 방에서 나가게 돼요.", yes: "닫기", danger: true, then: () => act.say({ type: "close" }), close: act.closeSheet });

export const leaveQuestion = ({ state, act }) =>
  question({
    title: "방에서 나갈까요?",
    text: state.room?.status === "playing" && mySeat(state) >= 0 ? "게임 중에 나가면 돌아올 수 없고, 남은 차례는 자동으로 진행돼요." : "",
    yes: "나가기",
    danger: true,
    then: act.leave,
    close: act.closeSheet,
  });
