/** What somebody prefers on this device, and which hints they have read. Kept in this browser. */

import { read, write } from "./identity.js";

const KEY = "hanpan.preferences";
const SEEN = "hanpan.hints";

/** @type {import("./types/page").Preferences} */
export const preferences = { sound: true, vibration: true, big: false, hints: true, ...read(KEY) };

/** @type {Set<string>} */
let seen = new Set(read(SEEN) ?? []);

/** @param {Partial<import("./types/page").Preferences>} change */
export function prefer(change) {
  Object.assign(preferences, change);
  write(KEY, preferences);
  if (change.hints) write(SEEN, (seen = new Set(), null)); // switched on again: from the beginning
  applyPreferences();
}

/** Big letters are a matter of the root's font size: everything is measured in it. */
export function applyPreferences() {
  document.documentElement.classList.toggle("big", preferences.big);
}

/** The first of these that has not been read. @param {import("./types/page").Hint[]} hints */
export const unread = (hints) => (preferences.hints ? (hints.find(({ id }) => !seen.has(id)) ?? null) : null);

export function markRead(id) {
  seen.add(id);
  write(SEEN, [...seen]);
}
