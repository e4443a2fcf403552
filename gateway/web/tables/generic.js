/** A table for any game: its view as panels, its legal actions as buttons. Plain, and complete. */

import { nameOf, pendingAction } from "../state.js";
import { h } from "../ui/dom.js";
import { stepper } from "../ui/form.js";
import { running } from "../ui/ring.js";
import { cardFace, filled, grouped, isCard, said, word } from "./labels.js";

export { describe } from "./labels.js";

export function table(ctx) {
  const { state } = ctx;
  const name = (player) => nameOf(state, player);
  const { result, ...view } = state.view;
  const mine = state.decision > 0;
  return h("main.table.generic", { class: mine && "mine" },
    h("div.status", { role: "status" },
      h("strong", null, state.room.status === "finished" ? "끝났어요" : mine ? "내 차례예요" : "기다리고 있어요"),
      h("span.timer", { hook: running(state.clock) }, h("i"), h("b", { "data-seconds": "", text: true }))),
    actions(ctx, name),
    h("div.panels", null, panel(view, name)));
}

function actions(ctx, name) {
  const { state, act, ui } = ctx;
  const busy = pendingAction(state) !== null || state.paused !== null;
  return h("section.actions", { "aria-label": "할 수 있는 행동" },
    grouped(state.legal, state.view, name).map((group) =>
      h("fieldset", { key: group.type, disabled: busy },
        h("legend", null, group.title),
        group.actions.map((one) => (one.ranges.length ? ranged(one, ui, ctx, name) : h("button", { key: one.key, type: "button", onclick: () => act.play(one.action) }, one.label))))));
}

/** An action with numbers to choose: a stepper for each, then the button. */
function ranged({ key, action, label, ranges }, ui, { act, redraw }) {
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
  const deep = entries.filter(([, value]) => !isPlain(value));
  return [
    short.length > 0 && h("dl", null, short.map(([key, value]) => h("div", { key }, h("dt", null, word(name(key))), h("dd", null, said(value, name))))),
    deep.map(([key, value]) => h("section.panel", { key }, h("h3", null, word(name(key))), inside(value, name))),
  ];
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
  return h("span.minicard", null, h("b", null, face), more.length > 0 && h("small", null, more.map(([key, field]) => `${word(key)} ${said(field, name)}`).join(" · ")));
}
