/** 섯다 in words: lines of the log, sounds, chapters of a replay, hints. Pure. */

import { josa } from "../../ui/dom.js";

/** 1,860 */
export const chips = (n) => NUMBERS.format(n);
const NUMBERS = new Intl.NumberFormat("ko-KR"); // made once: each costs more than all else that is said of a game

export const REASONS = { gusa: "구사", mungGusa: "멍텅구리구사", tie: "동점" };
export const rematchName = (reason) => `${REASONS[reason] ?? ""} 재경기`.trim();

const faces = (cards) => cards.map(({ face }) => face).join(" ");
const people = (players, name) => players.map(name).join(", ");
const HOW = { ttaengjabi: "땡잡이로 땡을 잡았어요", amhaeng: "암행어사 출두", alone: "혼자 남았어요", tie: "같은 족보", gusa: "재경기 대신 나눠요", mungGusa: "재경기 대신 나눠요" };

/** What a pot was won by, where it was not the better hand. */
export const how = (reason) => HOW[reason] ?? "";

/** What is not here is seen well enough: cards dealt, somebody ready. */
const EVENTS = {
  handStarted: (e, name) => `${e.handNo}판. 선은 ${name(e.dealer)}, 학교 ${chips(e.baseUnit)}칩`,
  ante: (e, name) => (e.allIn ? `${josa(name(e.player), "이/가")} 학교를 내고 올인했어요` : null),
  bettingStarted: (e) => `${e.street + 1}차 베팅`,
  bet: (e, name) => `${name(e.player)}: ${e.label}${e.amount > 0 ? ` (+${chips(e.amount)})` : ""}${e.allIn ? " 올인!" : ""}`,
  returned: (e, name) => `${name(e.player)} 님에게 ${chips(e.amount)}칩을 돌려줘요`,
  chooseStarted: () => "3장 가운데 2장을 골라요",
  chose: (e, name) => `${josa(name(e.player), "이/가")} 두 장을 골랐어요`,
  shown: (e, name) => `${name(e.player)}: ${faces(e.cards)} ${e.name}`,
  potWon: (e, name) => `${josa(people(e.winners, name), "이/가")} ${e.potIndex > 0 ? "사이드 팟" : "판돈"} ${chips(e.amount)}칩을 ${e.winners.length > 1 ? "나눠" : ""} 가져가요${how(e.reason) && ` (${how(e.reason)})`}`.replace("  ", " "),
  rejoined: (e, name) => `${josa(name(e.player), "이/가")} ${chips(e.amount)}칩을 내고 다시 들어왔어요`,
  rejoinDeclined: (e, name) => `${josa(name(e.player), "은/는")} 재경기를 구경해요`,
  rematchStarted: (e, name) => `${rematchName(e.reason)} ${e.rematchNo}회차: ${people(e.participants, name)}`,
  busted: (e, name) => `${name(e.player)} 님의 칩이 떨어졌어요`,
  rebought: (e, name) => `${josa(name(e.player), "이/가")} 칩 ${chips(e.stack)}개를 다시 받았어요`,
  eliminated: (e, name) => `${josa(name(e.player), "이/가")} 탈락했어요`,
  timedOut: (e, name) => `${name(e.player)} 님의 시간이 지났어요`,
  away: (e, name) => `${josa(name(e.player), "이/가")} 자리를 비웠어요`,
  back: (e, name) => `${josa(name(e.player), "이/가")} 돌아왔어요`,
  playerLeft: (e, name) => `${josa(name(e.player), "이/가")} 나갔어요`,
  gameFinished: (e) => `게임이 끝났어요. 모두 ${e.handsPlayed}판을 했어요`,
};

export const describe = (event, name) => EVENTS[event.type]?.(event, name) ?? null;

const BETS = { die: "card", check: "pick" };
const SOUNDS = { handStarted: "deal", dealt: "deal", chose: "card", shown: "flip", potWon: "take", rejoined: "coin", rematchStarted: "flip", busted: "hurt", rebought: "coin", eliminated: "out" };

export const sound = (event) => (event.type === "bet" ? (BETS[event.bet] ?? "coin") : (SOUNDS[event.type] ?? null));

const CHAPTERS = {
  handStarted: (e) => `${e.handNo}판`,
  rematchStarted: (e) => `· ${rematchName(e.reason)}`,
  showdown: () => "· 패 공개",
};

export const chapter = (event) => CHAPTERS[event.type]?.(event) ?? null;

/** Large letters over the table for a second (document 9): a special hand strikes, a rematch, one of the great hands. */
export function shout(event, shown = []) {
  if (event.type === "rematchStarted") return rematchName(event.reason);
  if (event.type !== "potWon") return null;
  if (event.reason === "ttaengjabi") return "땡잡이!";
  if (event.reason === "amhaeng") return "암행어사 출두!";
  const great = shown.find(({ player, name }) => event.winners.includes(player) && /광땡|장땡/.test(name));
  return great ? `${great.name}!` : null;
}

/** "+860칩": what was won or lost, new chips counted; of the last one standing, what they ended with. */
export function score(line, view) {
  const { endCondition, startingChips } = view.options;
  const again = line.rebuys > 0 ? ` · 다시 받기 ${line.rebuys}번` : "";
  if (endCondition !== "hands") return (line.eliminatedAtHand ? `${line.eliminatedAtHand}판에 탈락` : `${chips(line.finalChips)}칩`) + again;
  const gain = line.score - startingChips;
  return `${gain < 0 ? "−" : "+"}${chips(Math.abs(gain))}칩${again}`;
}

/** For a first game: what is asked, when it is asked; then what only seldom comes. */
export function hints({ view, you, legal }) {
  const can = (type) => legal.some((action) => action.type === type);
  const mine = view.current === you.player;
  const holds = view.hand?.length ?? 0;
  return [
    view.phase === "betting" && holds > 0 && { id: "sd-lead", text: "학교는 모두가 내는 참가비예요. 두 장의 족보가 가장 높은 사람이 판돈을 가져가요." },
    mine && can("check") && { id: "sd-open", text: "걸지 않고 넘기려면 체크, 조금만 걸려면 삥, 크게 걸려면 하프예요." },
    mine && can("call") && { id: "sd-call", text: "콜은 앞사람만큼, 따당은 그 두 배예요. 패가 나쁘면 다이해요. 낸 칩은 판돈에 남아요." },
    holds === 2 && view.handName && { id: "sd-made", text: "카드 위에 내 족보가 나와요. 높은 순서는 족보표에서 볼 수 있어요." },
    view.handName?.includes(" - ") && { id: "sd-special", text: "특수패예요! 이름 아래에 어떤 때 힘을 내는지 나와요." },
    can("choose") && { id: "sd-choose", text: "세 장 가운데 두 장을 골라요. 남은 한 장은 끝까지 아무도 못 봐요." },
    view.rematchNo > 0 && { id: "sd-rematch", text: "재경기는 판돈을 그대로 두고 카드만 새로 받아요. 학교는 다시 내지 않아요." },
    can("rejoin") && { id: "sd-rejoin", text: "다이했어도 칩을 내면 재경기에 다시 들어올 수 있어요." },
    mine && holds > 0 && { id: "sd-cover", text: "옆 사람이 볼 것 같으면 내 카드를 눌러요. 다시 누를 때까지 가려져요." },
  ].filter(Boolean);
}
