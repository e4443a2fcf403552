/** ui/schema.js: a game's options as fields. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { chosen, fieldsOf, matters, summary, switched, valuesOf } from "../ui/schema.js";

const SCHEMA = {
  $ref: "#/$defs/Options",
  $defs: {
    Options: {
      properties: {
        mode: { title: "규칙", oneOf: [{ const: "new", title: "새" }, { const: "old", title: "옛" }], enum: ["new", "old"], default: "new" },
        refill: { title: "보충", oneOf: [{ const: "on" }, { const: "off" }], default: "on", "x-house": true },
        aceHigh: { title: "A의 값", oneOf: [{ const: 10, title: "10" }, { const: 11, title: "11" }], default: 11, "x-only": { mode: "old" } },
        blind: { title: "시작 금액", type: "integer", minimum: 1, maximum: 9, default: 2 },
        open: { type: "boolean", default: false },
        level: { enum: ["low", "high"], default: "low" },
      },
    },
  },
};
const fields = fieldsOf(SCHEMA);
const field = (key) => fields.find((one) => one.key === key);

test("each property becomes a field of its kind, in order", () => {
  assert.deepEqual(fields.map(({ key, kind }) => [key, kind]), [
    ["mode", "choice"], ["refill", "switch"], ["aceHigh", "choice"], ["blind", "number"], ["open", "switch"], ["level", "choice"],
  ]);
  assert.deepEqual(field("mode").choices, [{ value: "new", label: "새" }, { value: "old", label: "옛" }]);
  assert.deepEqual(field("level").choices[0], { value: "low", label: "low" });
  assert.deepEqual([field("blind").min, field("blind").max], [1, 9]);
  assert.ok(field("refill").house);
});

test("what is not chosen is the default", () => {
  assert.deepEqual(valuesOf(fields, { aceHigh: 10 }), { mode: "new", refill: "on", aceHigh: 10, blind: 2, open: false, level: "low" });
});

test("only what differs and means something is sent", () => {
  const values = valuesOf(fields, { aceHigh: 10, refill: "off" });
  assert.equal(matters(field("aceHigh"), values), false);
  assert.deepEqual(chosen(fields, values), { refill: "off" });
  assert.deepEqual(chosen(fields, { ...values, mode: "old" }), { mode: "old", refill: "off", aceHigh: 10 });
});

test("numbers stay numbers: 0 and false are choices like others", () => {
  const lives = fieldsOf({ properties: { lives: { enum: ["auto", 0, 3], default: "auto" } } });
  assert.deepEqual(chosen(lives, valuesOf(lives, { lives: 0 })), { lives: 0 });
});

test("a switch says what its property says", () => {
  assert.equal(switched(field("refill"), false), "off");
  assert.equal(switched(field("open"), true), true);
});

test("the summary names what is not as usual", () => {
  assert.deepEqual(summary(fields, { mode: "old", refill: "off" }), ["규칙: 옛", "보충: 끔"]);
  assert.deepEqual(summary(fields, {}), []);
});
