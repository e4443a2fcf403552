/** Signing in, and what is asked before something is done. */

import { h } from "../ui/dom.js";
import { answered, set, signIn } from "./model.js";

/** @param {import("./types").Model} model */
export function signingIn(model) {
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn(String(form.get("token")).trim(), String(form.get("operator")).trim());
  };
  return h("main.door", { key: "door" },
    h("form", { onsubmit: submit },
      h("h1", null, h("img", { src: "/icon.svg", alt: "", width: "32", height: "32" }), "hanpan ops"),
      h("label", null, "Admin token", h("input", { name: "token", type: "password", autocomplete: "off", required: true, autofocus: true })),
      h("label", null, "Your name", h("small", null, "what your orders are logged under"),
        h("input", { name: "operator", type: "text", autocomplete: "username", required: true, maxlength: "40", value: model.operator })),
      model.refused && h("p.refused", { role: "alert" }, model.refused),
      h("button.primary", { type: "submit", disabled: model.signing }, model.signing ? "Asking…" : "Sign in"),
      h("p.hint", null, "Beside a hanpan of your own, ", h("code", null, "hanpan ops"), " prints an address that needs neither.")));
}

/** @param {import("./types").Model} model */
export function asking({ question, answer, busy }) {
  if (!question) return null;
  const { title, text, yes, danger, typed, choices } = question;
  const leave = () => !busy && set({ question: null });
  const submit = (event) => {
    event.preventDefault();
    answered();
  };
  return h("dialog.question", {
    key: title, "aria-label": title,
    hook: (el) => el.open || el.showModal(),
    oncancel: (event) => (event.preventDefault(), leave()),
  },
    h("form", { onsubmit: submit },
      h("h2", null, title),
      h("p", null, text),
      choices && h("fieldset", null, choices.map(({ value, text: words }) =>
        h("label.choice", { key: value }, h("input", { type: "radio", name: "choice", checked: value === answer, onchange: () => set({ answer: value }) }), words))),
      typed && h("label", null, "Type ", h("b.mono", null, typed), " to go on",
        h("input", { type: "text", autocomplete: "off", spellcheck: "false", oninput: (event) => set({ answer: event.target.value.trim().toUpperCase() }) })),
      h("div.buttons", null,
        h("button", { type: "button", onclick: leave, disabled: busy }, "Cancel"),
        h("button", { type: "submit", class: danger ? "danger" : "primary", disabled: busy || (!!typed && answer !== typed) }, busy ? "…" : yes))));
}
