/** 구십구의 규칙. */

/** @type {[string, string][]} */
const KR = [["1~8, 10", "그 숫자만큼 더해요"], ["±9  ±10", "더하거나 빼요. 내는 사람이 골라요"], ["0", "합계는 그대로. 방향을 그대로 둘지 바꿀지 골라요"]];
/** @type {(high: number) => [string, string][]} */
const CLASSIC = (high) => [["A", `1이나 ${high}을 더해요. 내는 사람이 골라요`], ["4", "합계는 그대로, 방향이 반대로 바뀌어요"], ["9", "합계는 그대로, 그냥 넘어가요"], ["10", "10을 빼요"], ["J  Q", "10을 더해요"], ["K", "바로 99가 돼요"], ["2 3 5 6 7 8", "그 숫자만큼 더해요"]];

/** What is recommended to whom, as choices of options. @type {import("../types/page").Preset[]} */
export const presets = [{ title: "어린이와 함께", options: { jokerRange: "0-99", handSize: 5 } }];

/** @type {import("../types/page").Rules} */
export function rules(options) {
  const classic = options.mode === "classic";
  const lives = Number.isInteger(options.lives) ? options.lives : classic ? 3 : 0;
  const joker = (options.jokerRange ?? "60-99").replace("-", "~");
  return {
    lead: "99를 넘기면 안 돼요!",
    sections: [
      { title: "하는 법", body: [
        "차례마다 카드를 한 장 내서 합계를 바꾸고, 더미에서 한 장을 가져와요. 합계가 99를 넘는 카드는 낼 수 없어요.",
        lives > 0 ? `낼 수 있는 카드가 없으면 목숨을 하나 잃고 새 라운드가 시작돼요. 목숨 ${lives}개를 다 잃으면 탈락해요.` : "낼 수 있는 카드가 없으면 바로 탈락하고, 합계는 그대로 다음 사람에게 넘어가요.",
        "마지막까지 남은 한 사람이 이겨요.",
      ] },
      { title: "카드", body: [{ rows: classic ? CLASSIC(options.aceHigh ?? 11) : [...KR, ["조커", `앞의 수와 상관없이 ${joker} 가운데 부르는 수가 돼요`]] }] },
      { title: "알아 두면 좋아요", body: [[
        classic ? "시작 합계는 0이에요." : "시작 합계는 두 명이면 40, 세 명이면 20, 네 명부터 0이에요.",
        "둘이 남으면 방향을 바꿔도 차례는 상대에게 가요.",
        "시간이 지나면 합계가 가장 작아지는 카드를 자동으로 내요.",
      ]] },
      { title: "조작", body: ["카드를 한 번 누르면 합계가 어떻게 될지 보여 주고, 한 번 더 누르면 내요. 고를 것이 있는 카드는 단추가 나와요. 키보드로는 숫자 키로 고르고 Enter로 내요."] },
      { title: "어린이와 함께라면", body: ["방을 만들 때 ‘어린이와 함께’를 고르면 조커로 0부터 99까지 부를 수 있고 손패는 5장이에요. 제한 시간도 넉넉히 골라 보세요."] },
    ],
  };
}
