/** A sheet over the page: from below on a phone, in the middle of a desktop. The browser keeps focus inside it. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/** @param {{title: string, close?: () => void, cls?: any, key?: string}} about */
export function sheet({ title, close, cls, key = title }, ...children) {
  return h(
    "dialog.sheet",
    {
      key,
      class: cls,
      "aria-label": title,
      hook: (el) => el.open || el.showModal(),
      oncancel: (event) => (event.preventDefault(), close?.()),
      onclick: (event) => event.target.tagName === "DIALOG" && close?.(),
    },
    h("div.inside", null,
      h("header", null,
        h("h2", null, title),
        close && h("button.round.quiet", { type: "button", onclick: close, "aria-label": "닫기" }, icon("close"))),
      children),
  );
}

/** A question with one way to go on. */
export function question({ title, text, yes, danger, then, close }) {
  return sheet({ title, close, cls: "small" },
    text && h("p", null, text),
    h("div.buttons", null,
      h("button", { type: "button", onclick: close }, "아니요"),
      h("button", { type: "button", class: danger ? "danger" : "primary", onclick: () => (close(), then()) }, yes)));
}
