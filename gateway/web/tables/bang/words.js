/**
 * What things are called: the table's set of names (the option `names`), for whatever the view names only by its kind.
 * The engine's own words (`engines/bang/names.py`), which `tests/web` compares with these. Pure.
 */

import { josa } from "../../ui/dom.js";

const SETS = ["neutral", "original", "children"];

/** @type {Record<string, [string, string, string]>} by kind: neutral, original, children */
export const CARDS = {
  bang: ["사격", "뱅!", "물총"],
  missed: ["회피", "빗나감!", "피하기"],
  beer: ["물약", "맥주", "주스"],
  saloon: ["모두의 물약", "살롱", "모두의 주스"],
  stagecoach: ["역마차", "역마차", "역마차"],
  wellsFargo: ["은행 마차", "웰스 파고", "선물 마차"],
  generalStore: ["잡화점", "잡화점", "문구점"],
  panic: ["가로채기", "패닉!", "가져오기"],
  catBalou: ["훼방", "캣 벌루", "장난"],
  duel: ["결투", "결투", "눈싸움"],
  indians: ["습격", "인디언!", "소나기"],
  gatling: ["기관총", "개틀링", "물풍선"],
  barrel: ["나무통", "술통", "우산"],
  mustang: ["야생마", "머스탱", "조랑말"],
  scope: ["망원경", "조준경", "망원경"],
  jail: ["감옥", "감옥", "생각 의자"],
  dynamite: ["폭약", "다이너마이트", "깜짝 상자"],
  volcanic: ["속사 권총(사거리 1)", "볼캐닉", "연속 물총(물줄기 1)"],
  schofield: ["권총(사거리 2)", "스코필드", "작은 물총(물줄기 2)"],
  remington: ["장총(사거리 3)", "레밍턴", "긴 물총(물줄기 3)"],
  carabine: ["기병총(사거리 4)", "카빈", "큰 물총(물줄기 4)"],
  winchester: ["연발총(사거리 5)", "윈체스터", "왕 물총(물줄기 5)"],
};

/** @type {Record<string, [string, string, string]>} */
export const WORDS = {
  sheriff: ["보안관", "보안관", "반장"],
  deputy: ["부관", "부관", "부반장"],
  outlaw: ["무법자", "무법자", "장난꾸러기"],
  renegade: ["배신자", "배신자", "외톨이"],
  life: ["생명", "생명", "기운"],
  flip: ["판정", "판정", "뒤집기"],
  dying: ["빈사", "빈사", "기운 없음"],
  reach: ["사거리", "사거리", "물줄기"],
};

/** Words of the page's own. @type {Record<string, [string, string, string]>} */
const OWN = {
  out: ["쓰러짐", "쓰러짐", "쉬는 중"],
  fell: ["쓰러졌어요", "쓰러졌어요", "쉬러 갔어요"],
  risen: ["다시 일어났어요", "다시 일어났어요", "기운을 차렸어요"],
  edge: ["쓰러지기 직전이에요!", "쓰러지기 직전이에요!", "기운이 다 떨어졌어요!"],
  blast: ["터졌어요", "터졌어요", "펑 열렸어요"],
};

const ALL = { ...CARDS, ...WORDS, ...OWN };

/** How far a weapon reaches; what is worn stays before its player, the rest is used up. */
export const REACH = { volcanic: 1, schofield: 2, remington: 3, carabine: 4, winchester: 5 };
export const WORN = new Set(["barrel", "mustang", "scope", "jail", "dynamite", ...Object.keys(REACH)]);

const column = (names) => Math.max(0, SETS.indexOf(names));

/** The name of a kind of card, a role or a word, in this set. */
export const word = (names, key) => ALL[key]?.[column(names)] ?? key;

/** A weapon's name without its range, which is drawn. */
export const short = (name) => name.replace(/\(.*\)$/, "");

/** 뱅!을, 맥주를: what comes after the last letter of a name does not matter to its particle. */
export function particle(name, pair) {
  const bare = name.replace(/[^가-힣A-Za-z0-9]+$/, "");
  return name + josa(bare, pair).slice(bare.length);
}

/** A sentence in this set's names: "{bang|을/를} 막아요". */
export const say = (names, text) =>
  text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, key, pair) => (pair ? particle(short(word(names, key)), pair) : short(word(names, key))));

const KINDS = new Map(Object.entries(CARDS).flatMap(([kind, names]) => names.map((name) => [name, kind])));
const FOR_CHILDREN = new Set(Object.values(CARDS).filter(([neutral, , children]) => children !== neutral).map(([, , children]) => children));

/** The parts of a card as the view writes it, "권총(사거리 2) J♣". @param {string} face */
export function parts(face) {
  const cut = face.lastIndexOf(" ");
  const name = face.slice(0, cut), mark = face.slice(cut + 1);
  return { name, kind: KINDS.get(name) ?? null, rank: mark.slice(0, -1), sign: mark.slice(-1), playful: FOR_CHILDREN.has(name) };
}

const SIGNS = { "♠": "스페이드", "♥": "하트", "♦": "다이아몬드", "♣": "클로버" };

/** A card, read out: "사격, 하트 10". */
export function spoken(face) {
  const { name, rank, sign } = parts(face);
  return `${name}, ${SIGNS[sign] ?? sign} ${rank}`;
}

/** What each card does, in a line or two. */
const EFFECTS = {
  bang: "{reach} 안의 한 사람을 맞혀요. {missed|으로/로} 막지 못하면 {life|을/를} 1 잃어요. 보통 한 차례에 한 장만 내요.",
  missed: "{bang|이나/나} {gatling|을/를} 한 번 막아요. 공격을 받았을 때 내요.",
  beer: "{life|을/를} 1 되찾아요. 마지막 {life|을/를} 잃었을 때도 바로 낼 수 있어요. 둘만 남으면 쓸 수 없어요.",
  saloon: "남아 있는 모두가 {life|을/를} 1 되찾아요.",
  stagecoach: "카드를 2장 뽑아요.",
  wellsFargo: "카드를 3장 뽑아요.",
  generalStore: "사람 수만큼 카드를 펴고, 나부터 한 장씩 골라 가져요.",
  panic: "거리 1 안의 사람에게서 카드 한 장을 가져와요.",
  catBalou: "아무나 한 사람의 카드 한 장을 버리게 해요.",
  duel: "아무나 한 사람과 번갈아 {bang|을/를} 내요. 먼저 못 내는 쪽이 {life|을/를} 1 잃어요.",
  indians: "다른 모두가 {bang|을/를} 한 장씩 내야 해요. 못 내면 {life|을/를} 1 잃어요.",
  gatling: "거리와 상관없이 다른 모두를 맞혀요. {missed|으로/로} 막을 수 있어요.",
  barrel: "맞을 때마다 {flip|을/를} 해서 ♥가 나오면 피해요.",
  mustang: "다른 사람이 나를 볼 때 거리가 1 멀어요.",
  scope: "내가 다른 사람을 볼 때 거리가 1 가까워요.",
  jail: "한 사람 앞에 놓아요. 그 사람은 차례가 오면 {flip|을/를} 해서 ♥가 아니면 쉬어요. {sheriff}에게는 쓸 수 없어요.",
  dynamite: "내 앞에 놓아요. 차례마다 {flip|을/를} 해서 ♠2~9면 {life|을/를} 3 잃고, 아니면 왼쪽 사람에게 넘어가요.",
  volcanic: "{reach} 1. {bang|을/를} 몇 장이든 낼 수 있어요.",
  schofield: "{reach|이/가} 2가 돼요.",
  remington: "{reach|이/가} 3이 돼요.",
  carabine: "{reach|이/가} 4가 돼요.",
  winchester: "{reach|이/가} 5가 돼요.",
};

export const effect = (names, kind) => (kind in EFFECTS ? say(names, EFFECTS[kind]) : "");

export const KINDS_IN_ORDER = Object.keys(CARDS);

/** How each role wins. */
const AIMS = {
  sheriff: "모두가 알아요. {life|이/가} 하나 더 많고, {outlaw|과/와} {renegade|을/를} 모두 물리치면 이겨요.",
  deputy: "{sheriff|과/와} 같은 편이에요. {sheriff|을/를} 지켜야 해요.",
  outlaw: "{sheriff|을/를} 물리치면 {outlaw} 모두가 이겨요.",
  renegade: "마지막까지 혼자 남아야 이겨요. {sheriff|은/는} 맨 나중이에요.",
};

export const ROLES = Object.keys(AIMS);
export const aim = (names, role) => say(names, AIMS[role]);
