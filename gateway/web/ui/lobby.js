/** The first screen: a name, the games, a code to come in by, and rooms that are open to all. */

import { isAccount } from "../identity.js";
import { h } from "./dom.js";
import { icon, logo, suitMark } from "./icons.js";

/** @param {import("../types/page").PageContext} ctx */
export function lobby({ me, lobby, act }) {
  return h("main.lobby", { key: "lobby" },
    h("header.top", null,
      h("h1", null, logo(), "한판"),
      (lobby.entrance.guests || isAccount()) && h("label.name", null, icon("person"),
        h("input", { value: me.name, readOnly: isAccount(), maxlength: "20", autocomplete: "nickname", enterkeyhint: "done", "aria-label": isAccount() ? "계정의 이름" : "이름", onchange: (event) => act.rename(event.target.value) })),
      h("button.round.quiet", { type: "button", onclick: act.openMenu, "aria-label": "설정" }, icon("gear"))),
    h("div.ways", { key: "ways" },
      (me.token === null || !isAccount()) && signInButton(lobby, act),
      lobby.last && comeBack(lobby.last, act)),
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
      PITCHES[game.id] && h("p.pitch", null, PITCHES[game.id]),
      h("p.facts", null,
        h("span", null, icon("people"), `${game.minPlayers}~${game.maxPlayers}명`),
        h("span", null, icon("clock"), from === to ? `${from}분` : `${from}~${to}분`),
        ADULT.has(game.id) && h("span.adult", null, "어른용"))),
    h("button.round.quiet", { type: "button", onclick: () => act.openRules(game.id), "aria-label": `${game.title} 규칙` }, icon("book")),
    h("div.buttons", null,
      h("button.primary", { type: "button", disabled: busy, onclick: () => act.quick(game.id) },
        icon("bolt"), lobby.busy === `quick ${game.id}` ? "찾는 중…" : "빠른 대전"),
      h("button", { type: "button", disabled: busy, onclick: () => act.openCreate(game.id) }, icon("plus"), "방 만들기")));
}

/** What a game is, in a line; of one that came from elsewhere its title has to say it. */
const PITCHES = {
  bang: "정체를 숨긴 총잡이들의 결투",
  "ninety-nine": "99를 넘기면 지는 눈치 싸움",
  "parlett-ninety-nine": "딸 트릭을 미리 맞히는 승부",
  seotda: "화투 두 장에 거는 배짱",
};

/** Games that children would better not be offered: they play for chips, though these are worth nothing outside a room. */
export const ADULT = new Set(["seotda"]);

/** A card with the game's first sign, until a game has a picture of its own. */
function emblem(game) {
  const sign = { "ninety-nine": "99", "parlett-ninety-nine": ["C", "H", "S", "D"].map((suit) => suitMark(suit)), bang: icon("star"), seotda: h("b", null, "광") }[game.id] ?? game.title.slice(0, 1);
  return h("div.emblem", { "aria-hidden": "true", class: Array.isArray(sign) && "four" }, h("span", null, sign));
}

function byCode(lobby, act) {
  return h("form.card.bycode", { key: "bycode", onsubmit: (event) => (event.preventDefault(), act.enter(event.target.code.value)) },
    h("label", { for: "code" }, "초대 코드"),
    h("input.code", { id: "code", name: "code", maxlength: "9", placeholder: "ABC234", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", enterkeyhint: "go" }),
    h("button.primary", { disabled: lobby.busy !== null }, "입장"));
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
