/**
 * Views as functions: `h` describes elements, `render` makes the document so, touching only what differs, so that
 * focus, typed text and running transitions survive.
 *
 *   h("button.big", {onclick: play, disabled: !mine, "aria-label": "내기"}, icon("card"), "내기")
 *
 * Props: `on…` are listeners; `key` tells siblings apart; `style` sets custom properties; `text` is content that the
 * element's own `hook` looks after; `hook(element, isNew)` runs after each render, and what it left as the element's
 * `_unhooked` when the element has no hook any more; booleans and `value` are set as properties, and only when they
 * differ from the last description, so that typing is not undone; the rest are attributes. A description that is the
 * very object that was drawn before is taken to be unchanged, with all in it: what is drawn often and is always the
 * same (a playing card, a line of the log) is best described once.
 */

const SVG = "http://www.w3.org/2000/svg";

/** Props of whatever has none, always the same object. */
const NONE = Object.freeze({});

/** @type {Map<string, {tag: string, classes: string}>} */
const names = new Map();

function split(name) {
  const [tag, ...classes] = name.split(".");
  const found = { tag, classes: classes.join(" ") };
  names.set(name, found);
  return found;
}

/** @returns {import("../types/page").VNode} */
export function h(name, props, ...children) {
  const { tag, classes } = names.get(name) ?? split(name);
  return { tag, props: classed(props ?? NONE, classes), children: gathered(children, []) };
}

/** With one `class`, if any: what the name says, and what of the props' own is true. Called for all that is drawn. */
function classed(props, classes) {
  if (!("class" in props)) return classes ? { class: classes, ...props } : props;
  return { ...props, class: joined(classes, props.class) || undefined };
}

function joined(classes, more) {
  if (!Array.isArray(more)) return !more ? classes : classes ? `${classes} ${more}` : more;
  let all = classes;
  for (const one of more) if (one) all = all ? `${all} ${one}` : one;
  return all;
}

/**
 * A description that stays the very object for as long as all that it depends on is the same, so that neither is it made
 * anew nor looked at again. What it does when it is tapped must be looked up then, not now.
 *
 * @param {Record<string, any>} memory of the view's own, emptied with it
 * @param {string} name of this description in that memory
 * @param {any[]} on what it depends on, compared one by one
 * @param {() => import("../types/page").VNode} make
 */
export function kept(memory, name, on, make) {
  const all = (memory.descriptions ??= new Map());
  const last = all.get(name);
  if (last && last.on.length === on.length && last.on.every((one, i) => one === on[i])) return last.made;
  const made = make();
  all.set(name, { on, made });
  return made;
}

/** One flat list of what is to be seen, out of lists within lists. */
function gathered(children, into) {
  for (const child of children) {
    if (Array.isArray(child)) gathered(child, into);
    else if (child !== null && child !== undefined && child !== false && child !== "") into.push(child);
  }
  return into;
}

export function render(root, ...children) {
  const hooks = [];
  patchChildren(root, gathered(children, []), null, hooks);
  for (const { node, isNew } of hooks) node[NODE].props.hook(node, isNew);
}

/**
 * Calls it as soon as what is being drawn has been laid out. Whatever asks where something is, or gives it the focus, has
 * the browser lay out all that has changed; in the middle of a drawing that would be done twice.
 */
export const afterDrawing = (then) => setTimeout(then);

const NODE = Symbol("what a DOM node was last described as");

/**
 * Most drawings change nothing in the order of things, so that is tried first: each child against the one that is wanted
 * in its place. From the first that does not fit on, those with a key are found by it and the others by their kind. What
 * is no longer wanted goes before anything is moved: a node that is moved loses its focus and begins its animation anew.
 */
function patchChildren(parent, wanted, space, hooks) {
  let at = parent.firstChild;
  let i = 0;
  for (; i < wanted.length && at !== null && keyOf(at) === wanted[i].props?.key && fits(at, wanted[i]); i += 1) {
    patch(at, wanted[i], hooks);
    at = at.nextSibling;
  }
  if (i === wanted.length && at === null) return;
  const before = at === null ? parent.lastChild : at.previousSibling;
  const keyed = new Map();
  const plain = new Set();
  for (; at !== null; at = at.nextSibling) keyOf(at) === undefined ? plain.add(at) : keyed.set(keyOf(at), at);
  const nodes = [];
  for (; i < wanted.length; i += 1) nodes.push(found(wanted[i], keyed, plain, space, hooks));
  for (const node of keyed.values()) node.remove();
  for (const node of plain) node.remove();
  at = before === null ? parent.firstChild : before.nextSibling;
  for (const node of nodes) node === at ? (at = at.nextSibling) : parent.insertBefore(node, at);
}

const keyOf = (node) => node[NODE]?.props?.key;

/** The node of this description, made what it says: one of these, which is then no longer among them, or a new one. */
function found(vnode, keyed, plain, space, hooks) {
  const key = vnode.props?.key;
  let node = key === undefined ? null : keyed.get(key);
  if (key === undefined) for (const one of plain) if (fits(one, vnode)) { node = one; break; }
  if (!node || !fits(node, vnode)) return create(vnode, space, hooks);
  key === undefined ? plain.delete(node) : keyed.delete(key);
  return patch(node, vnode, hooks);
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
  node[NODE] = vnode;
  const was = before?.props ?? NONE, { props } = vnode;
  for (const name in props) if (was[name] !== props[name]) setProp(node, name, props[name], was[name]);
  for (const name in was) if (!(name in props)) setProp(node, name, undefined, was[name]);
  if (!props.text) patchChildren(node, vnode.children, space, hooks);
  if (props.hook) hooks.push({ node, isNew: before === undefined });
  return node;
}

function setProp(node, name, value, was) {
  if (name === "hook" && value === undefined) node._unhooked?.();
  if (name === "key" || name === "hook" || name === "text") return;
  if (name.startsWith("on")) {
    const type = name.slice(2);
    if (!(type in (node._listening ??= {}))) {
      node._listening[type] = true;
      node.addEventListener(type, (event) => node[NODE].props[name]?.(event));
    }
  } else if (name === "style") {
    for (const key in value) if (was?.[key] !== value[key]) node.style.setProperty(key, value[key]);
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

/**
 * Whether a media query holds, kept up to date: asking the browser each time would have it work out all styles first.
 *
 * @param {string} query @param {() => void} then called when it changes
 */
export function media(query, then = () => {}) {
  if (typeof matchMedia !== "function") return () => false; // tests run without a browser
  const wish = matchMedia(query);
  let holds = wish.matches;
  wish.addEventListener("change", () => ((holds = wish.matches), then()));
  return () => holds;
}

/** Does this person want things to keep still? */
export const calm = media("(prefers-reduced-motion: reduce)");

/** 를 or 을, 가 or 이…: `josa("지호", "이/가")`. Signs at the end do not count: 뱅!을. */
export function josa(word, pair) {
  const [closed, open] = pair.split("/");
  const letter = word.match(/[가-힣0-9A-Za-z](?=[^가-힣0-9A-Za-z]*$)/)?.[0] ?? "";
  const ends = /[가-힣]/.test(letter) ? (letter.charCodeAt(0) - 0xac00) % 28 > 0 : /[013678lmnrLMNR]/.test(letter);
  return word + (ends ? closed : open);
}
