/** The lobby's HTTP API. Everything here throws `Refused`, with the server's code and Korean sentence. */

export class Refused extends Error {
  constructor(code, message, retry = false) {
    super(message);
    this.code = code;
    this.retry = retry;
  }
}

const ATTEMPTS = 3;
const AWAY = "서버와 연결되지 않아요. 잠시 뒤에 다시 해 주세요";

/** @typedef {{method?: "GET" | "POST", token?: string | null, body?: Object, key?: string}} Request */

async function call(path, { method = "GET", token, body, key } = /** @type {Request} */ ({})) {
  const headers = /** @type {Record<string, string>} */ ({});
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (body) headers["Content-Type"] = "application/json";
  const request = { method, headers, body: body && JSON.stringify(body) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(path, request);
    } catch (no) {
      // A request that may be repeated is: reading changes nothing, and a key makes creating the same room twice one.
      const repeatable = method === "GET" || key !== undefined;
      if (!(no.retry && repeatable && attempt < ATTEMPTS)) throw no;
      await new Promise((done) => setTimeout(done, 300 * attempt * (0.5 + Math.random())));
    }
  }
}

async function once(path, request) {
  let response, answer;
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.timeout(15_000) });
    answer = await response.json();
  } catch {
    throw new Refused("away", AWAY, true);
  }
  if (response.ok) return answer;
  throw new Refused(answer.code ?? "internal", answer.message ?? AWAY, [429, 503].includes(response.status));
}

export const api = {
  games: async () => (await call("/api/games")).games,
  rooms: async () => (await call("/api/rooms")).rooms,
  room: (id) => call(`/api/rooms/${encodeURIComponent(id)}`),
  replay: (token, id, number) => call(`/api/rooms/${encodeURIComponent(id)}/replay?game=${number}`, { token }),
  fairness: (token, id, number) => call(`/api/rooms/${encodeURIComponent(id)}/fairness?game=${number}`, { token }),
  entrance: () => call("/api/account"),
  account: (token) => call("/api/account", { method: "POST", token }),
  guest: (name, token) => call("/api/guest", { method: "POST", body: { name }, token }),
  join: (code) => call("/api/join", { method: "POST", body: { code } }),
  quick: (token, game) => call("/api/quick", { method: "POST", token, body: { game } }),
  /** Create a room. The same wish object is the same room, however often it is asked for. */
  create: (token, wish) => call("/api/rooms", { method: "POST", token, body: wish, key: keyOf(wish) }),
};

/** Enough letters that no two requests or pages of one person ever share them. (`randomUUID` is only there under https.) */
export function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}

const keys = new WeakMap();

function keyOf(wish) {
  if (!keys.has(wish)) keys.set(wish, randomName());
  return keys.get(wish);
}
