/** The shell around `Session`: a real WebSocket, a real clock, and the browser's word that the network is back. */

import { randomName } from "./api.js";
import { Session } from "./session.js";

/** Connects to a room and stays connected. `tell` gets every message for the store. */
export function connect({ token, room, join, key, pledge, tell }) {
  const session = new Session({ token, room, join, key, pledge, prefix: randomName() });
  let socket = null;
  let timer = null;

  const now = () => performance.now();
  const nudge = () => document.visibilityState === "visible" && run(session.nudge(now()));

  function run(effects) {
    for (const effect of effects) {
      switch (effect.do) {
        case "open":
          open(effect.at ?? location.origin);
          break;
        case "close":
          drop();
          break;
        case "send":
          if (socket?.readyState === WebSocket.OPEN) socket.send(effect.text);
          break;
        case "tell":
          tell(effect.message);
          break;
      }
    }
    clearTimeout(timer);
    const at = session.wakeAt;
    if (at !== null) timer = setTimeout(() => run(session.tick(now())), Math.max(10, at - now()));
  }

  function open(at) {
    drop();
    const mine = new WebSocket(`${at.replace(/^http/, "ws")}/ws`);
    const ifMine = (then) => (event) => mine === socket && run(then(event));
    socket = mine;
    mine.onopen = ifMine(() => session.opened(now()));
    mine.onmessage = ifMine((event) => session.received(event.data, now()));
    mine.onclose = ifMine(() => session.closed(now()));
  }

  /** A socket on a dead network takes minutes to close; nobody waits for it. */
  function drop() {
    const old = socket;
    socket = null;
    old?.close();
  }

  addEventListener("online", nudge);
  addEventListener("pageshow", nudge);
  document.addEventListener("visibilitychange", nudge);
  run(session.start(now()));

  return {
    /** Sends a message of ours; returns the id under which it will be answered. */
    say(message) {
      const { id, effects } = session.say(message, now());
      run(effects);
      return id;
    },
    end() {
      removeEventListener("online", nudge);
      removeEventListener("pageshow", nudge);
      document.removeEventListener("visibilitychange", nudge);
      run(session.end());
      clearTimeout(timer);
    },
  };
}
