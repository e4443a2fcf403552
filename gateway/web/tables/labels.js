/** Korean words for what games call things, and the pieces of a view: shared by the generic table and the log. Pure. */

const WORDS = {
  // actions
  play: "내기", draw: "가져오기", discard: "버리기", pass: "넘기기", skip: "건너뛰기", choose: "고르기", select: "고르기",
  bid: "비딩", premium: "프리미엄", bet: "걸기", check: "체크", call: "콜", raise: "올리기", half: "하프", quarter: "쿼터", ping: "삥", ddadang: "따당", fold: "다이", die: "다이", allIn: "올인",
  target: "대상 고르기", use: "쓰기", react: "대응하기", respond: "대응하기", endTurn: "차례 끝내기", take: "받기", give: "주기", reveal: "공개하기", exchange: "바꾸기", confirm: "확인", declare: "선언하기", ready: "준비", rejoin: "재참가", rebuy: "칩 다시 받기",
  endPlay: "카드 그만 내기", takeHit: "맞기", giveUp: "포기하기", useBarrel: "나무통으로 막기", storePick: "잡화점에서 고르기", sidHeal: "두 장 버리고 회복하기", kitKeep: "가질 카드 고르기", luckyPick: "판정 카드 고르기", pickCharacter: "인물 고르기",
  // views
  mode: "규칙", options: "설정", total: "합계", direction: "방향", current: "차례", turn: "차례", seats: "자리", players: "사람", hand: "손패", hands: "손패", handCounts: "손패 장수", handCount: "손패 장수",
  lives: "목숨", alive: "생존", onBoard: "마지막 기회", eliminationOrder: "탈락 순서", drawCount: "더미", drawPile: "더미", discardCount: "버린 카드", discardPile: "버린 카드", recentPlays: "최근에 낸 카드",
  round: "라운드", phase: "단계", result: "결과", ranking: "순위", winner: "승자", winners: "승자", summary: "요약", pot: "판돈", chips: "칩", stack: "칩", score: "점수", scores: "점수", trick: "트릭", tricks: "트릭", trump: "으뜸패", dealer: "선", role: "역할", character: "인물", hp: "생명", health: "생명", weapon: "무기", equipment: "장비", table: "바닥", deck: "덱", bids: "비딩", trumpFace: "으뜸패", turnUp: "뒤집은 카드", lastTrick: "지난 트릭", tricksWon: "딴 트릭", roundScores: "라운드마다 점수", lastRound: "지난 라운드", premiums: "프리미엄", offers: "프리미엄 선언", played: "나온 카드", form: "진행 방식", controller: "NPC를 두는 사람", streaks: "연속 성공", made: "성공", bonus: "보너스", points: "점수", kind: "종류", hidden: "가려짐", playable: "낼 수 있음", v: "값", waiting: "기다리는 사람", leader: "첫 사람", name: "이름", rank: "순위", player: "사람", face: "카드", choice: "고른 것", card: "카드", cards: "카드", cardId: "카드", amount: "금액", value: "값", suit: "무늬", count: "장수", number: "숫자", state: "상태", status: "상태", log: "기록", you: "나", me: "나", self: "나", host: "방장", left: "남은 수", livesLost: "잃은 목숨", eliminatedAtRound: "탈락한 라운드", deadline: "마감", labels: "부르는 말",
  baseUnit: "기본 단위", handNo: "판", handsPlayed: "끝난 판", rematchNo: "재경기", rematches: "재경기", rematchReason: "재경기 까닭", street: "베팅 차수", currentBet: "이번 라운드 베팅", pots: "팟", eligible: "가져갈 수 있는 사람", potIndex: "팟 번호", waitingFor: "기다리는 사람",
  seat: "자리", away: "자리 비움", rebuys: "다시 받은 횟수", inHand: "참가 중", folded: "다이", committedRound: "이번 라운드에 낸 칩", committedTotal: "이번 판에 낸 칩", lastAction: "마지막 행동", chosen: "골랐음", showdown: "공개", outcomes: "판정", reason: "까닭", special: "특수패", won: "이김", shares: "몫", publicLog: "지난 판",
  handName: "내 족보", hint: "힌트", strength: "세기", recommended: "추천", legalActions: "할 수 있는 행동", discarded: "버린 카드", cardIds: "카드", accept: "하기", rejoinPrice: "재참가 비용", month: "월", label: "이름", biggestPot: "가장 큰 판돈", bestHand: "최고 족보", finalChips: "마지막 칩", eliminatedAtHand: "탈락한 판", stats: "통계", to: "받는 사람", participants: "참가하는 사람",
  title: "이름", phaseName: "단계", bangsPlayed: "쏜 횟수", life: "생명", maxLife: "생명 한도", inPlay: "앞에 놓은 카드", range: "사거리", distance: "거리", inRange: "닿음", roleName: "역할", roleTip: "할 일", characterName: "인물", ability: "능력", characterOffer: "고를 인물", characters: "인물", deckCount: "더미", reactions: "대응", deathOrder: "쓰러진 순서", lastCheck: "지난 판정", purpose: "무엇의 판정", success: "통함", blackJackReveal: "보여 준 카드",
  kitOptions: "고를 카드", revealed: "펼친 카드", order: "고르는 순서", other: "상대", source: "누구에게서", via: "무엇으로", needed: "막을 횟수", killer: "쓰러뜨린 사람", playedFor: "대신 두는 중", winnerTeam: "이긴 편", where: "어디에서", pedroDiscard: "버린 카드에서", jesseFrom: "누구의 손패에서", targetCard: "노리는 카드", as: "무엇으로",
  // values
  declaration: "선언", revelation: "공개", both: "둘 다", npcScore: "NPC 점수", npc: "NPC", noNpc: "NPC 없이", rows: "줄", rounds: "라운드", by: "한 사람", handShown: "손패를 펼쳤어요", trumpNamed: "으뜸패를 정했어요",
  none: "없음", bidding: "비딩 중", roundEnd: "라운드 끝", playing: "진행 중", finished: "끝남", on: "켬", off: "끔", auto: "자동", keep: "그대로", reverse: "반대로",
  betting: "베팅", handEnd: "판 끝", busted: "칩 없음", main: "메인 팟", tie: "동점", gusa: "구사", mungGusa: "멍텅구리구사", ttaengjabi: "땡잡이", amhaeng: "암행어사", alone: "혼자 남음", normal: "족보", win: "승", split: "나눔", rematch: "재경기", gwang: "광", yeol: "열끗",
  sheriff: "보안관", deputy: "부관", outlaw: "무법자", renegade: "배신자", law: "보안관 팀", outlaws: "무법자", start: "차례 시작", setup: "준비", bang: "사격", missed: "회피", gatling: "기관총", duel: "결투", indians: "습격", store: "잡화점", barrel: "나무통", jail: "감옥", dynamite: "폭약", S: "♠", H: "♥", D: "♦", C: "♣",
  // events
  handStarted: "판을 시작해요", ante: "학교를 냈어요", dealt: "카드를 나눠 줬어요", bettingStarted: "베팅을 시작해요", returned: "칩을 돌려받았어요", chooseStarted: "두 장을 고르세요", chose: "카드를 골랐어요", shown: "패를 보여 줬어요", potWon: "판돈을 가져가요", rejoinAsked: "재참가를 물어요", rejoined: "다시 들어왔어요", rejoinDeclined: "구경해요", rematchStarted: "재경기예요", handEnded: "판이 끝났어요", rebuyAsked: "칩을 다시 받을 수 있어요", rebought: "칩을 다시 받았어요", back: "돌아왔어요",
  roleDealt: "역할을 받았어요", roleRevealed: "역할이 드러났어요", charactersOffered: "인물을 고르세요", characterPicked: "인물을 골랐어요", characterRevealed: "인물이 나왔어요", cardsDrawn: "카드를 뽑았어요", cardsReceived: "카드를 받았어요", attacked: "공격을 받았어요", responded: "카드로 막았어요", evaded: "피했어요", cardTaken: "카드를 가져왔어요", takenCardSeen: "가져간 카드", cardStruck: "카드를 버리게 했어요", cardsDiscarded: "카드를 버렸어요", discardTaken: "버린 카드를 가져왔어요", mustDiscard: "카드를 버려야 해요", storeRevealed: "잡화점을 열었어요", storePicked: "잡화점에서 골랐어요", flip: "판정해요", flipped: "판정 카드를 뒤집었어요", checked: "판정했어요", cardShown: "카드를 보여 줬어요", lookedAt: "카드를 봤어요", cardsSeen: "본 카드",
  dying: "쓰러질 것 같아요", saved: "살아났어요", lifeGained: "생명을 되찾았어요", healedByDiscard: "카드를 버리고 생명을 되찾았어요", looted: "카드를 모두 가져갔어요", penalty: "벌로 카드를 버렸어요", dynamitePassed: "폭약이 넘어갔어요", dynamiteExploded: "폭약이 터졌어요", jailEscaped: "감옥에서 나왔어요", turnSkipped: "차례를 쉬어요", playerAway: "자리를 비웠어요", playerBack: "돌아왔어요",
  bidPlaced: "비딩을 마쳤어요", bidShown: "비딩을 공개했어요", premiumAnswered: "프리미엄을 정했어요", premiumsShown: "프리미엄 공개", playStarted: "트릭을 시작해요", trickWon: "트릭을 땄어요", roundScored: "라운드 점수", playerReady: "준비됐어요", trumpSet: "으뜸패",
  cardPlayed: "카드를 냈어요", cardDrawn: "카드를 가져왔어요", cardReceived: "카드를 받았어요", handDealt: "손패를 받았어요", directionChanged: "방향이 바뀌었어요", reshuffled: "카드를 다시 섞었어요", eliminated: "탈락했어요", lifeLost: "목숨을 잃었어요", roundStarted: "새 라운드", gameFinished: "게임이 끝났어요", gameStarted: "게임을 시작해요", turnStarted: "차례가 됐어요", timedOut: "시간이 지났어요", playerLeft: "나갔어요",
};

/** A Korean word for a key, an action, an event; where there is none, the name itself, taken apart: `deckCount` → deck count. */
export const word = (key) => (Object.hasOwn(WORDS, key) ? WORDS[key] : String(key).replace(/([a-z])([A-Z0-9])/g, "$1 $2").replaceAll("_", " ").toLowerCase());

export const isRange = (value) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 2 && Number.isInteger(value.min) && Number.isInteger(value.max);

const isId = (value) => typeof value === "string" || Number.isInteger(value);

export const isCard = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isId(value.id) && ("face" in value || "rank" in value || "suit" in value || "kind" in value);

export const cardFace = (card) =>
  String(card.face ?? card.label ?? card.name ?? ([card.suit, card.rank].filter((part) => part !== undefined).join("") || card.kind || card.id));

/** Every id in a view with what it is called there, so that an action that names one can be read. */
export function facesIn(view, faces = new Map()) {
  if (Array.isArray(view)) view.forEach((value) => facesIn(value, faces));
  else if (typeof view === "object" && view !== null) {
    if (isCard(view)) faces.set(view.id, cardFace(view));
    Object.values(view).forEach((value) => facesIn(value, faces));
  }
  return faces;
}

/** One value, as a person reads it: names for ids of people, faces for ids of cards. */
export function said(value, name, faces = new Map()) {
  if (value === null || value === undefined) return "없음";
  if (value === true) return "예";
  if (value === false) return "아니요";
  if (Array.isArray(value)) return value.length ? value.map((one) => said(one, name, faces)).join(", ") : "없음";
  if (isRange(value)) return `${value.min}~${value.max}`;
  if (isCard(value)) return cardFace(value);
  if (typeof value === "object") return Object.entries(value).map(([key, one]) => `${word(name(key))} ${said(one, name, faces)}`).join(", ");
  if (typeof value === "number") return String(value);
  if (faces.has(value)) return faces.get(value);
  const called = name(value);
  return called !== value ? called : Object.hasOwn(WORDS, value) ? WORDS[value] : String(value);
}

/** Legal actions by type, each with what makes it different from its fellows. */
export function grouped(legal, view, name) {
  const faces = facesIn(view);
  const groups = new Map();
  for (const action of legal) {
    const { type, ...fields } = action;
    const ranges = Object.keys(fields).filter((key) => isRange(fields[key]));
    const parts = Object.entries(fields).filter(([key]) => !ranges.includes(key)).map(([key, value]) => partOf(key, value, name, faces));
    if (!groups.has(type)) groups.set(type, { type, title: word(type), actions: [] });
    groups.get(type).actions.push({ key: JSON.stringify(action), action, label: parts.join(" · ") || word(type), ranges });
  }
  return [...groups.values()];
}

/** In an action a whole number is an id where the view calls something so, and the field says that it names one. */
export const named = (key, value, faces) => (/card|keep/i.test(key) && faces.has(value) ? faces.get(value) : value);

/** A card or a person speaks for itself; a bare number or switch needs the word for what it is. */
function partOf(key, value, name, faces) {
  const called = Array.isArray(value) ? value.map((one) => named(key, one, faces)) : named(key, value, faces);
  const text = said(called, name, faces);
  return typeof called === "number" || typeof called === "boolean" ? `${word(key)} ${text}` : text;
}

const LISTED = 12; // more actions than these are better picked together than listed

/** Many actions that differ only in which few things they name, "any three of these": the field, and the things. */
export function picking(actions) {
  const field = Object.keys(actions[0]).find((key) => Array.isArray(actions[0][key])) ?? "";
  const rest = (action) => JSON.stringify({ ...action, [field]: null });
  const alike = actions.every((action) => Array.isArray(action[field]) && rest(action) === rest(actions[0]));
  return field !== "" && actions.length > LISTED && alike ? { field, things: [...new Set(actions.flatMap((action) => action[field]))] } : null;
}

/** The action that names exactly these, in whatever order; or none. */
export const pickedOf = (actions, field, things) =>
  actions.find((action) => action[field].length === things.size && action[field].every((one) => things.has(one)));

/** An action with its ranges filled in. */
export const filled = (action, values) =>
  Object.fromEntries(Object.entries(action).map(([key, value]) => [key, isRange(value) ? (values[key] ?? value.min) : value]));

/** Any event as a line of the log. */
export function describe(event, name) {
  const { type, player, ...fields } = event;
  if ("face" in fields) delete fields.cardId; // the face says which card
  const more = Object.entries(fields).map(([key, value]) => `${word(key)} ${said(value, name)}`).join(", ");
  return [player !== undefined ? `${name(player)}: ` : "", word(type), more && ` (${more})`].join("");
}
