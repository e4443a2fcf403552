/** Who sits round the table: a poster for each, my own strip, and the sheet that tells all about one of them. */

import { nameOf, seatOf } from "../../state.js";
import { sheet } from "../../ui/dialog.js";
import { h, kept } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { halo, running } from "../../ui/ring.js";
import { card, portrait, role, round, small } from "./art.js";
import { struck } from "./motion.js";
import { aim, effect, parts, short, spoken, word } from "./words.js";

/** Where the others sit, clockwise from my left: from the middle, in halves of the width and of the height. */
const PLACES = {
  1: [[0, -1]],
  2: [[-1, -0.6], [1, -0.6]],
  3: [[-1, 0.1], [0, -1], [1, 0.1]],
  4: [[-1, 0.5], [-0.62, -0.9], [0.62, -0.9], [1, 0.5]],
  5: [[-1, 0.68], [-1, -0.5], [0, -1], [1, -0.5], [1, 0.68]],
  6: [[-1, 0.95], [-1, -0.05], [-0.55, -1], [0.55, -1], [1, -0.05], [1, 0.95]],
};

/** As styles, each the same object at every drawing: what has not changed is not set again. */
const STYLES = Object.fromEntries(Object.entries(PLACES).map(([n, places]) => [n, places.map(([x, y]) => ({ "--px": x, "--py": y }))]));
const BELOW = { "--px": 0, "--py": 1 };

/** Where everybody but me sits; for who only watches, the first sits below. @returns {{player: string, style: any}[]} */
export function seating(view, me) {
  const ids = view.players.map(({ id }) => id);
  const at = Math.max(0, ids.indexOf(me));
  const order = [...ids.slice(at), ...ids.slice(0, at)];
  const others = order.slice(1).map((player, i) => ({ player, style: STYLES[order.length - 1][i] }));
  return me === null ? [{ player: order[0], style: BELOW }, ...others] : others;
}

const asked = (view, player) => (view.reactions.length ? view.reactions.some((one) => one.player === player) : view.current === player);

const TOLD = 3000; // ms

/** How long a full ring stands for. */
export const whole = (view) => (view.reactions.length ? view.options.reactionSeconds : view.options.turnSeconds) * 1000;

/** Someone's weapon, for the eye and for the ear. */
const weapon = (view, row) => `${short(row.weapon)}, ${word(view.options.names, "reach")} ${row.range}`;

export function life(view, row) {
  const children = view.options.names === "children";
  return h("span.life", { role: "img", "aria-label": `${word(view.options.names, "life")} ${row.maxLife} 가운데 ${Math.max(0, row.life)}` },
    Array.from({ length: row.maxLife }, (_, i) => round(children, i < row.life)));
}

const worn = (row) => h("span.worn", { "aria-hidden": "true" }, row.inPlay.map(({ id, face }) => h("i", { key: String(id), title: parts(face).name }, small(face))));

/** May everybody know this role? My own is known to me, and not said aloud. */
const isOpen = (view, row) => Boolean(row.role) && (row.id !== view.me || row.role === "sheriff" || !row.alive || view.phase === "finished");

/** All that is to be known of somebody at a glance, as one sentence. */
function told(ctx, row, aimed) {
  const { state } = ctx;
  const { view } = state;
  const { names } = view.options;
  const { seat } = seatOf(state, row.id);
  return [
    seat.name, row.characterName ?? "인물을 고르는 중", isOpen(view, row) && row.roleName,
    !row.character ? null : row.alive ? `${word(names, "life")} ${Math.max(0, row.life)}/${row.maxLife}` : word(names, "out"),
    row.character && row.alive && `손패 ${row.handCount}장, ${weapon(view, row)}`,
    row.inPlay.length > 0 && `장착 ${row.inPlay.map(({ face }) => short(parts(face).name)).join(", ")}`,
    row.distance !== undefined && row.character && `거리 ${row.distance}, ${word(names, "reach")} ${row.inRange ? "안" : "밖"}`,
    row.alive && asked(view, row.id) && view.phase !== "finished" && (view.current === row.id && !view.reactions.length ? "차례" : "답을 기다리는 중"),
    aimed === true ? "고를 수 있음" : aimed === false && "고를 수 없음",
    seat.left ? "나감" : !seat.online && "연결 끊김",
  ].filter(Boolean).join(", ");
}

/**
 * Somebody's poster. Most of them are as they were: only one whose player is told something new of is described anew.
 *
 * @param {any} aimed whether the picked card can be played at them; null: nothing is picked
 */
export function poster(ctx, { player, style }, aimed) {
  const { state, ui } = ctx;
  const { view } = state;
  const row = view.players.find(({ id }) => id === player);
  const { seat, index } = seatOf(state, player);
  const waited = row.alive && view.phase !== "finished" && asked(view, player);
  const attacked = view.reactions.some((one) => one.player === player && ["bang", "indians", "duel", "dying"].includes(one.kind));
  const hurt = struck(ctx, player);
  const own = view.players.find(({ id }) => id === view.me)?.range;
  const on = [JSON.stringify(row), seat.name, seat.online, seat.left, index, aimed, attacked, hurt, own, style, view.phase === "finished", waited && state.clock, waited && view.reactions.length];
  return kept(ui, `poster ${player}`, on, () => drawn(ctx, { row, seat, index, style }, { waited, attacked, hurt, aimed }));
}

function drawn(ctx, { row, seat, index, style }, { waited, attacked, hurt, aimed }) {
  const { state, ui } = ctx;
  const { view } = state;
  const player = row.id;
  return h("button.poster", { type: "button", key: player, "data-at": player, style, "aria-label": told(ctx, row, aimed), onclick: () => ui.tap(player),
    class: [waited && "turn", attacked && "attacked", aimed === true && "aimed", aimed === false && "off", !row.alive && "dead", row.role === "sheriff" && "sheriff", (!seat.online || seat.left) && "away", hurt && "struck"],
    hook: waited ? running(state.clock, whole(view)) : undefined },
    h("span.face", null, waited && halo(), row.character ? portrait(row.character) : portrait("none"),
      row.role && h("span.roleof", null, role(row.role)),
      row.alive && row.character && h("span.cards", { "data-says": String(row.handCount) })),
    h("span.who", null, h("i.dot", { class: index >= 0 && `tint${index % 6}` }), seat.name),
    h("span.char", { "data-says": row.characterName ?? "" }),
    row.alive ? life(view, row) : h("span.fate", { "data-says": row.roleName }),
    row.alive ? worn(row) : h("span.fate.quiet", { "data-says": word(view.options.names, "out") }),
    row.distance !== undefined && row.character && row.alive && distance(view, row, aimed));
}

/** "거리 3", with a sight where the weapon reaches; beside a picked card that does not, what it would take. */
function distance(view, row, aimed) {
  const mine = view.players.find(({ id }) => id === view.me);
  const full = aimed === false && !row.inRange && mine;
  const says = full ? `거리 ${row.distance} / ${word(view.options.names, "reach")} ${mine.range}` : `거리 ${row.distance}`;
  return h("span.far", { class: row.inRange && "near", "aria-hidden": "true" }, row.inRange && sight(), h("span", { "data-says": says }));
}

const sight = () => h("svg.sight", { viewBox: "0 0 12 12" }, h("path", { d: "M6 .5v3M6 8.5v3M.5 6h3M8.5 6h3M6 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z" }));

// ---------------------------------------------------------------- me

/** My own place: who I am, my life, what lies before me, and my role for as long as it is held. */
export function strip(ctx, row, aimed) {
  const { state } = ctx;
  const { view } = state;
  const waited = row.alive && view.phase !== "finished" && asked(view, row.id);
  return h("section.strip", { "aria-label": "내 자리", class: [waited && "turn", !row.alive && "dead"] },
    h("button.self", { type: "button", "data-at": row.id, "aria-label": `나, ${told(ctx, row, aimed)}`, class: [aimed && "aimed", struck(ctx, row.id) && "struck"], onclick: () => ctx.ui.tap(row.id), hook: waited ? running(state.clock, whole(view)) : undefined },
      h("span.face", null, waited && halo(), portrait(row.character ?? "none")),
      h("span.about", null,
        h("strong", null, row.characterName ?? "인물을 고르는 중"),
        row.alive ? row.maxLife > 0 && h("span.lives", null, life(view, row), h("small", { "data-says": `${Math.max(0, row.life)}/${row.maxLife}` })) : h("small", { "data-says": word(view.options.names, "out") })),
      row.alive && h("span.gear", null, h("small.reach", { "aria-hidden": "true" }, sight(), h("span", { "data-says": String(row.range) })), worn(row))),
    view.role && ownRole(ctx));
}

/**
 * My role is shown for as long as a finger (or Space) holds the card, so that nobody reads it over my shoulder. A screen
 * reader's click holds nothing: then it is told for a moment. The sheriff's is known to all.
 */
function ownRole(ctx) {
  const { state, ui, redraw, act } = ctx;
  const { view } = state;
  const open = isOpen(view, view.players.find(({ id }) => id === view.me));
  const show = (on) => () => {
    if (ui.peeking === on) return;
    ui.peeking = on;
    redraw();
  };
  const held = (event) => {
    event.preventDefault();
    ui.pressed = true;
    clearTimeout(ui.hold);
    ui.hold = setTimeout(show(true), 220);
  };
  const released = () => (clearTimeout(ui.hold), ui.peeking ? show(false)() : !open && act.hint("길게 누르고 있으면 내 역할이 보여요"));
  const key = (on) => (event) => [" ", "Enter"].includes(event.key) && (event.preventDefault(), event.stopPropagation(), show(on)());
  const clicked = () => {
    if (!ui.pressed) show(true)(), setTimeout(show(false), TOLD);
    ui.pressed = false;
  };
  return h("button.rolecard", { type: "button", class: [open && "known", ui.peeking && "held"], "aria-label": open ? `내 역할: ${view.roleName}` : "내 역할. 누르고 있으면 보여요",
    onpointerdown: held, onpointerup: released, onpointercancel: show(false), onpointerleave: show(false), onkeydown: key(true), onkeyup: key(false), onblur: show(false), onclick: clicked, oncontextmenu: (event) => event.preventDefault() },
    role(open ? view.role : "hidden"), h("small", null, open ? view.roleName : "내 역할"));
}

/** The role card itself, large, while it is held. */
export function peek({ state, ui }) {
  const { view } = state;
  if (!ui.peeking || !view.role) return null;
  return h("div.peek", { key: "peek", role: "status" }, role(view.role), h("strong", null, view.roleName), h("p", null, view.roleTip ?? aim(view.options.names, view.role)));
}

// ---------------------------------------------------------------- all about one

export function personSheet(ctx) {
  const { state, ui, redraw } = ctx;
  const { view } = state;
  const row = view.players.find(({ id }) => id === ui.person);
  if (!row) return null;
  const { names } = view.options;
  return sheet({ title: nameOf(state, row.id), close: () => ((ui.person = null), redraw()), key: "person", cls: "bngsheet" },
    h("div.scroll", null,
      h("div.whois", null, portrait(row.character ?? "none"),
        h("div", null, h("strong", null, row.characterName ?? "인물을 고르는 중"), h("p", null, row.ability),
          h("p.facts", null, h("span", null, life(view, row), `${Math.max(0, row.life)}/${row.maxLife}`), h("span", null, `손패 ${row.handCount}장`)))),
      h("p.rolerow", null, role(isOpen(view, row) ? row.role : "hidden"),
        h("span", null, isOpen(view, row) ? [h("strong", null, row.roleName), ` ${aim(names, row.role)}`] : "역할은 아직 비밀이에요")),
      h("p.rolerow", null, h("span.big", null, String(row.range)), h("span", null, h("strong", null, short(row.weapon)), ` ${word(names, "reach")} ${row.range}${row.distance !== undefined ? `. 나와의 거리 ${row.distance}${row.inRange ? "" : ", 닿지 않아요"}` : ""}`)),
      row.inPlay.length > 0 && h("ul.shelf", { "aria-label": "장착한 카드" }, row.inPlay.map(({ id, face }) => described(names, face, String(id)))),
      row.hand?.length > 0 && row.id !== view.me && [h("h3", null, "남은 손패"), h("ul.row", null, row.hand.map(({ id, face }) => h("li", { key: String(id) }, h("span", { role: "img", "aria-label": spoken(face) }, card(face)))))],
      row.away && h("p.hint", null, row.playedFor ? "자리를 비워서 대신 두고 있어요" : "자리를 비웠어요", icon("clock"))));
}

/** A card and what it does. */
export const described = (names, face, key) =>
  h("li", { key }, h("span", { role: "img", "aria-label": spoken(face) }, card(face)), h("p", null, h("strong", null, short(parts(face).name)), effect(names, parts(face).kind ?? "")));
