/** 공정성 확인: the way to it, and what is shown until its sheet is here. The sheet itself is fetched when it is asked for. */

import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/** A button for a game that has a seal. @param {number} number @param {any} ctx */
export function checkFair(number, { state, act }) {
  return state.room.deal?.begun && h("button.quiet.fairly", { key: "fair", type: "button", onclick: () => act.openFair(number) }, icon("check"), "공정성 확인");
}

/** @param {import("../types/page").Sheet} about @param {any} ctx */
export function fairSheet(about, ctx) {
  if (about.view) return about.view(about, ctx);
  return sheet({ title: "공정성 확인", close: ctx.act.closeSheet, key: "fair" },
    about.refusal ? h("p", { role: "alert" }, about.refusal) : h("p", { role: "status" }, h("i.spinner"), "확인하고 있어요"));
}
