/** The first screen: a name, the games, a code to come in by, and rooms that are open to all. */

import { isAccount } from "../identity.js";
import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { fields, password, stepper, toggle } from "./form.js";
import { suitMark } from "./cards.js";
import { icon, logo } from "./icons.js";
import { presetsOf } from "./rules.js";
import { chosen, fieldsOf, valuesOf } from "./schema.js";

/** @param {import("../types/page").PageContext} ctx */
export function lobby({ me, lobby, act }) {
  return h("main.lobby", { key: "lobby" },
    h("header.top", null,
      h("h1", null, logo(), "한판"),
      (lobby.entrance.guests || isAccount()) && h("label.name", null, icon("person"),
        h("input", { value: me.name, readOnly: isAccount(), maxlength: "20", autocomplete: "nickname", enterkeyhint: "done", "aria-label": isAccount() ? "계정의 이름" : "이름", onchange: (event) => act.rename(event.target.value) })),
      h("button.round.quiet", { type: "button", onclick: act.openMenu, "aria-label": "설정" }, icon("gear"))),
    (me.token === null || !isAccount()) && signInButton(lobby, act),
    lobby.last && comeBack(lobby.last, act),
    h("section", { key: "games", "aria-label": "게임" },
      lobby.games === null && h("div.card.waiting", null, lobby.error ?? "게임을 불러오고 있어요"),
      (lobby.games ?? []).map((game) => gameCard(game, lobby, act))),
    byCode(lobby, act),
    rooms(lobby, act));
}

/** Where the deployment has accounts, and says where one signs in; or no guests, and does not. */
export const signInButton = ({ entrance, busy }, act) =>
  !entrance.signIn ? !entrance.guests && h("p.empty", { key: "signin" }, "로그인한 사람만 들어올 수 있어요") : h("button.card.return", { key: "signin", type: "button", disabled: busy !== null, onclick: act.signIn },
    icon("person"), h("span", null, h("strong", null, "로그인"), h("small", null, entrance.guests ? "어느 기기에서나 같은 사람으로 만나요" : "로그인한 사람만 들어올 수 있어요")));

function comeBack(last, act) {
  return h("button.card.return", { key: "return", type: "button", onclick: () => act.enter(last.code) },
    icon("door"), h("span", null, h("strong", null, "하던 방으로 돌아가기"), h("small", null, `${last.title} · ${last.code}`)));
}

function gameCard(game, lobby, act) {
  const [from, to] = game.minutes;
  const busy = lobby.busy !== null;
  return h("article.card.game", { key: game.id, class: `of-${game.id}` },
    emblem(game),
    h("div", null,
      h("h2", null, game.title),
      h("p.facts", null,
        h("span", null, icon("people"), `${game.minPlayers}~${game.maxPlayers}명`),
        h("span", null, icon("clock"), from === to ? `${from}분` : `${from}~${to}분`),
        ADULT.has(game.id) && h("span.adult", null, "어른용"))),
    h("div.buttons", null,
      h("button.primary", { type: "button", disabled: busy, onclick: () => act.quick(game.id) },
        icon("bolt"), lobby.busy === `quick ${game.id}` ? "찾는 중…" : "빠른 대전"),
      h("button", { type: "button", disabled: busy, onclick: () => act.openCreate(game.id) }, icon("plus"), "방 만들기"),
      h("button.round.quiet", { type: "button", onclick: () => act.openRules(game.id), "aria-label": `${game.title} 규칙` }, icon("book"))));
}

/** Games that children would better not be offered: they play for chips, though these are worth nothing outside a room. */
const ADULT = new Set(["seotda"]);

/** A card with the game's first sign, until a game has a picture of its own. */
function emblem(game) {
  const sign = { "ninety-nine": "99", "parlett-ninety-nine": ["C", "H", "S", "D"].map((suit) => suitMark(suit)), bang: icon("star"), seotda: "光" }[game.id] ?? game.title.slice(0, 1);
  return h("div.emblem", { "aria-hidden": "true", class: Array.isArray(sign) && "four" }, h("span", null, sign));
}

function byCode(lobby, act) {
  return h("form.card.bycode", { key: "bycode", onsubmit: (event) => (event.preventDefault(), act.enter(event.target.code.value)) },
    h("label", { for: "code" }, "초대 코드로 들어가기"),
    h("div.row", null,
      h("input.code", { id: "code", name: "code", maxlength: "9", placeholder: "ABC234", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", enterkeyhint: "go" }),
      h("button.primary", { disabled: lobby.busy !== null }, "입장")));
}

function rooms(lobby, act) {
  const titles = Object.fromEntries((lobby.games ?? []).map((game) => [game.id, game.title]));
  return h("section.rooms", { key: "rooms", "aria-labelledby": "rooms-title" },
    h("h2", { id: "rooms-title" }, "열린 방"),
    lobby.rooms?.length === 0 && h("p.empty", null, "지금은 열린 방이 없어요. 방을 만들면 여기에 보여요."),
    h("ul", null, (lobby.rooms ?? []).map((room) => h("li", { key: room.id }, roomLine(room, titles, act)))));
}

const STATUS = { waiting: "기다리는 중", playing: "게임 중", finished: "한 판 끝남" };

function roomLine(room, titles, act) {
  const full = room.taken >= room.seats;
  const watch = room.status === "playing" || full;
  return h("button.card.line", { type: "button", disabled: watch && !room.spectators, onclick: () => act.open(room, watch ? "watch" : "seat") },
    h("span.grow", null,
      h("strong", null, room.hostName ? `${room.hostName} 님의 방` : `${room.code} 방`),
      h("small", null, `${titles[room.game] ?? room.game} · ${STATUS[room.status] ?? ""}${room.locked ? " · 비밀번호" : ""}`)),
    h("span.count", { class: full && "full" }, `${room.taken}/${room.seats}`),
    h("span.go", null, watch ? (room.spectators ? "구경" : "게임 중") : "들어가기"));
}

// ---------------------------------------------------------------- making a room

/** Sets of options to begin with; what is chosen below stays free. */
function presets(list, wish, set) {
  const same = (options) => JSON.stringify(wish.options) === JSON.stringify(options);
  return list.length > 0 && h("div.presets", { key: "presets", role: "group", "aria-label": "추천 설정" },
    [{ title: "기본", options: {} }, ...list].map(({ title, options }) => h("button", { key: title, type: "button", "aria-pressed": String(same(options)), onclick: () => set({ options }) }, title)));
}

export function createSheet({ lobby, act, redraw }, wish) {
  const game = lobby.games.find(({ id }) => id === wish.game);
  const list = fieldsOf(game.options);
  const values = valuesOf(list, wish.options);
  const set = (change) => act.editWish(change);
  const seats = wish.seats ?? game.maxPlayers;
  return sheet({ title: `${game.title} 방 만들기`, close: act.closeSheet, key: "create" },
    h("div.scroll", null,
      ADULT.has(wish.game) && h("p.hint.only", { key: "adult" }, "어른들의 놀이예요. 칩은 이 방에서만 쓰는 표시이고, 돈이나 상품과 바꿀 수 없어요."),
      h("div.field.across", null, h("span.label", null, "자리"), stepper(seats, game.minPlayers, game.maxPlayers, (n) => set({ seats: n, bots: Math.min(wish.bots, n - 1) }), "자리")),
      h("div.field.across", null, h("span.label", null, "봇", h("span.hint", null, "빈자리를 채워요")), stepper(wish.bots, 0, seats - 1, (n) => set({ bots: n }), "봇")),
      toggle("공개 방", wish.public, (on) => set({ public: on }), "열린 방 목록에 보여요"),
      toggle("구경 허용", wish.spectators, (on) => set({ spectators: on })),
      toggle("자리가 차면 바로 시작", wish.autoStart, (on) => set({ autoStart: on })),
      password(wish.password ?? "", (text) => set({ password: text })),
      h("h3", null, "게임 설정"),
      presets(presetsOf(wish.game, redraw), wish, set),
      fields(list, values, (key, value) => set({ options: chosen(list, { ...values, [key]: value }) }))),
    h("div.buttons", null,
      h("button.primary.wide", { type: "button", disabled: lobby.busy !== null, onclick: () => act.create(wish) }, lobby.busy === "create" ? "만드는 중…" : "방 만들기")));
}
