/** An alert's page, read where it rings: what it means, where to look, what to do. Written in `ops/alerts/runbooks`. */

import { h } from "../ui/dom.js";
import { read } from "./model.js";

/** What opens an alert's page. */
export const runbookLink = (name) =>
  h("button.runbook", { type: "button", onclick: () => read(name), "aria-haspopup": "dialog" }, name);

/** @param {import("./types").Model} model */
export function reading({ reading, runbooks }) {
  if (!reading) return null;
  const close = () => read("");
  const text = runbooks === null ? null : runbooks[reading] ?? `# ${reading}\n\nThere is no page of this name.`;
  return h("dialog.page", {
    key: "reading", "aria-label": reading,
    hook: (el) => el.open || el.showModal(),
    oncancel: (event) => (event.preventDefault(), close()),
  },
    text === null ? h("p.hint", null, "Asking…") : blocks(text),
    h("div.buttons", null, h("button", { type: "button", onclick: close }, "Close")));
}

/** Markdown, as far as these pages use it: headings, paragraphs, lists of one level, and what `inline` knows. */
export function blocks(text) {
  return text.trim().split(/\n{2,}/).map((block) => {
    const heading = block.match(/^(#+) (.*)$/);
    if (heading) return h(`h${heading[1].length + 1}`, null, heading[2]);
    const items = block.split(/\n(?=- |\d+\. )/);
    const kind = /^- /.test(block) ? "ul" : /^\d+\. /.test(block) ? "ol" : null;
    if (kind) return h(kind, null, items.map((item) => h("li", null, inline(item.replace(/^(- |\d+\. )/, "")))));
    return h("p", null, inline(block));
  });
}

/** Code, what is strong, what is emphasised, and links to other pages of this kind; lines run on. */
export function inline(text) {
  return text.replace(/\s*\n\s*/g, " ").split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[\w+\]\(\w+\.md\))/).map((part) => {
    if (part.startsWith("`")) return h("code", null, part.slice(1, -1));
    if (part.startsWith("**")) return h("b", null, part.slice(2, -2));
    if (part.startsWith("*") && part.length > 2) return h("em", null, part.slice(1, -1));
    const link = part.match(/^\[(\w+)\]\(\1\.md\)$/);
    return link ? runbookLink(link[1]) : part;
  });
}
