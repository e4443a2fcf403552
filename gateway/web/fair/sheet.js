/** 공정성 확인: the evidence of one game, checked here and now, in words that need no mathematics. */

import { sheet } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { check } from "./check.js";

const look = document.createElement("link");
look.rel = "stylesheet";
look.href = new URL("./sheet.css", import.meta.url).href;
document.head.append(look);

const TABLE = ["seats", "dealer", "first"]; // not cards, but people
const WHAT = { seats: "자리", dealer: "선", first: "첫 차례", roles: "역할", characters: "캐릭터" };

/** Each piece of evidence is checked once, however often it is drawn. */
const verdicts = new WeakMap();

/** @param {import("../types/page").Evidence} evidence */
function verdictOn(evidence) {
  if (!verdicts.has(evidence)) verdicts.set(evidence, check(evidence));
  return verdicts.get(evidence);
}

/** @param {any} about @param {any} ctx */
export function fairSheet({ evidence, heard }, { act }) {
  const wrong = [...verdictOn(evidence), ...(heard && heard.seal !== evidence.seal ? ["시작 전에 이 화면이 받은 봉인과 달라요"] : [])];
  const cards = evidence.drawn.reduce((sum, { what, opened }) => sum + (TABLE.includes(what) ? 0 : opened.length), 0);
  const name = (player) => (player === null ? "" : evidence.names[player] ?? player);
  return sheet({ title: "공정성 확인", close: act.closeSheet, key: "fair", cls: "fair" },
    h("div.scroll", null,
      wrong.length === 0
        ? h("p.fair-verdict.good", { role: "status" }, icon("check"), `맞아요. 펼쳐 본 ${cards}장이 모두 봉인된 그대로예요.`)
        : h("div.fair-verdict.bad", { role: "alert" }, h("p", null, icon("close"), "맞지 않아요. 이 판의 카드는 믿을 수 없어요."), h("ul", null, wrong.map((text) => h("li", { key: text, lang: /[가-힣]/.test(text) ? "ko" : "en" }, text)))),
      h("p", null, wrong.length > 0
        ? "봉인과 맞지 않는 데가 있어요. 아래에서 증거를 저장하면, 무엇이 다른지 누구나 확인할 수 있어요."
        : Object.keys(evidence.numbers).length > 0
        ? "서버는 시작하기 전에 이 판의 카드를 모두 봉인했고, 봉인한 뒤에야 사람들의 수가 공개되어 나눠 줄 순서가 정해졌어요. 그래서 서버도 사람도 카드를 고를 수 없었어요."
        : "서버가 시작하기 전에 봉인한 그대로예요. 하지만 수를 보탠 사람이 없어서, 서버가 카드를 고르지 않았다고까지는 말할 수 없어요."),
      h("p.hint", null, evidence.over
        ? "모두가 본 카드와 내가 받은 카드만 펼쳐요. 끝까지 가려진 카드는 여기서도 가려져 있어요."
        : "지금은 내가 받은 카드와 자리만 펼쳐요. 모두가 본 카드는 판이 끝나면 확인할 수 있어요."),
      h("dl.details", null,
        line("수를 보탠 사람", Object.keys(evidence.numbers).map(name).join(", ") || "없어요"),
        evidence.silent.length > 0 && line("보태지 않은 사람", evidence.silent.map(name).join(", ")),
        heard?.lent && line("이 화면이 보탠 수", Object.values(evidence.numbers).includes(heard.lent) ? "들어갔어요" : "늦어서 빠졌어요"),
        line("시작 전에 받은 봉인", !heard ? "이 화면은 받지 못했어요" : heard.seal === evidence.seal ? "같아요" : "달라요")),
      h("p.fair-seal", null, h("small", null, "봉인"), h("code", null, evidence.seal)),
      h("ol.fair-draws", null, drawsOf(evidence).map(({ title, what, opened, draw }) => h("li", { key: String(draw) },
        h("strong", null, title),
        TABLE.includes(what)
          ? h("span", null, opened.map(({ player }) => name(player)).join(" · "))
          : h("ul", null, byPlayer(opened).map(([player, faces]) => h("li", { key: String(player) }, player !== null && h("b", null, name(player)), h("span", null, faces.join(" · ")))))))),
      h("div.buttons", null, h("button", { type: "button", onclick: () => save(evidence) }, "증거 저장"))));
}

const line = (what, which) => h("div", { key: what }, h("dt", null, what), h("dd", null, which));

/** The draws of which something is open; deals of cards are counted, as there are many. */
function drawsOf({ drawn }) {
  let deals = 0;
  return drawn
    .map((draw) => ({ ...draw, title: draw.what === "deck" ? `${(deals += 1)}번째로 섞은 카드` : WHAT[draw.what] ?? draw.what }))
    .filter(({ opened }) => opened.length > 0);
}

/** What each has received, in the order in which it came. */
function byPlayer(opened) {
  const rows = new Map();
  for (const { player, face } of opened) rows.set(player, [...(rows.get(player) ?? []), face]);
  return [...rows];
}

/** As a file, for `hanpan verify --evidence` or anybody's own checker. */
function save(evidence) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(evidence)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `hanpan-${evidence.room}-${evidence.number + 1}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
