/**
 * Views as functions: `h` describes elements, `render` makes the document so, touching only what differs, so that
 * focus, typed text and running transitions survive.
 *
 *   h("button.big", {onclick: play, disabled: !mine, "aria-label": "내기"}, icon("card"), "내기")
 *
 * Props: `on…` are listeners; `key` tells siblings apart; `style` sets custom properties; `text` is content that the
 * element's own `hook` looks after; `hook(element, isNew)` runs after each render; booleans and `value` are set as
 * properties, and only when they differ from the last description, so that typing is not undone; the rest are attributes.
 * A description that is the very object that was drawn before is taken to be unchanged, with all in it: what is drawn
 * often and is always the same (a playing card, a line of the log) is best described once.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @returns {import("../types/page").VNode} */
export function h(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  const { class: more, ...rest } = props ?? {};
  const cls = [...classes, ...[more].flat()].filter(Boolean).join(" ");
  return { tag, props: cls ? { class: cls, ...rest } : rest, children: children.flat(Infinity).filter(shown) };
}

const shown = (child) => child !== null && child !== undefined && child !== false && child !== "";

export function render(root, ...children) {
  const hooks = [];
  patchChildren(root, children.flat(Infinity).filter(shown), null, hooks);
  for (const hook of hooks) hook();
}

const NODE = Symbol("what a DOM node was last described as");

function patchChildren(parent, wanted, space, hooks) {
  const old = [...parent.childNodes];
  const keyed = new Map(old.filter((node) => node[NODE]?.props?.key !== undefined).map((n) => [n[NODE].props.key, n]));
  const plain = old.filter((node) => node[NODE]?.props?.key === undefined);
  const kept = new Set();
  wanted.forEach((vnode, i) => {
    const key = vnode.props?.key;
    const found = key === undefined ? plain.find((node) => !kept.has(node) && fits(node, vnode)) : keyed.get(key);
    const node = found && fits(found, vnode) ? patch(found, vnode, hooks) : create(vnode, space, hooks);
    kept.add(node);
    if (parent.childNodes[i] !== node) parent.insertBefore(node, parent.childNodes[i] ?? null);
  });
  for (const node of old) if (!kept.has(node)) node.remove();
}

const fits = (node, vnode) =>
  typeof vnode === "object" ? node[NODE]?.tag === vnode.tag : node.nodeType === Node.TEXT_NODE;

function create(vnode, space, hooks) {
  if (typeof vnode !== "object") return document.createTextNode(vnode);
  const inside = vnode.tag === "svg" ? SVG : space;
  const node = inside ? document.createElementNS(inside, vnode.tag) : document.createElement(vnode.tag);
  return patch(node, vnode, hooks, inside);
}

function patch(node, vnode, hooks, space = node.namespaceURI === SVG ? SVG : null) {
  if (typeof vnode !== "object") {
    if (node.data !== String(vnode)) node.data = vnode;
    return node;
  }
  const before = node[NODE];
  if (before === vnode) return node;
  const was = before?.props ?? {};
  node[NODE] = vnode;
  for (const name in { ...was, ...vnode.props }) {
    if (was[name] !== vnode.props[name]) setProp(node, name, vnode.props[name]);
  }
  if (!vnode.props.text) patchChildren(node, vnode.children, space, hooks);
  const hook = vnode.props.hook;
  if (hook) hooks.push(() => hook(node, before === undefined));
  return node;
}

function setProp(node, name, value) {
  if (name === "key" || name === "hook" || name === "text") return;
  if (name.startsWith("on")) {
    const type = name.slice(2);
    if (!(type in (node._listening ??= {}))) {
      node._listening[type] = true;
      node.addEventListener(type, (event) => node[NODE].props[name]?.(event));
    }
  } else if (name === "style") {
    for (const key in value) node.style.setProperty(key, value[key]);
  } else if (name === "value" || name === "checked" || typeof value === "boolean") {
    if (name.startsWith("aria-")) node.setAttribute(name, value);
    else node[name] = value;
  } else if (value === null || value === undefined) {
    if (typeof node[name] === "boolean") node[name] = false;
    else node.removeAttribute(name);
  } else {
    node.setAttribute(name, value);
  }
}

// ---------------------------------------------------------------- in passing

/** One of the elements of `index.html`. */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Says something once to people who listen to the page. */
export function announce(text) {
  const live = element("live");
  live.textContent = "";
  setTimeout(() => (live.textContent = text), 30);
}

export function toast(text) {
  const toasts = element("toasts");
  const one = document.createElement("p");
  one.textContent = text;
  toasts.append(one);
  while (toasts.childElementCount > 3) toasts.firstElementChild?.remove();
  setTimeout(() => one.remove(), 4200);
}

/** Does this person want things to keep still? Asking the browser each time would have it work out all styles first. */
export const calm = () => still;

let still = false;
if (typeof matchMedia === "function") {
  const wish = matchMedia("(prefers-reduced-motion: reduce)");
  still = wish.matches;
  wish.addEventListener("change", () => (still = wish.matches));
}

/** 를 or 을, 가 or 이…: `josa("지호", "이/가")`. Signs at the end do not count: 뱅!을. */
export function josa(word, pair) {
  const [closed, open] = pair.split("/");
  const letter = word.match(/[가-힣0-9A-Za-z](?=[^가-힣0-9A-Za-z]*$)/)?.[0] ?? "";
  const ends = /[가-힣]/.test(letter) ? (letter.charCodeAt(0) - 0xac00) % 28 > 0 : /[013678lmnrLMNR]/.test(letter);
  return word + (ends ? closed : open);
}
