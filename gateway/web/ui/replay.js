/** 다시 보기 on the screen: the game's own table, and below it what a video has. */

import { anyChapter, chapterAt, chapters, SPEEDS, stateAt } from "../replay.js";
import { loadedTable } from "../tables/registry.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { table } from "./room.js";

/** @param {import("../types/page").PageContext & {watched: import("../types/page").Replay}} ctx */
export function replay(ctx) {
  const { watched, game, act } = ctx;
  const title = game?.title ?? "";
  return h("div.room.playing.replaying", { key: "replay" },
    h("header.bar", { key: "bar" },
      h("button.round.quiet", { type: "button", onclick: act.closeReplay, "aria-label": "다시 보기 끝내기" }, icon("back")),
      h("span.grow", null, h("strong", null, "다시 보기"), h("small", null, `${title} ${watched.number + 1}번째 판`)),
      goesOn(ctx),
      h("button.round.quiet", { type: "button", onclick: () => act.openRules(watched.room.game), "aria-label": "규칙" }, icon("help")),
      h("button.round.quiet", { type: "button", onclick: act.openMenu, "aria-label": "메뉴" }, icon("gear"))),
    watched.refusal ? refused(watched, act) : watched.tape ? tape(ctx, title) : h("main.alone", null, h("p", { role: "status" }, h("i.spinner"), " 지난 판을 불러오고 있어요")));
}

/** The room behind us has begun another game. */
function goesOn({ state, watched, act }) {
  const playing = state?.room?.status === "playing" && state.room.games - 1 !== watched.number;
  return playing && h("button.primary", { type: "button", onclick: act.closeReplay }, state.decision > 0 ? "내 차례예요" : "판으로 가기");
}

const REFUSED = {
  no_such_game: "그런 판이 없어요",
  not_finished: "아직 끝나지 않은 판이에요",
  old_version: "이 판은 다시 볼 수 없어요",
};

function refused({ refusal }, act) {
  return h("main.alone", { key: "refused" },
    icon("replay", "large"),
    h("h2", null, REFUSED[refusal.code] ?? "이 판은 다시 볼 수 없어요"),
    h("p", { role: "alert" }, refusal.message),
    h("button.primary", { type: "button", onclick: act.closeReplay }, "돌아가기"));
}

function tape(ctx, title) {
  const { watched, act } = ctx;
  const { tape, at, ui, room } = watched;
  const state = stateAt(tape, at, { code: room.code, title });
  const shown = { ...ctx, state, ui, replay: true, act: { play() {}, hint: () => act.hint("다시 보기에서는 볼 수만 있어요"), sound() {} } };
  return table(shown, controls(ctx, state));
}

function controls(ctx, state) {
  const { watched, act } = ctx;
  const { tape, at, playing, speed } = watched;
  const last = tape.frames.length - 1;
  const own = loadedTable(tape.game, ctx.plain);
  const name = (player) => state.names[player] ?? player;
  const list = chapters(tape, own?.chapter ?? anyChapter);
  const said = tape.frames[at].events.map((event) => own?.describe(event, name, state.view)).filter(Boolean);
  return h("section.deck", { key: "deck", "aria-label": "다시 보기 조작" },
    h("p.said", { "aria-live": playing ? "off" : "polite" }, said.at(-1) ?? "\u00a0"),
    h("div.track", { style: { "--part": last ? at / last : 0 } },
      h("input", { type: "range", min: "0", max: String(last), value: String(at), "aria-label": "장면", "aria-valuetext": `${last + 1}장면 가운데 ${at + 1}번째`, oninput: (event) => act.seek(Number(event.target.value)) }),
      h("span.marks", { "aria-hidden": "true" }, list.map((one) => h("i", { key: `${one.at} ${one.title}`, style: { "--at": last ? one.at / last : 0 } })))),
    h("div.knobs", null,
      h("button.speed", { type: "button", onclick: () => act.setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]), "aria-label": `${speed}× 빠르기. 누르면 바뀌어요` }, `${speed}×`),
      h("button.round", { type: "button", disabled: at === 0, onclick: () => act.seek(at - 1), "aria-label": "한 장면 뒤로" }, icon("previous")),
      h("button.round.primary", { type: "button", onclick: () => act.setPlaying(!playing), "aria-label": playing ? "멈추기" : "재생" }, icon(playing ? "pause" : "play")),
      h("button.round", { type: "button", disabled: at === last, onclick: () => act.seek(at + 1), "aria-label": "한 장면 앞으로" }, icon("next")),
      jump(list, at, act)),
    h("p.eyes", null, icon("eye"), tape.viewer ? `${name(tape.viewer)} 님이 본 대로예요. 가려졌던 패는 지금도 가려져요` : "구경한 사람이 본 대로예요. 손패는 보이지 않아요"));
}

/** Shows where one is, and lists where one may go: also to the beginning of what one is in. */
function jump(list, at, act) {
  const now = list[chapterAt(list, at)]?.title ?? "처음";
  return h("select.jump", { "aria-label": "어디로 갈까요", disabled: list.length === 0, onchange: (event) => act.seek(list[Number(event.target.value)].at), hook: (el) => (el.value = "") },
    h("option", { value: "", hidden: true }, now),
    list.map(({ title }, i) => h("option", { key: String(i), value: String(i) }, title)));
}

const KEYS = {
  " ": ({ watched, act }) => act.setPlaying(!watched.playing),
  ArrowLeft: ({ watched, act }) => act.seek(watched.at - 1),
  ArrowRight: ({ watched, act }) => act.seek(watched.at + 1),
  Home: ({ act }) => act.seek(0),
  End: ({ watched, act }) => act.seek(watched.tape.frames.length - 1),
};

/** Keys of a video, where no control has better use for them. */
export function replayKeys(event, ctx) {
  if (event.target.closest?.("button, input, select, a, summary") || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key](ctx);
}
