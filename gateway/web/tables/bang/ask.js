/**
 * What one person is asked beside their turn: to answer an attack, to save themselves, to choose among open cards. A
 * large panel in the middle, with a clock; the hand below stays in reach. What may be answered is in `legal`.
 */

import { nameOf, pendingAction } from "../../state.js";
import { afterDrawing, h } from "../../ui/dom.js";
import { running } from "../../ui/ring.js";
import { card, portrait, sign } from "./art.js";
import { whole } from "./people.js";
import { effect, particle, parts, say, short, spoken, word } from "./words.js";

/** The newest question to this person; only that can be answered. */
export const windowOf = (view, me) => view.reactions.findLast(({ player }) => player === me) ?? null;

/** The sets of cards that answer, each card of them, and how many make an answer. */
export function answers({ legal, view }) {
  const sets = legal.filter(({ type }) => type === "respond").map(({ cardIds }) => cardIds);
  const ids = new Set(sets.flat());
  return { sets, need: sets[0]?.length ?? 0, cards: view.hand?.filter(({ id }) => ids.has(id)) ?? [] };
}

/** The cards that lie ready to answer: those picked, then whichever come first. */
export function ready(ctx) {
  const { need, cards } = answers(ctx.state);
  const ids = cards.map(({ id }) => id);
  const picked = (ctx.ui.answer ?? []).filter((id) => ids.includes(id));
  return [...picked, ...ids.filter((id) => !picked.includes(id))].slice(0, need);
}

export function pickAnswer(ctx, id) {
  const { need } = answers(ctx.state);
  ctx.ui.answer = [id, ...ready(ctx).filter((one) => one !== id)].slice(0, need);
  ctx.act.sound("pick");
  ctx.redraw();
}

export function ask(ctx, me) {
  const { view } = ctx.state;
  const asked = me && ctx.state.legal.some(({ type }) => type !== "sidHeal") ? windowOf(view, me) : null;
  if (!asked) return null;
  const draw = { bang: attack, indians: attack, duel: attack, dying: attack, store, luckyPick, kitKeep, choose2 }[asked.kind];
  return draw ? draw(ctx, asked, view.options.names) : null;
}

/**
 * The panel of a question. Focus goes to it, not onto one of its buttons: nobody answers by a key meant for
 * a card.
 *
 * @param {any} ctx
 * @param {{key: string, title: string, text?: any, mood?: string, art?: any}} about
 * @param {any[]} children
 */
function panel(ctx, { key, title, text, mood = "", art = null }, ...children) {
  const { state } = ctx;
  return h("section.ask", { key, class: mood, role: "group", tabindex: "-1", "aria-label": title, hook: (el, isNew) => isNew && afterDrawing(() => document.querySelector("dialog[open]") === null && el.focus({ preventScroll: true })) },
    h("div.head", null,
      art && h("span.artof", { "aria-hidden": "true" }, art),
      h("div.grow", null, h("h2", null, title), text && h("p", null, text)),
      h("span.clock", { "aria-hidden": "true", hook: running(state.clock, whole(state.view)) },
        h("svg", { viewBox: "0 0 48 48" }, h("circle.ground", { cx: "24", cy: "24", r: "20" }), h("circle.run.lapse", { cx: "24", cy: "24", r: "20", pathLength: "100" })),
        h("b", { "data-seconds": "", text: true }))),
    children);
}

// ---------------------------------------------------------------- attacked

const QUESTIONS = {
  bang: (names, from, one) => ({ title: `${one.name} 공격을 받았어요`, text: `${particle(from, "이/가")} 나를 노렸어요.`, defence: "missed" }),
  indians: (names, from, one) => ({ title: `${one.name} 공격이에요`, text: `${particle(from, "이/가")} 모두를 몰아붙여요.`, defence: "bang" }),
  duel: (names, from, one) => ({ title: `${particle(from, "과/와")} ${one.name}!`, text: say(names, "{bang|을/를} 내면 상대 차례가 돼요."), defence: "bang" }),
  dying: (names) => ({ title: word(names, "edge"), text: say(names, "지금 {life|을/를} 되찾지 못하면 판에서 나가요."), defence: "beer" }),
};

function attack(ctx, asked, names) {
  const { state, act } = ctx;
  const { legal, view } = state;
  const from = nameOf(state, asked.kind === "duel" ? asked.other : (asked.source ?? ""));
  const { title, text, defence } = QUESTIONS[asked.kind](names, from, asked);
  const { need, cards } = answers(state);
  const chosen = ready(ctx);
  const sending = pendingAction(state) !== null;
  const barrel = legal.find(({ type }) => type === "useBarrel");
  const suffer = legal.find(({ type }) => type === "takeHit" || type === "giveUp");
  const held = view.hand.filter(({ kind }) => kind === defence).length;
  const wanted = need || asked.needed || Math.max(1, 1 - view.players.find(({ id }) => id === view.me).life);
  const name = short(word(names, defence));
  const laying = chosen.length ? named(view, chosen) : name;
  const respond = () => (chosen.length ? (act.play({ type: "respond", cardIds: chosen }), (ctx.ui.answer = [])) : act.hint(why(names, name, wanted, held, asked)));
  return panel(ctx, { key: `ask ${asked.kind}`, title, text: [text, wanted > 1 && h("strong.need", null, ` ${name} ${wanted}장 필요`)], mood: asked.kind === "dying" ? "dire" : "attack", art: sign(asked.via ?? (asked.kind === "dying" ? "beer" : asked.kind), names) },
    cards.length > need && need > 0 && h("ul.choices", { "aria-label": "낼 카드", class: cards.length > 4 && "many" }, cards.map(({ id, face }) => h("li", { key: String(id) },
      h("button.pick", { type: "button", class: chosen.includes(id) && "picked", "aria-pressed": String(chosen.includes(id)), "aria-label": spoken(face), onclick: () => pickAnswer(ctx, id) }, card(face))))),
    cards.length === 0 && h("p.cannot", null, why(names, name, wanted, held, asked)),
    h("div.buttons", null,
      h("button.answer", { type: "button", class: chosen.length && "primary", disabled: sending, "aria-disabled": String(!chosen.length), onclick: respond }, `${laying} 내기`, need > 1 && ` (${need}장)`),
      barrel && h("button.barrel", { type: "button", disabled: sending, onclick: () => act.play(barrel) }, say(names, "{barrel} {flip}")),
      suffer && h("button.suffer.danger", { type: "button", disabled: sending, onclick: () => act.play(suffer) }, suffer.type === "giveUp" ? "포기하기" : asked.kind === "duel" ? "지기" : "맞기", h("small", null, suffer.type === "giveUp" ? "" : say(names, " {life} −1")))));
}

/** "회피", or of two different cards both. */
const named = (view, ids) => [...new Set(ids.map((id) => short(parts(view.hand.find((one) => one.id === id).face).name)))].join("·");

function why(names, name, wanted, held, asked) {
  if (asked.kind === "dying" && held >= wanted) return `두 명만 남아서 ${particle(name, "을/를")} 쓸 수 없어요`;
  if (held > 0 && held < wanted) return `막을 수 없어요. ${particle(name, "이/가")} ${wanted}장 있어야 하는데 ${held}장뿐이에요`;
  return `${particle(name, "이/가")} 없어서 ${asked.kind === "dying" ? "되찾을 수" : "막을 수"} 없어요`;
}

// ---------------------------------------------------------------- choices

/** Cards of which one is chosen: a first tap tells what it does, a second takes it. */
function among(ctx, { key, title, text, cards, art, type, verb }) {
  const { state, ui, act, redraw } = ctx;
  const { names } = state.view.options;
  const picked = cards.find(({ id }) => id === ui.chosen) ?? null;
  const sending = pendingAction(state) !== null;
  const take = (id) => {
    const action = state.legal.find((one) => one.type === type && one.cardId === id);
    if (action) (ui.chosen = null), act.play(action);
  };
  return panel(ctx, { key, title, text, art },
    h("ul.choices", { "aria-label": title, class: cards.length > 4 && "many" }, cards.map(({ id, face }) => h("li", { key: String(id) },
      h("button.pick", { type: "button", class: picked?.id === id && "picked", disabled: sending, "aria-pressed": String(picked?.id === id), "aria-label": spoken(face), onclick: () => (picked?.id === id ? take(id) : ((ui.chosen = id), act.sound("pick"), redraw())) }, card(face))))),
    h("p.tells", { "aria-live": "polite" }, picked ? [h("strong", null, short(parts(picked.face).name)), ` ${effect(names, parts(picked.face).kind ?? "")}`] : "카드를 누르면 무엇인지 알려 드려요"),
    h("div.buttons", null, h("button.answer", { type: "button", class: picked && "primary", disabled: sending, "aria-disabled": String(!picked), onclick: () => (picked ? take(picked.id) : act.hint("카드를 하나 골라 주세요")) }, picked ? `${particle(short(parts(picked.face).name), "을/를")} ${verb}` : "하나를 골라요")));
}

const store = (ctx, asked) => among(ctx, { key: "ask store", title: `${asked.name}에서 한 장 골라요`, text: asked.order.length > 1 ? `다음은 ${nameOf(ctx.state, asked.order[1])} 님이에요` : "마지막 카드예요", cards: asked.revealed, art: sign("generalStore", ctx.state.view.options.names), type: "storePick", verb: "갖기" });

const GOOD = { dynamite: "♠2~9만 아니면 무사해요", jail: "♥면 나올 수 있어요", barrel: "♥면 막아요" };

const luckyPick = (ctx, asked) => among(ctx, { key: `ask lucky ${asked.purpose}`, title: asked.name, text: `두 장 가운데 하나를 골라요. ${GOOD[asked.purpose] ?? ""}`, cards: asked.options, art: sign(asked.purpose, ctx.state.view.options.names), type: "luckyPick", verb: "고르기" });

function kitKeep(ctx, asked) {
  const { state, ui, act, redraw } = ctx;
  const cards = state.view.kitOptions ?? [];
  const kept = (ui.kept ?? []).filter((id) => cards.some((one) => one.id === id));
  const sending = pendingAction(state) !== null;
  const action = state.legal.find((one) => one.type === "kitKeep" && kept.length === one.keep.length && one.keep.every((id) => kept.includes(id)));
  const toggle = (id) => ((ui.kept = kept.includes(id) ? kept.filter((one) => one !== id) : [...kept, id].slice(-2)), act.sound("pick"), redraw());
  return panel(ctx, { key: "ask kit", title: "두 장을 골라 가져요", text: "남은 한 장은 덱 맨 위로 돌아가요" },
    h("ul.choices", { "aria-label": "덱 위의 카드" }, cards.map(({ id, face }) => h("li", { key: String(id) },
      h("button.pick", { type: "button", class: kept.includes(id) && "picked", disabled: sending, "aria-pressed": String(kept.includes(id)), "aria-label": spoken(face), onclick: () => toggle(id) }, card(face))))),
    h("div.buttons", null, h("button.answer", { type: "button", class: action && "primary", disabled: sending, "aria-disabled": String(!action), onclick: () => (action ? ((ui.kept = []), act.play(action)) : act.hint("두 장을 골라 주세요")) }, `가져오기 ${kept.length}/2`)));
}

function choose2(ctx) {
  const { state, act } = ctx;
  const { view, legal } = state;
  const sending = pendingAction(state) !== null;
  return panel(ctx, { key: "ask character", title: "누구로 할까요?", text: view.roleTip },
    h("ul.offers", null, (view.characterOffer ?? []).map(({ id, face, ability }) => h("li", { key: id },
      h("button.offer", { type: "button", disabled: sending, onclick: () => act.play(legal.find((one) => one.character === id)) },
        portrait(id), h("span", null, h("strong", null, face), h("span.ability", null, ability)))))));
}
