/**
 * 뱅! (황야의 총잡이)의 판. Who can be aimed at, from how far, and why a card cannot be used is in the view and in `legal`.
 * From above: the people round the table with the piles in their middle, my own strip, what can be done now, my hand.
 * What things are called is the view's, or its set of names' (`bang/words.js`); the drawings are in `bang/art.js`.
 */

import { nameOf, pendingAction } from "../state.js";
import { sheet } from "../ui/dialog.js";
import { h, josa, kept } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { ahead } from "../ui/pictures.js";
import { running } from "../ui/ring.js";
import { back, card, everySheet } from "./bang/art.js";
import { answers, ask, pickAnswer, ready, windowOf } from "./bang/ask.js";
import { bookSheet } from "./bang/book.js";
import { HEAP, moving, SHELF, STOCK } from "./bang/motion.js";
import { peek, personSheet, poster, seating, strip, whole } from "./bang/people.js";
import { effect, particle, parts, say, short, spoken, word } from "./bang/words.js";

const SHOWN_FOR = 3200; // ms that a flipped card lies there for all to see

/** @param {import("../types/page").TableContext} ctx */
export function table(ctx) {
  const { state, ui } = ctx;
  const { view } = state;
  if (!ui.read) (ui.read = true), ahead(everySheet(view.options.names));
  const row = view.players.find(({ id }) => id === view.me) ?? null;
  const me = row?.id ?? null;
  const doing = doingNow(ctx, me);
  const moment = `${view.current} ${view.phase} ${view.reactions.length > 0}`;
  if (ui.moment !== moment) Object.assign(ui, { moment, picked: null, marked: [], healing: false, aiming: null, chosen: null });
  const picked = doing === "play" && !ui.healing ? (view.hand.find(({ id }) => id === ui.picked) ?? null) : null;
  const targets = picked ? targetsOf(state, picked) : doing === "draw" ? state.legal.map(({ jesseFrom }) => jesseFrom).filter(Boolean) : [];
  const aiming = (player) => (targets.length > 0 && (doing === "play" || targets.includes(player)) ? targets.includes(player) : null);
  const flying = moving(ctx); // before the people, who start when they are struck
  const places = seating(view, me);
  ui.tap = (player) => tapPerson(ctx, picked, doing, player, aiming(player));
  return h("main.table.bng", { class: [doing && "mine", view.phase === "finished" && "over", `of${view.players.length}`, me === null && "watched"], onkeydown: (event) => event.key === "Escape" && unpick(ctx) },
    h("section.ring", { "aria-label": "함께 하는 사람" },
      h("div.top", { "aria-hidden": "true" }),
      places.map((place) => poster(ctx, place, aiming(place.player))),
      stage(ctx, view, me),
      kept(ui, "news", [state.log], () => news(state))),
    ask(ctx, me),
    row && strip(ctx, row, aiming(me)),
    deeds(ctx, view, row, doing, picked, targets),
    me && view.hand?.length > 0 && hand(ctx, view, doing),
    peek(ctx),
    flying,
    ui.person && personSheet(ctx),
    ui.book && bookSheet(ctx),
    ui.heap && heapSheet(ctx, view),
    ui.aiming && aimSheet(ctx, view));
}

/** What is asked of me: "answer", or the phase of my turn; null: nothing but to wait. */
function doingNow({ state }, me) {
  if (!me || state.decision === 0 || !state.legal.some(({ type }) => type !== "sidHeal")) return null;
  return windowOf(state.view, me) ? "answer" : state.view.phase;
}

const called = (state) => (player) => nameOf(state, player);

function unpick({ ui, redraw }) {
  Object.assign(ui, { picked: null, marked: [], healing: false, aiming: null });
  redraw();
}

// ---------------------------------------------------------------- playing

const playsOf = ({ legal }, { id }) => legal.filter((one) => one.type === "play" && one.cardId === id);
const targetsOf = (state, picked) => [...new Set(playsOf(state, picked).map(({ target }) => target).filter(Boolean))];

/** At somebody: where the picked card can be played at them it is; else all about them is shown, or why not. */
function tapPerson(ctx, picked, doing, player, aimed) {
  const { state, ui, act, redraw } = ctx;
  if (aimed === false) return act.hint(whyNot(state, picked, player));
  if (aimed !== true) return (ui.person = player), redraw();
  if (doing === "draw") return act.play(state.legal.find(({ jesseFrom }) => jesseFrom === player));
  const ways = playsOf(state, picked).filter(({ target }) => target === player);
  if (ways.length > 1) return (ui.aiming = player), redraw();
  ui.picked = null;
  act.play(ways[0]);
}

function whyNot(state, picked, player) {
  const row = state.view.players.find(({ id }) => id === player);
  const name = nameOf(state, player);
  if (!row.alive) return `${name} 님은 판에서 나갔어요`;
  const far = row.distance === undefined ? "" : ` (거리 ${row.distance})`;
  return `${name} 님에게는 ${particle(short(parts(picked.face).name), "을/를")} 쓸 수 없어요${far}`;
}

/** Of the one aimed at: which card? One of the hand, unseen, or one that lies there. */
function aimSheet(ctx, view) {
  const { state, ui, act } = ctx;
  const picked = view.hand.find(({ id }) => id === ui.picked);
  const ways = picked ? playsOf(state, picked).filter(({ target }) => target === ui.aiming) : [];
  const row = view.players.find(({ id }) => id === ui.aiming);
  if (!ways.length || !row) return null;
  const lying = new Map(row.inPlay.map((one) => [one.id, one.face]));
  const any = view.labels?.find(({ id }) => id === "hand")?.face ?? "손패";
  return sheet({ title: `${nameOf(state, row.id)} 님의 어느 카드를?`, close: () => unpick(ctx), key: "aim", cls: "bngsheet" },
    h("ul.choices", null, ways.map((way) => {
      const face = lying.get(way.targetCard) ?? null;
      return h("li", { key: String(way.targetCard) }, h("button.pick", { type: "button", disabled: pendingAction(state) !== null, onclick: () => (unpick(ctx), act.play(way)), "aria-label": face ? spoken(face) : any }, face ? card(face) : back()), h("small", { "aria-hidden": "true" }, face ? short(parts(face).name) : any));
    })));
}

// ---------------------------------------------------------------- the middle

/** A card that lies open for all. */
const lying = (face) => h("span", { role: "img", "aria-label": spoken(face) }, card(face));

function stage(ctx, view, me) {
  const flip = flipped(ctx, view);
  const shelf = view.reactions.find(({ kind }) => kind === "store");
  const lucky = view.reactions.find(({ kind }) => kind === "luckyPick");
  const asked = windowOf(view, me);
  const laid = shelf && asked !== shelf ? [shelf.name, shelf.revealed] : lucky && asked !== lucky ? [lucky.name, lucky.options] : null;
  return h("div.stage", { "data-at": SHELF, role: "group", "aria-label": "판 가운데" },
    flip ?? (laid ? h("div.laid", null, h("small", null, laid[0]), h("ul", null, laid[1].map(({ id, face }) => h("li", { key: String(id) }, lying(face))))) : piles(ctx, view)));
}

/** What has just happened, where there is no room for the whole log. It is read out by the page itself. */
function news(state) {
  const name = called(state);
  const last = state.log.slice(-24).map(({ n, event }) => ({ n, text: describe(event, name, state.view) })).filter(({ text }) => text).slice(-3);
  return h("ol.news", { "aria-hidden": "true" }, last.map(({ n, text }) => h("li", { key: String(n) }, text)));
}

function piles(ctx, view) {
  const { ui, redraw } = ctx;
  const top = view.discard.at(-1);
  return h("div.piles2", { key: "piles" },
    h("span.stock", { "data-at": STOCK, role: "img", "aria-label": `덱 ${view.deckCount}장` }, back(), h("b", { "aria-hidden": "true" }, String(view.deckCount))),
    h("button.heap", { type: "button", "data-at": HEAP, disabled: !top, onclick: () => ((ui.heap = true), redraw()), "aria-label": top ? `버림 더미 ${view.discard.length}장, 맨 위 ${spoken(top.face)}` : "버림 더미, 아직 없음" }, top ? card(top.face) : h("span.none", null, "버림")),
    view.blackJackReveal && h("span.shown", { role: "img", "aria-label": `보여 준 카드 ${spoken(view.blackJackReveal.face)}` }, card(view.blackJackReveal.face)),
    h("button.book", { type: "button", onclick: () => ((ui.book = true), redraw()) }, icon("book"), "도감"));
}

/** A 판정 is turned over for all to see, and says how it went. It stays a moment; nobody waits for it. */
function flipped(ctx, view) {
  const { state, ui, redraw } = ctx;
  const told = state.log.findLast(({ event }) => event.type === "checked");
  const now = performance.now();
  if (told && ui.flip !== told.n) {
    if (ui.flip !== undefined || state.logged - told.n < 4) {
      ui.flipUntil = now + SHOWN_FOR;
      setTimeout(redraw, SHOWN_FOR + 20);
    }
    ui.flip = told.n;
  }
  ui.flip ??= 0;
  if (!told || now >= (ui.flipUntil ?? 0)) return null;
  const { player, purpose, cards, success } = told.event;
  const { names } = view.options;
  return h("div.flip", { key: `flip ${told.n}`, class: success ? "good" : "bad" },
    h("small", null, `${nameOf(state, player)} · ${short(word(names, purpose))} ${word(names, "flip")}`),
    h("ul", null, cards.map(({ id, face }) => h("li", { key: String(id) }, h("span.front", { role: "img", "aria-label": spoken(face) }, card(face)), h("span.rear", null, back())))),
    h("strong.verdict", null, icon(success ? "check" : "close"), OUTCOMES[purpose]?.(names)[success ? 0 : 1] ?? (success ? "성공" : "실패")));
}

const OUTCOMES = {
  barrel: () => ["막았어요", "못 막았어요"],
  jail: () => ["나왔어요", "쉬어요"],
  dynamite: (names) => ["무사해요", word(names, "blast")],
};

function heapSheet(ctx, view) {
  const { ui, redraw } = ctx;
  return sheet({ title: `버림 더미 ${view.discard.length}장`, close: () => ((ui.heap = false), redraw()), key: "heap", cls: "bngsheet" },
    h("div.scroll", { tabindex: "0" }, h("ul.row", null, view.discard.toReversed().map(({ id, face }) => h("li", { key: String(id) }, lying(face))))));
}

// ---------------------------------------------------------------- what can be done

/** The bar between the table and the hand: what is so, and what I can do about it. */
function deeds(ctx, view, row, doing, picked, targets) {
  const { state } = ctx;
  const [text, more, buttons] = said(ctx, view, row, doing, picked, targets);
  return h("section.deeds", { "aria-label": "할 일", class: [doing && "asked", picked && "chosen"], hook: running(state.clock, whole(view)) },
    h("p.say", null, h("strong", null, text), more && h("small", null, more)),
    h("b.seconds", { "data-seconds": "", text: true, "aria-hidden": "true" }),
    h("div.buttons", null, buttons),
    h("i.bar.lapse", { "aria-hidden": "true" }));
}

function said(ctx, view, row, doing, picked, targets) {
  const { state, ui } = ctx;
  if (view.phase === "finished") return [state.view.result.summary, "", []];
  const heal = healButton(ctx);
  if (ui.healing) return healing(ctx, view);
  if (doing === "answer") return [waitingFor(state, view), "", heal];
  if (doing === "draw") return drawing(ctx, view);
  if (doing === "discard") return discarding(ctx, view, row);
  if (doing === "play" && picked) return playing(ctx, view, picked, targets);
  if (doing === "play") return ["내 차례예요. 카드를 골라요", shotsLeft(view), [heal, button(ctx, "차례 끝내기", { type: "endPlay" }, state.legal.some(({ type }) => type === "play") ? "end" : "end.primary")]];
  if (row && !row.alive) return [`${word(view.options.names, "fell")}`, `끝까지 구경할 수 있어요. ${waitingFor(state, view)}`, []];
  return [waitingFor(state, view), view.reactions.length ? "" : view.phaseName, heal];
}

const shotsLeft = ({ options: { names }, bangsPlayed }) => (bangsPlayed > 0 ? say(names, `이번 차례에 {bang|을/를} ${bangsPlayed}장 썼어요`) : "");

const button = ({ state, act }, text, action, cls = "primary") => h(`button.${cls}`, { key: text, type: "button", disabled: pendingAction(state) !== null, onclick: () => act.play(action) }, text);
const cancel = (ctx) => h("button.quiet.round", { key: "cancel", type: "button", onclick: () => unpick(ctx), "aria-label": "고르기 취소" }, icon("close"));

function drawing(ctx, view) {
  const { legal } = ctx.state;
  const plain = legal.find((one) => one.type === "draw" && one.jesseFrom === undefined && one.pedroDiscard === undefined);
  const heap = legal.find(({ pedroDiscard }) => pedroDiscard);
  const others = legal.some(({ jesseFrom }) => jesseFrom);
  return ["내 차례예요. 카드를 뽑아요", others ? "첫 장은 다른 사람을 눌러 가져올 수도 있어요" : heap ? `버림 더미 위: ${view.discard.at(-1).face}` : "",
    [heap && button(ctx, "더미에서", heap, "plain"), plain && button(ctx, "뽑기", plain, "primary.draw")]];
}

function playing(ctx, view, picked, targets) {
  const { name, kind } = parts(picked.face);
  const ways = playsOf(ctx.state, picked);
  const now = ways.find(({ target }) => target === undefined);
  const as = ways[0]?.as ? `${particle(short(word(view.options.names, ways[0].as)), "으로/로")} 내기` : "";
  const title = as ? `${short(name)} → ${as}` : short(name);
  if (now) return [title, effect(view.options.names, kind ?? ""), [cancel(ctx), button(ctx, "내기", now)]];
  return [`${title}: 누구에게?`, targets.length ? effect(view.options.names, ways[0]?.as ?? kind ?? "") : (picked.reason ?? "지금은 낼 수 없어요"), [cancel(ctx)]];
}

function discarding(ctx, view, row) {
  const { state, ui, act } = ctx;
  const need = Math.max(0, row.handCount - row.life);
  const marked = ui.marked.filter((id) => view.hand.some((one) => one.id === id));
  const full = marked.length === need;
  return [`${need}장을 버려요`, say(view.options.names, `손패는 남은 {life}만큼만 가질 수 있어요`),
    [h("button.throw", { key: "throw", type: "button", class: full && "primary", disabled: pendingAction(state) !== null, "aria-disabled": String(!full), onclick: () => (full ? (act.play({ type: "discard", cardIds: marked }), (ui.marked = [])) : act.hint(`버릴 카드 ${need}장을 골라 주세요. 지금 ${marked.length}장이에요`)) }, `버리기 ${marked.length}/${need}`)]];
}

function healButton({ state, ui, redraw }) {
  const can = state.legal.some(({ type }) => type === "sidHeal");
  return can && h("button.healer", { key: "heal", type: "button", onclick: () => (Object.assign(ui, { healing: true, marked: [], picked: null }), redraw()) }, icon("heart"), h("span", null, "회복"));
}

function healing(ctx, view) {
  const { state, ui, act } = ctx;
  const need = state.legal.find(({ type }) => type === "sidHeal")?.cardIds.length ?? 0;
  const full = ui.marked.length === need && need > 0;
  return [`${need}장을 버리고 회복해요`, say(view.options.names, "{life|을/를} 1 되찾아요"),
    [cancel(ctx), h("button.throw", { key: "throw", type: "button", class: full && "primary", disabled: pendingAction(state) !== null, "aria-disabled": String(!full), onclick: () => (full ? (act.play({ type: "sidHeal", cardIds: ui.marked }), unpick(ctx)) : act.hint(`${need}장을 골라 주세요`)) }, `회복 ${ui.marked.length}/${need}`)]];
}

/** Whom everybody waits for. */
function waitingFor(state, view) {
  const name = called(state);
  const { names } = view.options;
  const open = view.reactions.at(-1);
  if (!open) return view.current === state.you.player ? "내 차례예요" : `${name(view.current)} 님 차례`;
  const who = [...new Set(view.reactions.map(({ player }) => player))];
  const one = name(open.player);
  if (open.player === state.you.player && who.length === 1) return "내 답을 기다리고 있어요";
  switch (open.kind) {
    case "choose2": return `인물을 고르고 있어요 (${who.length}명 남음)`;
    case "duel": return `${name(open.player)} 님과 ${name(open.other)} 님의 ${open.name}: ${one} 님 차례`;
    case "store": return `${one} 님이 ${open.name}에서 골라요`;
    case "dying": return `${one} 님이 위태로워요`;
    case "luckyPick": return `${one} 님이 ${word(names, "flip")} 카드를 골라요`;
    case "kitKeep": return `${one} 님이 뽑을 카드를 골라요`;
    default: return who.length > 1 ? `${open.name}: ${who.length}명이 답하고 있어요` : `${one} 님이 ${open.name} 앞에 섰어요`;
  }
}

// ---------------------------------------------------------------- my hand

function hand(ctx, view, doing) {
  const { cards } = doing === "answer" ? answers(ctx.state) : { cards: [] };
  const laid = doing === "answer" ? ready(ctx) : [];
  return h("ol.hand", { "aria-label": "내 손패", class: view.hand.length > 5 && "many" }, view.hand.map((one) => h("li", { key: String(one.id) }, handCard(ctx, view, one, doing, cards, laid))));
}

function handCard(ctx, view, one, doing, answering, laid) {
  const { state, ui, act, redraw } = ctx;
  const pending = pendingAction(state);
  const flying = pending !== null && (pending.cardId === one.id || pending.cardIds?.includes(one.id));
  const marking = ui.healing || doing === "discard";
  const usable = marking || (doing === "answer" ? answering.some(({ id }) => id === one.id) : doing === "play" && playsOf(state, one).length > 0);
  const picked = marking ? ui.marked.includes(one.id) : doing === "answer" ? laid.includes(one.id) : ui.picked === one.id;
  const dead = doing !== null && doing !== "draw" && !usable;
  const reason = one.reason ?? (doing === null ? "아직 내 차례가 아니에요" : doing === "draw" ? "먼저 카드를 뽑아 주세요" : "지금은 낼 수 없는 카드예요");
  const tap = () => {
    if (marking) return mark(ctx, view, one);
    if (doing === "answer" && usable) return pickAnswer(ctx, one.id);
    if (doing !== "play") return act.hint(doing === "draw" ? "먼저 카드를 뽑아 주세요" : reason);
    if (!usable) return act.hint(reason);
    if (!picked) return (ui.picked = one.id), act.sound("pick"), redraw();
    const now = playsOf(state, one).find(({ target }) => target === undefined);
    if (!now) return (ui.picked = null), redraw();
    ui.picked = null;
    act.play(now);
  };
  return h("button.mycard", { type: "button", class: [picked && "picked", dead && "dead", flying && "flying"], disabled: flying || pending !== null, "aria-pressed": String(picked), title: dead ? reason : undefined,
    "aria-label": `${spoken(one.face)}. ${dead ? `${reason}` : effect(view.options.names, parts(one.face).kind ?? "")}`, onclick: tap }, card(one.face));
}

function mark(ctx, view, { id }) {
  const { state, ui, act, redraw } = ctx;
  const row = view.players.find((one) => one.id === view.me);
  const most = ui.healing ? (state.legal.find(({ type }) => type === "sidHeal")?.cardIds.length ?? 0) : row.handCount - row.life;
  if (!ui.marked.includes(id) && ui.marked.length >= most) return act.hint(`${most}장만 고르면 돼요. 하나를 도로 놓은 뒤 골라 주세요`);
  ui.marked = ui.marked.includes(id) ? ui.marked.filter((one) => one !== id) : [...ui.marked, id];
  act.sound("pick");
  redraw();
}

// ---------------------------------------------------------------- words

const list = (cards) => cards.map(({ face }) => face).join(", ");
const who = (name, pair = "이/가") => josa(name, pair);

/** @type {Record<string, (e: any, name: (player: string) => string, w: (key: string) => string) => string | null>} */
const EVENTS = {
  gameStarted: (e, name, w) => `${name(e.sheriff)} 님이 ${w("sheriff")}이에요`,
  turnStarted: (e, name) => `${name(e.player)} 님 차례${e.round ? ` (${e.round}라운드)` : ""}`,
  cardPlayed: (e, name, w) => `${name(e.player)}: ${e.card.face}${e.as ? ` (${particle(w(e.as), "으로/로")})` : ""}${e.target ? ` → ${name(e.target)}` : ""}`,
  responded: (e, name) => `${name(e.player)}: ${list(e.cards)}`,
  evaded: (e, name) => `${who(name(e.player))} 막았어요`,
  checked: (e, name, w) => `${name(e.player)}의 ${w(e.purpose)} ${w("flip")}: ${list(e.cards) || "카드 없음"}, ${e.success ? "성공" : "실패"}`,
  dynamitePassed: (e, name, w) => `${who(w("dynamite"))} ${name(e.target)} 님에게 넘어갔어요`,
  dynamiteExploded: (e, name, w) => `${name(e.player)} 님 앞에서 ${who(w("dynamite"))} ${w("blast")}`,
  jailEscaped: (e, name, w) => `${who(name(e.player))} ${w("jail")}에서 나왔어요`,
  turnSkipped: (e, name) => `${who(name(e.player))} 한 차례 쉬어요`,
  cardsDrawn: (e, name) => `${who(name(e.player))} ${e.count}장을 뽑았어요`,
  cardShown: (e, name) => `${who(name(e.player))} 보여 준 카드: ${e.card.face}`,
  discardTaken: (e, name) => `${who(name(e.player))} 버림 더미에서 ${particle(e.card.face, "을/를")} 가져갔어요`,
  cardTaken: (e, name) => `${who(name(e.player))} ${name(e.target)} 님의 ${particle(e.card?.face ?? "손패 한 장", "을/를")} 가져갔어요`,
  takenCardSeen: (e, name) => `가져간 카드: ${e.card.face}`,
  cardStruck: (e, name) => `${who(name(e.player))} ${name(e.target)} 님의 카드를 버리게 했어요`,
  cardsDiscarded: (e, name) => `${name(e.player)} 버림: ${list(e.cards)}`,
  storeRevealed: (e, name, w) => `${w("generalStore")}: ${list(e.cards)}`,
  storePicked: (e, name) => `${name(e.player)} 가져감: ${e.card.face}`,
  lifeLost: (e, name, w) => `${who(name(e.player))} ${particle(w("life"), "을/를")} ${e.points} 잃었어요 (${Math.max(0, e.life)} 남음)`,
  lifeGained: (e, name, w) => `${who(name(e.player))} ${particle(w("life"), "을/를")} 되찾았어요 (${e.life})`,
  healedByDiscard: (e, name) => `${who(name(e.player))} ${list(e.cards)} 버리고 회복했어요`,
  dying: (e, name) => `${who(name(e.player))} 위태로워요`,
  saved: (e, name, w) => `${who(name(e.player))} ${w("risen")}`,
  eliminated: (e, name, w) => `${who(name(e.player))} ${w("fell")}${e.killer && e.killer !== e.player ? ` (${name(e.killer)})` : ""}`,
  roleRevealed: (e, name, w) => `${name(e.player)} 님의 역할: ${w(e.role)}`,
  penalty: (e, name, w) => `${who(name(e.player))} ${particle(w("deputy"), "을/를")} 잘못 보내서 카드를 모두 버렸어요`,
  looted: (e, name) => (e.count > 0 ? `${who(name(e.player))} ${name(e.target)} 님의 카드 ${e.count}장을 가져갔어요` : null),
  mustDiscard: (e, name) => `${who(name(e.player))} ${e.count}장을 버려야 해요`,
  lookedAt: (e, name) => `${who(name(e.player))} 덱 위 ${e.count}장을 봤어요`,
  characterRevealed: () => null,
  characterPicked: (e, name) => `${who(name(e.player))} 인물을 골랐어요`,
  reshuffled: () => "버린 카드를 다시 섞었어요",
  playerAway: (e, name) => `${name(e.player)} 님의 연결이 끊겼어요`,
  playerBack: (e, name) => `${who(name(e.player))} 돌아왔어요`,
  playedFor: (e, name) => `${name(e.player)} 님 대신 자동으로 두고 있어요`,
  timedOut: (e, name) => `${name(e.player)} 님의 시간이 지나 자동으로 했어요`,
  playerLeft: (e, name) => `${who(name(e.player))} 나갔어요`,
  gameFinished: () => "게임이 끝났어요",
  attacked: () => null,
  flip: () => null,
  flipped: () => null,
  cardsReceived: () => null,
  cardsSeen: () => null,
  handDealt: () => null,
  roleDealt: () => null,
  charactersOffered: () => null,
};

/** The events that have a line, or are left out on purpose. */
export const told = Object.keys(EVENTS);

export function describe(event, name, view) {
  const names = view?.options?.names ?? "neutral";
  return EVENTS[event.type]?.(event, name, (key) => short(word(names, key))) ?? null;
}

const SOUNDS = { cardPlayed: "card", attacked: "bang", responded: "card", checked: "flip", cardsDrawn: "deal", cardTaken: "take", cardStruck: "take", discardTaken: "take", storeRevealed: "deal", storePicked: "take", lifeLost: "hurt", lifeGained: "coin", eliminated: "out", dynamiteExploded: "bang" };

export const sound = (event) => SOUNDS[event.type] ?? null;

const CHAPTERS = {
  turnStarted: (e, name) => `${e.round ? `${e.round}라운드 ` : ""}${name(e.player)}`,
  eliminated: (e, name) => `· ${name(e.player)} 나감`,
  gameFinished: () => "끝",
};

export const chapter = (event, name) => CHAPTERS[event.type]?.(event, name) ?? null;

/** Beside a name on the result sheet: what they were after all, and how far they came. */
export function score(line, view) {
  const row = view.players.find(({ id }) => id === line.player);
  const fell = view.deathOrder.indexOf(line.player);
  return [row?.roleName, fell < 0 ? "끝까지 남음" : `${fell + 1}번째로 나감`].filter(Boolean).join(" · ");
}

/** What a game came to: how long it was, and who stood out in it, if all of it was seen. */
export function details({ round, options: { names } }, name, events) {
  const rows = [["한 판", `${round}라운드`]];
  if (!events) return rows;
  const count = (type) => tallied(events.filter((e) => e.type === type), (e) => e.player);
  const checks = events.filter(({ type }) => type === "checked");
  const kills = tallied(events.filter(({ type, killer, player }) => type === "eliminated" && killer && killer !== player), (e) => e.killer);
  return [
    ...rows,
    most("가장 많이 맞힌 사람", hits(events), name, "번"),
    most("가장 많이 막은 사람", count("evaded"), name, "번"),
    most(say(names, "{life|을/를} 가장 많이 되찾은 사람"), count("lifeGained"), name, "번"),
    most(names === "children" ? "가장 많이 쉬게 한 사람" : "가장 많이 쓰러뜨린 사람", kills, name, "명"),
    checks.length > 0 && [word(names, "flip"), `${checks.length}번 가운데 ${checks.filter(({ success }) => success).length}번 성공`],
  ].filter(Boolean);
}

/** How many of them are whose. */
function tallied(events, whose) {
  const sums = new Map();
  for (const event of events) sums.set(whose(event), (sums.get(whose(event)) ?? 0) + 1);
  return sums;
}

/** Whose shots struck: a life lost belongs to the last shot at that player that was not evaded. */
function hits(events) {
  const at = new Map(), struck = [];
  for (const { type, player, source } of events) {
    if (type === "attacked") at.set(player, source);
    if (type === "lifeLost" && at.has(player)) struck.push({ player: at.get(player) });
    if (type === "lifeLost" || type === "evaded") at.delete(player);
  }
  return tallied(struck, (e) => e.player);
}

/** Whoever has the most of it, also if they are two. */
function most(title, sums, name, unit) {
  const best = Math.max(0, ...sums.values());
  const people = [...sums].filter(([, n]) => n === best).map(([player]) => name(player));
  return best > 0 && people.length <= 2 && [title, `${people.join(", ")} · ${best}${unit}`];
}

/** What a newcomer should know just now. */
export function hints({ view, decision, you }) {
  const { names, beginnerHints } = view.options;
  const row = view.players.find(({ id }) => id === you.player);
  if (!row?.alive || beginnerHints === "off" || view.phase === "finished") return [];
  const turn = decision > 0 && !view.reactions.length && view.current === you.player;
  const held = (kind) => view.hand?.some((one) => one.kind === kind);
  return [
    view.role && { id: `bng-role-${view.role === "sheriff"}`, text: view.role === "sheriff" ? view.roleTip : "아래 역할 카드를 길게 눌러 내 역할을 확인해요. 옆 사람이 못 보게요!" },
    turn && view.phase === "draw" && { id: "bng-draw", text: "차례가 되면 먼저 카드를 뽑고, 원하는 만큼 낸 뒤 차례를 끝내요." },
    turn && view.phase === "play" && { id: "bng-play", text: "카드를 누르면 쓸 수 있는 사람이 초록 테두리로 보여요. 그 사람을 누르면 내요." },
    turn && view.phase === "play" && held("bang") && { id: "bng-bang", text: say(names, "{bang|은/는} {reach} 안의 사람에게만 써요. 거리는 가까운 쪽으로 세어 몇 칸인지예요.") },
    decision > 0 && windowOf(view, you.player)?.kind === "bang" && { id: "bng-answer", text: say(names, "공격을 받으면 {missed|으로/로} 막거나 맞아요. 시간이 지나면 자동으로 해요.") },
  ].filter(Boolean);
}
