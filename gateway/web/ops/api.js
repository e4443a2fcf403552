/** The operators' API: questions by GET, orders by POST, the token in a header and nowhere else. */

export class Refused extends Error {
  /** @param {number} status 0: nobody answered */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const WAIT_MS = 40_000; // longer than the gateway waits for the directory

async function call(method, path, { token, operator }, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (operator) headers["X-Hanpan-Operator"] = operator.replace(/[^\x21-\x7e]/g, "_");
  if (body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(`/api/admin/${path}`, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(WAIT_MS), cache: "no-store" });
  } catch {
    throw new Refused(0, "unreachable", "The gateway does not answer");
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, said.code ?? "refused", said.message ?? `Status ${answer.status}`);
  return said;
}

/** @param {{token: string, operator: string}} who @returns {Promise<any>} */
export function ask(who, what, args = {}) {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return call("GET", given.length ? `${what}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : what, who);
}

/** @param {{token: string, operator: string}} who @returns {Promise<any>} */
export const order = (who, what, args) => call("POST", what, who, args);
