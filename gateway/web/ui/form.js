/** Form controls, drawn from descriptions of fields. Each calls `set(key, value)`; the values live with the caller. */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { isOn, matters, switched } from "./schema.js";

export function fields(list, values, set) {
  const visible = list.filter((field) => matters(field, values));
  const plain = visible.filter((field) => !field.house);
  const house = visible.filter((field) => field.house);
  return [
    plain.map((field) => control(field, values[field.key], set)),
    house.length > 0 &&
      h(
        "details.house",
        { key: "house" },
        h("summary", null, "하우스 룰"),
        house.map((field) => control(field, values[field.key], set)),
      ),
  ];
}

function control(field, value, set) {
  switch (field.kind) {
    case "switch":
      return toggle(field.title, isOn(value), (on) => set(field.key, switched(field, on)), field.about, field.key);
    case "choice":
      return choice(field, value, set);
    case "number":
      return h("div.field", { key: field.key }, h("span.label", null, field.title), about(field),
        stepper(value, field.min ?? 0, field.max ?? 999, (next) => set(field.key, next), field.title));
    default:
      return h("label.field", { key: field.key }, h("span.label", null, field.title), about(field),
        h("input", { value: value ?? "", oninput: (event) => set(field.key, event.target.value) }));
  }
}

const about = (field) => field.about && h("span.hint", null, field.about);

/** Few short choices as a row to tap, others as a list to open; where there is but one it is a fact. */
function choice(field, value, set) {
  if (field.choices.length === 1) return h("div.field.across", { key: field.key }, h("span.label", null, field.title, about(field)), h("span", null, field.choices[0].label));
  const short = field.choices.length <= 6 && field.choices.every(({ label }) => label.length <= 5);
  if (short) {
    return h("fieldset.field", { key: field.key }, h("legend.label", null, field.title), about(field),
      h("div.segments", null, field.choices.map((one) =>
        h("label", { key: String(one.value) },
          h("input", { type: "radio", name: `option-${field.key}`, checked: one.value === value, onchange: () => set(field.key, one.value) }),
          h("span", null, one.label)))));
  }
  return h("label.field", { key: field.key }, h("span.label", null, field.title), about(field),
    h("select", { value: String(field.choices.findIndex((one) => one.value === value)),
      onchange: (event) => set(field.key, field.choices[event.target.value].value),
      // The value can be chosen only once its option is there.
      hook: (el, isNew) => isNew && (el.value = String(field.choices.findIndex((one) => one.value === value))) },
      field.choices.map((one, i) => h("option", { value: String(i) }, one.label))));
}

export function toggle(title, on, set, hint = "", key = title) {
  return h("label.field.toggle", { key },
    h("span.label", null, title, hint && h("span.hint", null, hint)),
    h("input", { type: "checkbox", role: "switch", checked: on, onchange: (event) => set(event.target.checked) }),
    h("span.knob", { "aria-hidden": "true" }));
}

/** A room's password: shown as it is typed, as people say it to each other. */
export function password(value, set) {
  return h("label.field", { key: "password" }, h("span.label", null, "비밀번호", h("span.hint", null, "초대 링크로 온 친구는 몰라도 돼요")),
    h("input", { value, maxlength: "32", autocomplete: "off", oninput: (event) => set(event.target.value) }));
}

/** A whole number with − and +. */
export function stepper(value, min, max, set, title) {
  const to = (next) => set(Math.max(min, Math.min(max, next)));
  return h("div.stepper", { role: "group", "aria-label": title },
    h("button.round", { type: "button", disabled: value <= min, onclick: () => to(value - 1), "aria-label": "하나 줄이기" }, icon("minus")),
    h("output", { "aria-live": "polite" }, String(value)),
    h("button.round", { type: "button", disabled: value >= max, onclick: () => to(value + 1), "aria-label": "하나 늘리기" }, icon("plus")));
}
