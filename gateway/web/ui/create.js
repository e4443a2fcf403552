/** A room is made: its seats, who may come, and the game's own options. */

import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { fields, password, stepper, toggle } from "./form.js";
import { ADULT } from "./lobby.js";
import { presetsOf } from "./rules.js";
import { chosen, fieldsOf, valuesOf } from "./schema.js";

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
      toggle("비밀번호로 잠그기", wish.password !== undefined, (on) => set({ password: on ? "" : undefined }), "초대 링크로는 비밀번호 없이 들어와요"),
      wish.password !== undefined && password(wish.password, (text) => set({ password: text })),
      h("h3", null, "게임 설정"),
      presets(presetsOf(wish.game, redraw), wish, set),
      fields(list, values, (key, value) => set({ options: chosen(list, { ...values, [key]: value }) }))),
    h("div.buttons", null,
      h("button.primary.wide", { type: "button", disabled: lobby.busy !== null, onclick: () => act.create(wish) }, lobby.busy === "create" ? "만드는 중…" : "방 만들기")));
}
