/**
 * A client's side of the protocol, without a socket and without a clock: what happened goes in, what is to be done
 * comes out, as a list of effects.
 *
 *   {do: "open", at}        open a socket, forgetting any other        → `opened`, `received`, `closed`
 *                           at: another gateway's address; null: where the page is from
 *   {do: "close"}           drop the socket without waiting for its end
 *   {do: "send", text}      send this
 *   {do: "tell", message}   show this to the store; a server's message, or one of our own, whose type begins with `$`
 *
 *              open                 opened            welcome
 *   RESTING ─────────▶ CONNECTING ─────────▶ GREETING ─────────▶ OPEN
 *      ▲                    │ late               │ silent          │ silent
 *      └────────────────────┴── closed, or a Bye with `again` ─────┘        a Bye without it: ENDED, for good
 *
 * - What a person does gets an id once, and is kept and sent again, on whatever socket there is, until it is answered.
 *   The room answers a repeated id as it did the first time, so sending twice never does a thing twice.
 * - The browser hides WebSocket pings, so silence is noticed by pings of our own.
 * - Times are `performance.now()` milliseconds, given by the caller. The phone's own clock is never asked.
 */

export const VERSION = 1;

const CONNECT_WITHIN = 10_000;
const QUIET_AFTER = 12_000; // without a word from the server, ask whether it is there
const ANSWER_WITHIN = 6_000;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;
const RETRY_WAIT = 600; // before a refused message with `retry` is sent again; grows with each time
const RETRIES = 6;

const RESTING = "resting", CONNECTING = "connecting", GREETING = "greeting", OPEN = "open", ENDED = "ended";

export class Session {
  /**
   * `prefix` begins every id and must differ between pages; `join` is what to ask for on first arrival, `key` opens a
   * locked room: a password, or an invitation's.
   *
   * @param {{token: string, room: string, join?: "seat" | "watch", key?: string, pledge?: string, prefix: string, random?: () => number}} about
   */
  constructor({ token, room, join = "seat", key, pledge, prefix, random = Math.random }) {
    this.state = RESTING;
    /** @type {{token: string, room: string, join: "seat" | "watch", key?: string, pledge?: string}} */
    this._hello = { token, room, join, ...(key ? { key } : {}), ...(pledge ? { pledge } : {}) };
    this._prefix = prefix;
    this._random = random;
    this._count = 0;
    this._unanswered = new Map(); // id -> {message, retryAt, refusals}
    this._seq = null;
    this._failures = 0; // in a row, without a welcome between them
    /** @type {string | null} */
    this._at = null; // the gateway to go to, where one that ended has named another
    this._openAt = null; // RESTING: when to try again
    this._heardAt = 0; // otherwise: when anything last came
    this._askedAt = null; // since when a ping is unanswered
  }

  // ---------------------------------------------------------------- from the page

  start(now) {
    return this.state === RESTING ? this._open(now) : [];
  }

  /** Sends a message as soon as it can be sent. Returns its id and the effects. */
  say(message, now) {
    const id = `${this._prefix}.${++this._count}`;
    const said = { message: { ...message, id }, retryAt: null, refusals: 0 };
    if (this.state === ENDED) return { id, effects: [] };
    this._unanswered.set(id, said);
    const effects = [tell({ type: "$sent", id, message })];
    if (this.state === OPEN) effects.push(send(said.message));
    return { id, effects };
  }

  /** The network is back, or somebody looks at the page again: do not wait any longer. */
  nudge(now) {
    if (this.state === RESTING) return this._open(now);
    if (this.state === OPEN || this.state === GREETING) return this._ask(now);
    return [];
  }

  end() {
    if (this.state === ENDED) return [];
    this.state = ENDED;
    this._unanswered.clear();
    return [{ do: "close" }];
  }

  // ---------------------------------------------------------------- from the socket

  opened(now) {
    if (this.state !== CONNECTING) return [];
    this.state = GREETING;
    this._heardAt = now;
    this._askedAt = null;
    /** @type {import("../types/messages").Hello} */
    const hello = { type: "hello", ...this._hello, v: VERSION };
    if (this._seq !== null) hello.seq = this._seq;
    return [send(hello)];
  }

  received(text, now) {
    if (this.state !== GREETING && this.state !== OPEN) return [];
    this._heardAt = now;
    this._askedAt = null;
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return [];
    }
    switch (message.type) {
      case "welcome":
        return this._welcomed(message);
      case "update":
        this._keep(message);
        this._seq = message.seq;
        return [tell(message)];
      case "ack":
        return this._unanswered.delete(message.id) ? [tell(message)] : [];
      case "reject":
        return this._rejected(message, now);
      case "resume":
        for (const said of this._unanswered.values()) if (said.retryAt !== null) said.retryAt = now;
        return [tell(message), ...this.tick(now)];
      case "bye":
        return this._dismissed(message, now);
      case "pong":
        return [];
      default:
        return [tell(message)];
    }
  }

  closed(now) {
    return this.state === ENDED || this.state === RESTING ? [] : this._rest(now, 0);
  }

  // ---------------------------------------------------------------- from the clock

  /** Whatever is due. Worth calling at `wakeAt`, harmless at any time. */
  tick(now) {
    switch (this.state) {
      case RESTING:
        return this._openAt !== null && now >= this._openAt ? this._open(now) : [];
      case CONNECTING:
        return now >= this._heardAt + CONNECT_WITHIN ? [{ do: "close" }, ...this._rest(now, 0)] : [];
      case GREETING:
      case OPEN:
        if (this._askedAt !== null && now >= this._askedAt + ANSWER_WITHIN) {
          return [{ do: "close" }, ...this._rest(now, 0)];
        }
        if (this._askedAt === null && now >= this._heardAt + QUIET_AFTER) return this._ask(now);
        return this.state === OPEN ? this._retries(now) : [];
      default:
        return [];
    }
  }

  /** When `tick` will next have something to do; null: never. */
  get wakeAt() {
    switch (this.state) {
      case RESTING:
        return this._openAt;
      case CONNECTING:
        return this._heardAt + CONNECT_WITHIN;
      case GREETING:
      case OPEN: {
        const quiet = this._askedAt === null ? this._heardAt + QUIET_AFTER : this._askedAt + ANSWER_WITHIN;
        const retries = [...this._unanswered.values()].map((said) => said.retryAt ?? Infinity);
        return Math.min(quiet, ...retries);
      }
      default:
        return null;
    }
  }

  // ---------------------------------------------------------------- inside

  _open(now) {
    this.state = CONNECTING;
    this._heardAt = now;
    return [tell({ type: "$link", status: "connecting" }), { do: "open", at: this._at }];
  }

  _rest(now, atLeast, why) {
    if (this.state !== OPEN) this._at = null; // nobody let us in there
    this.state = RESTING;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this._failures);
    this._failures += 1;
    this._openAt = now + atLeast + wait * (0.5 + this._random() / 2);
    return [tell(why ? { type: "$link", status: "lost", why } : { type: "$link", status: "lost" })];
  }

  _welcomed(message) {
    const first = this.state === GREETING;
    this.state = OPEN;
    this._failures = 0;
    this._seq = message.seq;
    this._keep(message);
    delete this._hello.pledge; // it was for the seat, and may have been opened since
    this._hello.join = "watch"; // whoever has a seat keeps it; whoever gave it back does not want it again
    const again = first ? [...this._unanswered.values()].map((said) => send(said.message)) : [];
    return [tell(message), ...again];
  }

  /** Whoever is in a locked room comes back by its invitation, also when the password is another by then. */
  _keep({ room }) {
    if (room?.locked) this._hello.key = room.invite;
  }

  _rejected(message, now) {
    const said = this._unanswered.get(message.id);
    if (said === undefined) return [];
    if (message.retry && said.refusals < RETRIES) {
      said.refusals += 1;
      said.retryAt = now + RETRY_WAIT * said.refusals * (0.75 + this._random() / 2);
      return [];
    }
    this._unanswered.delete(message.id);
    return [tell(message)];
  }

  _retries(now) {
    const effects = [];
    for (const said of this._unanswered.values()) {
      if (said.retryAt !== null && now >= said.retryAt) {
        said.retryAt = null;
        effects.push(send(said.message));
      }
    }
    return effects;
  }

  _dismissed(message, now) {
    if (message.again) {
      const effects = [{ do: "close" }, ...this._rest(now, message.after ?? 0, message.message)];
      this._at = message.at ?? this._at;
      return effects;
    }
    return [...this.end(), tell(message)];
  }

  _ask(now) {
    if (this._askedAt !== null) return [];
    this._askedAt = now;
    return [send({ type: "ping", t: Math.round(now) })];
  }
}

/** @typedef {{do: "open"} | {do: "close"} | {do: "send", text: string} | {do: "tell", message: any}} Effect */

/** @returns {Effect} */
const send = (message) => ({ do: "send", text: JSON.stringify(message) });
/** @returns {Effect} */
const tell = (message) => ({ do: "tell", message });
