/**
 * Drawings as images. A picture is written as a description like any other, and shown as one `img`, so that it is one
 * thing to the browser, however much is drawn on it. A browser reads such an image when it is first shown, which costs
 * more than the rest of a drawing: what may be wanted soon is better read ahead.
 */

/** The address of a picture that is described as an `svg`. */
export const address = (drawing) => `data:image/svg+xml,${encodeURIComponent(written(drawing))}`;

function written({ tag, props, children }) {
  const attributes = Object.entries(props).map(([name, value]) => ` ${name}="${value}"`).join("");
  return `<${tag}${attributes}>${children.map((child) => (typeof child === "object" ? written(child) : child)).join("")}</${tag}>`;
}

/** Describes each thing once, so that drawing it again need not look at it. @returns {(key: string, draw: () => any) => any} */
export function once() {
  const drawn = new Map();
  return (key, draw) => drawn.get(key) ?? (drawn.set(key, draw()), drawn.get(key));
}

/** What was read ahead stays read for as long as somebody holds it. @type {Set<HTMLImageElement>} */
const held = new Set();

/** @type {(() => import("../types/page").VNode)[]} */
const wanted = [];

/** Has these images read while there is nothing else to do, one after the other. @param {(() => import("../types/page").VNode)[]} pictures */
export function ahead(pictures) {
  if (typeof Image === "undefined") return; // tests run without a browser
  if (wanted.push(...pictures) === pictures.length) later(readNext);
}

const later = (then) => ("requestIdleCallback" in globalThis ? requestIdleCallback(then) : setTimeout(then, 50));

function readNext() {
  const next = wanted.shift();
  if (!next) return;
  const image = new Image();
  image.src = next().props.src;
  held.add(image);
  if (wanted.length) later(readNext);
}
