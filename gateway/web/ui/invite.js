/** How friends come in: a code to type, a link to send, a QR code for whoever sits at the same table. */

import { sheet } from "./dialog.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { qr } from "./qr.js";

export function inviteSheet({ state, act }) {
  const { code } = state.room;
  const picture = qrOf(act.invitation());
  return sheet({ title: "친구 초대", close: act.closeSheet, key: "invite", cls: "small" },
    picture,
    h("p.hint.center", null, picture ? "카메라로 비추면 바로 들어와요" : "이 코드를 알려 주세요"),
    h("strong.code.center", null, code),
    h("div.buttons", null,
      h("button", { type: "button", onclick: act.copyLink }, icon("copy"), "링크 복사"),
      "share" in navigator && h("button.primary", { type: "button", onclick: act.share }, icon("share"), "보내기")));
}

/** @type {{address: string, drawn: import("../types/page").VNode | null}} */
let last = { address: "", drawn: null };

/** An address as a QR code; null where it is too long for one. */
export function qrOf(address) {
  if (last.address === address) return last.drawn;
  const modules = qr(address);
  last = { address, drawn: modules && picture(modules) };
  return last.drawn;
}

/** Dark on light, with the quiet edge that readers need. */
function picture(modules) {
  const size = modules.length + 8;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return h("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "이 방으로 들어오는 QR 코드", "shape-rendering": "crispEdges" },
    h("rect", { width: String(size), height: String(size), fill: "#fff" }), h("path", { d: path, fill: "#000" }));
}
