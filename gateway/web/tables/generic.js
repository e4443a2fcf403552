/** A table for any game: its view as panels, its legal actions as buttons. Plain, and complete. */

import { nameOf, pendingAction } from "../state.js";
import { h } from "../ui/dom.js";
import { stepper } from "../ui/form.js";
import { running } from "../ui/ring.js";
import { fieldsOf, labelOf } from "../ui/schema.js";
import { cardFace, facesIn, filled, grouped, isCard, named, pickedOf, picking, said, word } from "./labels.js";

export { describe } from "./labels.js";

/** @param {import("../types/page").TableContext} ctx */
export function table(ctx) {
  const { state } = ctx;
  const name = (player) => nameOf(state, player);
  const { options, labels: _, ...view } = state.view; // `labels` only say what the ids in actions are called
  const mine = state.decision > 0;
  return h("main.table.generic", { class: mine && "mine" },
    h("div.status", { role: "status" },
      h("strong", null, state.room.status === "finished" ? "끝났어요" : mine ? "내 차례예요" : "기다리고 있어요"),
      h("span.timer", { hook: running(state.clock) }, h("i.lapse"), h("b", { "data-seconds": "", text: true }))),
    actions(ctx, name),
    h("div.panels", null, panel(view, name), options && h("section.panel", { key: "options" }, h("h3", null, word("options")), settings(options, ctx.game, name))));
}

/** The game's own schema has better words for its options than we do. */
function settings(options, game, name) {
  const fields = new Map(fieldsOf(game?.options ?? {}).map((field) => [field.key, field]));
  const row = ([key, value]) => (fields.has(key) ? [fields.get(key)?.title, labelOf(fields.get(key), value)] : [word(key), said(value, name)]);
  return h("dl", null, Object.entries(options).map(row).map(([title, value]) => h("div", { key: title }, h("dt", null, title), h("dd", null, value))));
}

function actions(ctx, name) {
  const { state } = ctx;
  const busy = pendingAction(state) !== null || state.paused !== null;
  return h("section.actions", { "aria-label": "할 수 있는 행동" },
    grouped(state.legal, state.view, name).map((group) => {
      const plain = group.actions.map(({ action }) => action);
      const pick = picking(plain);
      return h("fieldset", { key: group.type, disabled: busy }, h("legend", null, group.title),
        pick ? picker(group, plain, pick, ctx, name) : group.actions.map((one) => button(one, ctx)));
    }));
}

function button(one, ctx) {
  return one.ranges.length ? ranged(one, ctx) : h("button", { key: one.key, type: "button", onclick: () => ctx.act.play(one.action) }, one.label);
}

/** Things to mark, and a button that works once the marked ones make a legal action. */
function picker({ type, title }, legal, { field, things }, { state, ui, act, redraw }, name) {
  const faces = facesIn(state.view);
  const called = (one) => said(named(field, one, faces), name, faces);
  const marked = new Set((ui[type] ?? []).filter((one) => things.includes(one)));
  const mark = (one) => () => ((ui[type] = marked.has(one) ? [...marked].filter((other) => other !== one) : [...marked, one]), redraw());
  const action = pickedOf(legal, field, marked);
  const sizes = [...new Set(legal.map((one) => one[field].length))].join(", ");
  return [
    things.map((one) => h("button.mark", { key: one, type: "button", "aria-pressed": String(marked.has(one)), onclick: mark(one) }, called(one))),
    h("button.primary.wide", { key: "go", type: "button", disabled: action === undefined, onclick: () => ((ui[type] = []), act.play(action)) }, action ? `${title} · ${[...marked].map(called).join(", ")}` : `${sizes}개를 골라 주세요`),
  ];
}

/** An action with numbers to choose: a stepper for each, then the button. */
function ranged({ key, action, label, ranges }, { ui, act, redraw }) {
  const values = (ui[key] ??= Object.fromEntries(ranges.map((field) => [field, action[field].min])));
  const set = (field) => (n) => ((values[field] = n), redraw());
  return h("div.ranged", { key },
    ranges.map((field) => h("div", { key: field }, h("span.label", null, word(field)),
      h("input", { type: "range", min: String(action[field].min), max: String(action[field].max), value: String(values[field]), "aria-label": word(field), oninput: (event) => set(field)(Number(event.target.value)) }),
      stepper(values[field], action[field].min, action[field].max, set(field), word(field)))),
    h("button.primary", { type: "button", onclick: () => act.play(filled(action, values)) }, `${label} · ${ranges.map((field) => values[field]).join(", ")}`));
}

// ---------------------------------------------------------------- a view as panels

const isPlain = (value) => value === null || typeof value !== "object";

function panel(view, name) {
  const entries = Object.entries(view);
  const short = entries.filter(([, value]) => isPlain(value));
  const people = entries.filter(([, value]) => isByPerson(value, name));
  const deep = entries.filter((entry) => !short.includes(entry) && !people.includes(entry)).sort(cardsFirst);
  return [
    short.length > 0 && h("dl", null, short.map(([key, value]) => h("div", { key }, h("dt", null, word(name(key))), h("dd", null, said(value, name))))),
    people.length > 0 && byPerson(people, name),
    deep.map(([key, value]) => h("section.panel", { key }, h("h3", null, word(name(key))), inside(value, name))),
  ];
}

const cardsFirst = ([, a], [, b]) => holdsCards(b) - holdsCards(a);
const holdsCards = (value) => Number(Array.isArray(value) && value.length > 0 && value.every(isCard));

/** Something plain for each person: `{p1: 5, p2: 4}`. */
const isByPerson = (value, name) =>
  value !== null && typeof value === "object" && Object.keys(value).length > 0 && Object.entries(value).every(([key, one]) => name(key) !== key && isPlain(one));

/** All that is known of each person, as one table. */
function byPerson(columns, name) {
  const people = [...new Set(columns.flatMap(([, value]) => Object.keys(value)))];
  return h("div.panel.people", { key: "people" }, h("table", null,
    h("thead", null, h("tr", null, h("th", null, word("player")), columns.map(([key]) => h("th", { key, scope: "col" }, word(key))))),
    h("tbody", null, people.map((player) => h("tr", { key: player }, h("th", { scope: "row" }, name(player)), columns.map(([key, value]) => h("td", { key }, player in value ? said(value[player], name) : "")))))));
}

function inside(value, name) {
  if (isPlain(value)) return h("span", null, said(value, name));
  if (isCard(value)) return card(value, name);
  if (!Array.isArray(value)) return panel(value, name);
  if (value.length === 0) return h("span.none", null, "없음");
  if (value.every(isPlain)) return h("span", null, said(value, name));
  return h("div.many", null, value.map((one, i) => h("div", { key: String(one?.id ?? i), class: !isCard(one) && "panel" }, inside(one, name))));
}

function card(value, name) {
  const { id: _, ...fields } = value;
  const face = cardFace(value);
  const more = Object.entries(fields).filter(([key, field]) => isPlain(field) && String(field) !== face && !["kind", "face"].includes(key));
  return h("span.minicard", null, h("b", null, face), more.length > 0 && h("small", null, more.map(([key, field]) => (name(field) === field ? `${word(key)} ${said(field, name)}` : name(field))).join(" · ")));
}
