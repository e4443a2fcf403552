/**
 * A game's options, from their JSON Schema to the fields of a form. Pure; nothing here knows any one game.
 *
 * A property is a choice (`oneOf` of `const` and `title`, or a bare `enum`), a switch (the choices "on" and "off", or a
 * boolean), a number or a text. `x-only: {mode: "classic"}` says that it means something only while `mode` is that;
 * `x-house` marks house rules.
 */

export function fieldsOf(schema) {
  const root = schema.$ref ? schema.$defs[schema.$ref.split("/").at(-1)] : schema;
  return Object.entries(root.properties ?? {}).map(([key, property]) => fieldOf(key, property));
}

function fieldOf(key, property) {
  const choices = choicesOf(property);
  return {
    key,
    title: property.title ?? key,
    about: property.description ?? "",
    kind: kindOf(property, choices),
    choices,
    default: property.default,
    min: property.minimum ?? null,
    max: property.maximum ?? null,
    only: property["x-only"] ?? {},
    house: property["x-house"] === true,
  };
}

function choicesOf(property) {
  const titled = (property.oneOf ?? property.anyOf ?? []).filter((one) => "const" in one);
  if (titled.length) return titled.map((one) => ({ value: one.const, label: one.title ?? String(one.const) }));
  return (property.enum ?? []).map((value) => ({ value, label: String(value) }));
}

function kindOf(property, choices) {
  const values = choices.map(({ value }) => value);
  if (property.type === "boolean" || (values.length === 2 && values.includes("on") && values.includes("off"))) return "switch";
  if (choices.length) return "choice";
  return property.type === "integer" || property.type === "number" ? "number" : "text";
}

/** What each field is set to: as chosen, or its default. */
export function valuesOf(fields, options) {
  return Object.fromEntries(fields.map((field) => [field.key, options[field.key] ?? field.default]));
}

/** Does this field mean anything beside these values? */
export function matters(field, values) {
  return Object.entries(field.only).every(([key, value]) => values[key] === value);
}

/** Only what differs from the defaults, and means something: what is sent. */
export function chosen(fields, values) {
  const kept = fields.filter((field) => matters(field, values) && values[field.key] !== field.default);
  return Object.fromEntries(kept.map(({ key }) => [key, values[key]]));
}

export const isOn = (value) => value === "on" || value === true;

export const switched = (field, on) => (field.choices.length ? (on ? "on" : "off") : on);

/** The chosen options as short phrases: what is not as usual. */
export function summary(fields, options) {
  const values = valuesOf(fields, options);
  return fields
    .filter((field) => field.key in chosen(fields, values))
    .map((field) => `${field.title}: ${labelOf(field, values[field.key])}`);
}

/** A value of this field, as its choices call it. */
export function labelOf(field, value) {
  if (field.kind === "switch") return isOn(value) ? "켬" : "끔";
  return field.choices.find((choice) => choice.value === value)?.label ?? String(value);
}
