/** 뱅!의 규칙, in the room's set of names. */

import { aim, effect, KINDS_IN_ORDER, ROLES, say, short, word, WORN } from "../tables/bang/words.js";

/** @type {import("../types/page").Rules} */
export function rules({ names = "neutral" }) {
  const by = (text) => say(names, text);
  const cards = (worn) => KINDS_IN_ORDER.filter((kind) => WORN.has(kind) === worn).map((kind) => [short(word(names, kind)), effect(names, kind)]);
  return {
    lead: by("누가 {outlaw}인지 찾아내요. {sheriff|은/는} 모두가 알고, 나머지는 비밀이에요!"),
    sections: [
      { title: "역할과 승리", body: [{ rows: ROLES.map((role) => [word(names, role), aim(names, role)]) }, by("{sheriff} 말고는 판에서 나갈 때까지 역할을 숨겨요. 먼저 나간 사람도 같은 편이 이기면 함께 이겨요.")] },
      { title: "내 차례", body: [[
        "카드를 2장 뽑아요.", by("원하는 만큼 내요. {bang|은/는} 한 차례에 한 장만이에요."), by("손패가 남은 {life}보다 많으면 넘는 만큼 버려요."),
      ]] },
      { title: by("거리와 {reach}"), body: [by("남아 있는 사람만 세어서 가까운 쪽으로 몇 칸인지가 거리예요. {bang|은/는} 내 {reach} 안에 있는 사람에게만 낼 수 있어요. 앞에 놓은 것이 없으면 {reach|은/는} 1이에요.")] },
      { title: word(names, "flip"), body: [by("덱 맨 위 카드를 뒤집어 무늬를 봐요. {barrel|과/와} {jail|은/는} ♥가 나오면 좋고, {dynamite|은/는} ♠2~9만 피하면 돼요.")] },
      { title: "즉시 카드: 쓰고 버려요", body: [{ rows: cards(false) }] },
      { title: "장착 카드: 앞에 놓아둬요", body: [{ rows: cards(true) }] },
      { title: by("{life|이/가} 다하면"), body: [[
        by("{beer|으로/로} 바로 되살아날 수 있어요. 둘만 남으면 안 돼요."), by("{outlaw|을/를} 물리친 사람은 3장을 뽑아요."), by("{sheriff|이/가} {deputy|을/를} 물리치면 {sheriff|은/는} 카드를 모두 버려요."),
      ]] },
    ],
  };
}
