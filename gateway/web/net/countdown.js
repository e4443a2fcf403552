/**
 * How long is left until the server's deadline. The server says "so many milliseconds from now"; from then on only
 * `performance.now()` counts, which no change of the phone's clock can move.
 *
 *   until   performance.now() of the deadline
 *   whole   how long it was when it was first heard of: what a full ring stands for
 *   held    while the room is paused: how much was left then
 */

const SAME_WITHIN = 400; // two announcements so close together mean one deadline

export function wound(before, deadlineIn, now) {
  if (deadlineIn === undefined || deadlineIn === null) return null;
  const until = now + deadlineIn;
  const same = before !== null && before.held === null && Math.abs(before.until - until) < SAME_WITHIN;
  return { until, whole: same ? before.whole : deadlineIn, held: null };
}

export function held(clock, now) {
  return clock && { ...clock, held: left(clock, now) };
}

/** The clock goes on: with what the server says is left, or else with what was left when it stopped. */
export function released(clock, deadlineIn, now) {
  const ms = deadlineIn ?? clock?.held ?? null;
  if (ms === null) return clock;
  return { until: now + ms, whole: Math.max(clock?.whole ?? 0, ms), held: null };
}

export function left(clock, now) {
  if (clock === null) return null;
  return clock.held ?? Math.max(0, clock.until - now);
}
