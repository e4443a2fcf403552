/** 황야의 총잡이 (뱅!)의 규칙, in whichever set of names the room has chosen. */

import { josa } from "../ui/dom.js";

const SETS = ["neutral", "original", "children"];

/** As the engine calls them, set by set. */
const NAMES = {
  bang: ["사격", "뱅!", "물총"], missed: ["회피", "빗나감!", "피하기"], beer: ["물약", "맥주", "주스"], saloon: ["모두의 물약", "살롱", "모두의 주스"],
  wagons: ["역마차 · 은행 마차", "역마차 · 웰스 파고", "역마차 · 선물 마차"], store: ["잡화점", "잡화점", "문구점"], panic: ["가로채기", "패닉!", "가져오기"], cat: ["훼방", "캣 벌루", "장난"],
  duel: ["결투", "결투", "눈싸움"], indians: ["습격", "인디언!", "소나기"], gatling: ["기관총", "개틀링", "물풍선"], barrel: ["나무통", "술통", "우산"],
  mustang: ["야생마", "머스탱", "조랑말"], scope: ["망원경", "조준경", "망원경"], jail: ["감옥", "감옥", "생각 의자"], dynamite: ["폭약", "다이너마이트", "깜짝 상자"], volcanic: ["속사 권총", "볼캐닉", "연속 물총"],
  sheriff: ["보안관", "보안관", "반장"], deputy: ["부관", "부관", "부반장"], outlaw: ["무법자", "무법자", "장난꾸러기"], renegade: ["배신자", "배신자", "외톨이"],
  life: ["생명", "생명", "기운"], reach: ["사거리", "사거리", "물줄기"], flip: ["판정", "판정", "뒤집기"], weapon: ["무기", "무기", "물총"], hits: ["쏴요", "쏴요", "물을 쏴요"],
};

/** @type {import("../types/page").Rules} */
export function rules(options) {
  const set = Math.max(0, SETS.indexOf(options.names));
  const n = Object.fromEntries(Object.entries(NAMES).map(([key, names]) => [key, names[set]]));
  const lose = `${josa(n.life, "을/를")} 1 잃어요`;
  return {
    lead: `누가 ${n.outlaw}인지 알아내세요!`,
    sections: [
      { title: "역할과 승리", body: [{ rows: [
        [n.sheriff, `모두가 알아요. ${josa(n.outlaw, "과/와")} ${josa(n.renegade, "을/를")} 모두 내보내면 이겨요`], [n.deputy, `${josa(n.sheriff, "과/와")} 같은 편이에요`],
        [n.outlaw, `${josa(n.sheriff, "을/를")} 내보내면 이겨요`], [n.renegade, `마지막에 혼자 남아야 이겨요. ${josa(n.sheriff, "은/는")} 맨 나중이에요`],
      ] }, `${n.sheriff} 말고는 나갈 때까지 역할을 숨겨요.`] },
      { title: "내 차례", body: [["카드를 2장 뽑아요.", `원하는 만큼 내요. ${josa(n.bang, "은/는")} 한 차례에 한 장만이에요.`, `손패가 남은 ${n.life}보다 많으면 넘는 만큼 버려요.`]] },
      { title: `거리와 ${n.reach}`, body: [`남은 사람만 세어서 가까운 쪽으로 몇 칸인지가 거리예요. ${josa(n.bang, "은/는")} 내 ${n.weapon}의 ${n.reach} 안에 있는 사람에게만 쓸 수 있어요. ${n.weapon} 카드가 없으면 ${josa(n.reach, "은/는")} 1이에요.`] },
      { title: "바로 쓰는 카드", body: [{ rows: [
        [n.bang, `${n.reach} 안의 한 사람을 ${n.hits}. ${josa(n.missed, "을/를")} 내지 못하면 ${lose}`], [n.missed, `${josa(n.bang, "이나/나")} ${josa(n.gatling, "을/를")} 한 번 막아요`],
        [n.beer, `${josa(n.life, "을/를")} 1 되찾아요. 둘만 남으면 쓸 수 없어요`], [n.panic, "거리 1 안의 사람에게서 카드 한 장을 가져와요"], [n.cat, "아무에게서나 카드 한 장을 버리게 해요"],
        [n.duel, `번갈아 ${josa(n.bang, "을/를")} 내요. 먼저 못 내는 쪽이 ${lose}`], [n.indians, `다른 모두가 ${josa(n.bang, "을/를")} 내지 못하면 ${lose}`], [n.gatling, `다른 모두를 ${n.hits}`],
        [n.store, "사람 수만큼 펴서 차례로 한 장씩 골라요"], [n.wagons, "2장 · 3장을 뽑아요"], [n.saloon, `모두 ${josa(n.life, "을/를")} 1 되찾아요`],
      ] }] },
      { title: "내려놓는 카드", body: [{ rows: [
        [`${n.weapon}들`, `${josa(n.reach, "이/가")} 바뀌어요. ${josa(n.volcanic, "은/는")} ${josa(n.bang, "을/를")} 몇 번이든 쓸 수 있어요`], [n.barrel, `${josa(n.bang, "을/를")} 받을 때 ${n.flip}해서 ♥면 피해요`],
        [n.mustang, "남이 나를 볼 때 1 멀어요"], [n.scope, "내가 남을 볼 때 1 가까워요"], [n.jail, `차례가 오면 ${n.flip}해서 ♥가 아니면 쉬어요. ${n.sheriff}에게는 쓸 수 없어요`],
        [n.dynamite, `차례마다 ${n.flip}해서 ♠2~9면 ${josa(n.life, "을/를")} 3 잃고, 아니면 왼쪽으로 넘어가요`],
      ] }] },
      { title: `${josa(n.life, "이/가")} 다하면`, body: [[`바로 ${josa(n.beer, "을/를")} 써서 되살아날 수 있어요.`, `${josa(n.outlaw, "을/를")} 내보낸 사람은 3장을 뽑아요.`, `${josa(n.sheriff, "이/가")} ${josa(n.deputy, "을/를")} 내보내면 ${josa(n.sheriff, "은/는")} 카드를 모두 버려요.`]] },
    ],
  };
}
