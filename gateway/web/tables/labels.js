/** Korean words for what games call things, and the pieces of a view: shared by the generic table and the log. Pure. */

const WORDS = {
  // actions
  play: "내기", draw: "가져오기", discard: "버리기", pass: "넘기기", skip: "건너뛰기", choose: "고르기", select: "고르기",
  bid: "비딩", premium: "프리미엄", bet: "걸기", check: "체크", call: "콜", raise: "올리기", half: "하프", quarter: "쿼터", ping: "삥", ddadang: "따당", fold: "다이", die: "다이", allIn: "올인",
  target: "대상 고르기", use: "쓰기", react: "대응하기", respond: "대응하기", endTurn: "차례 끝내기", take: "받기", give: "주기", reveal: "공개하기", exchange: "바꾸기", confirm: "확인", declare: "선언하기", ready: "준비",
  // views
  mode: "규칙", options: "설정", total: "합계", direction: "방향", current: "차례", turn: "차례", seats: "자리", players: "사람", hand: "손패", hands: "손패", handCounts: "손패 장수", handCount: "손패 장수",
  lives: "목숨", alive: "생존", onBoard: "마지막 기회", eliminationOrder: "탈락 순서", drawCount: "더미", drawPile: "더미", discardCount: "버린 카드", discardPile: "버린 카드", recentPlays: "최근에 낸 카드",
  round: "라운드", phase: "단계", result: "결과", ranking: "순위", winner: "승자", winners: "승자", summary: "요약", pot: "판돈", chips: "칩", stack: "칩", score: "점수", scores: "점수", trick: "트릭", tricks: "트릭", trump: "으뜸패", dealer: "선", role: "역할", character: "인물", hp: "생명", health: "생명", weapon: "무기", equipment: "장비", table: "바닥", deck: "덱", bids: "비딩", trumpFace: "으뜸패", turnUp: "뒤집은 카드", lastTrick: "지난 트릭", tricksWon: "딴 트릭", roundScores: "라운드마다 점수", lastRound: "지난 라운드", premiums: "프리미엄", offers: "프리미엄 선언", played: "나온 카드", form: "진행 방식", controller: "NPC를 두는 사람", streaks: "연속 성공", made: "성공", bonus: "보너스", points: "점수", kind: "종류", hidden: "가려짐", playable: "낼 수 있음", v: "값", waiting: "기다리는 사람", leader: "첫 사람", name: "이름", rank: "순위", player: "사람", face: "카드", choice: "고른 것", card: "카드", cards: "카드", cardId: "카드", amount: "금액", value: "값", suit: "무늬", count: "장수", number: "숫자", state: "상태", status: "상태", log: "기록", you: "나", me: "나", self: "나", host: "방장", left: "남은 수", livesLost: "잃은 목숨", eliminatedAtRound: "탈락한 라운드",
  // values
  none: "없음", bidding: "비딩 중", roundEnd: "라운드 끝", playing: "진행 중", finished: "끝남", on: "켬", off: "끔", auto: "자동", keep: "그대로", reverse: "반대로",
  // events
  bidPlaced: "비딩을 마쳤어요", bidShown: "비딩을 공개했어요", premiumAnswered: "프리미엄을 정했어요", premiumsShown: "프리미엄 공개", playStarted: "트릭을 시작해요", trickWon: "트릭을 땄어요", roundScored: "라운드 점수", playerReady: "준비됐어요", trumpSet: "으뜸패",
  cardPlayed: "카드를 냈어요", cardDrawn: "카드를 가져왔어요", cardReceived: "카드를 받았어요", handDealt: "손패를 받았어요", directionChanged: "방향이 바뀌었어요", reshuffled: "카드를 다시 섞었어요", eliminated: "탈락했어요", lifeLost: "목숨을 잃었어요", roundStarted: "새 라운드", gameFinished: "게임이 끝났어요", gameStarted: "게임을 시작해요", turnStarted: "차례가 됐어요", timedOut: "시간이 지났어요", playerLeft: "나갔어요",
};

/** A Korean word for a key, an action, an event; where there is none, the name itself, taken apart: `deckCount` → deck count. */
export const word = (key) => (Object.hasOwn(WORDS, key) ? WORDS[key] : String(key).replace(/([a-z])([A-Z0-9])/g, "$1 $2").replaceAll("_", " ").toLowerCase());

export const isRange = (value) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 2 && Number.isInteger(value.min) && Number.isInteger(value.max);

export const isCard = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.id === "string" && ("face" in value || "rank" in value || "suit" in value || "kind" in value);

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

/** A card or a person speaks for itself; a bare number or switch needs the word for what it is. */
function partOf(key, value, name, faces) {
  const text = said(value, name, faces);
  return typeof value === "number" || typeof value === "boolean" ? `${word(key)} ${text}` : text;
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
