/** For tests: looking at what a view has drawn. Views are plain values, so no page is needed. */

import { nothing } from "../state.js";

export function* all(vnode) {
  if (typeof vnode !== "object") return;
  yield vnode;
  for (const child of vnode.children) yield* all(child);
}

export const find = (tree, test) => [...all(tree)].filter(test);

export const words = (vnode) => (typeof vnode === "object" ? vnode.children.map(words).join(" ") : String(vnode));

export const withClass = (tree, cls) => find(tree, ({ props }) => props.class?.split(" ").includes(cls));

export const button = (tree, label) => find(tree, (one) => one.tag === "button" && `${words(one)} ${one.props["aria-label"] ?? ""}`.includes(label))[0];

/** A table of `module` for `me`, with what was played and hinted on it. */
export function seated(table, view, { me = "a", names = { a: "지호", b: "민서", c: "서연" }, decision = 7, legal = [], pending = [], log = [] } = {}) {
  const played = [], hints = [];
  const seats = view.seats.map((player) => ({ player, name: names[player], bot: false, ready: false, online: true, left: false }));
  const state = { ...nothing, you: { player: me, name: names[me] ?? me, seat: 0 }, room: { seats, status: "playing", host: "a" }, names, view, legal, decision, pending, log };
  const ctx = { state, ui: {}, game: null, replay: false, redraw() {}, act: { play: (action) => played.push(action), hint: (text) => hints.push(text), sound() {} } };
  return { ctx, played, hints, draw: () => table(ctx) };
}
