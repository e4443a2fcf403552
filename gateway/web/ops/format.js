/** How numbers, times and events are written. All pure. */

/** Whole numbers with their thousands apart. */
export const number = (value) => (value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en"));

/** Milliseconds, as short as they can be read. */
export function ms(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 10_000) return `${(value / 1000).toFixed(0)} s`;
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 10 ? `${value.toFixed(0)} ms` : `${value.toFixed(1)} ms`;
}

export const percent = (part, digits = 0) => (part === null || part === undefined || Number.isNaN(part) ? "–" : `${(part * 100).toFixed(digits)} %`);

export const gib = (bytes) => (bytes === null || bytes === undefined ? "–" : `${(bytes / 2 ** 30).toFixed(bytes < 10 * 2 ** 30 ? 1 : 0)} GiB`);

/** How long something takes or took: 4 s, 12 min, 3 h 5 min, 2 d 4 h. */
export function lasting(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
}

/** The time of day here, to the second. */
export const clock = (unixMs) => new Date(unixMs).toLocaleTimeString("en-GB");

/** Day and time, in UTC: what the log says. */
export const stamp = (unixMs) => `${new Date(unixMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** Room time since the first entry: 4.1 s, 12:05. */
export function since(at) {
  const s = at / 1000;
  if (s < 60) return `${s.toFixed(1)} s`;
  const hours = Math.floor(s / 3600), minutes = Math.floor(s / 60) % 60, rest = String(Math.floor(s) % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** A value on one line; players by their names. */
export function brief(value, names = {}) {
  if (typeof value === "string") return names[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => brief(one, names)).join(", ");
  if (value && typeof value === "object") {
    const said = Object.entries(value).map(([name, inner]) => [names[name] ?? name, brief(inner, names)]);
    return said.filter(([, words]) => words !== "").map((pair) => pair.join(" ")).join(", ");
  }
  return value === null ? "none" : String(value);
}

/**
 * An event: its type, and its fields as `name value`; who did it has been said.
 *
 * @param {any} event @param {Record<string, string>} names @param {string | null} [who]
 */
export function event({ type, ...fields }, names = {}, who = null) {
  const told = Object.entries(fields).filter(([name, value]) => name !== "player" || value !== who);
  return { type, told: told.map(([name, value]) => `${name} ${brief(value, names)}`).join(" · ") };
}
