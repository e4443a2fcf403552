/** Who we are here: a name that the player chose, and the token that the server gave for it. Kept in this browser. */

import { api, Refused } from "./net/api.js";

const KEY = "hanpan.me";

/** @type {import("./types/page").Me} */
export const me = { name: "", token: null, player: null, ...read(KEY) };
if (!me.name) me.name = suggestion();

/** A name for someone who has not thought of one. */
function suggestion() {
  const how = ["느긋한", "용감한", "배고픈", "졸린", "반가운", "수줍은", "재빠른", "든든한"];
  const who = ["호랑이", "두루미", "너구리", "고라니", "수달", "까치", "삽살개", "다람쥐"];
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  return `${any(how)} ${any(who)}`;
}

export async function rename(name) {
  remember(await api.guest(name, me.token));
}

/** By an account of the deployment's, whose token this is. */
export async function signIn(token) {
  remember(await api.account(token));
}

/** Whoever we were: from now on somebody new. */
export function signOut() {
  remember({ token: null, player: null, name: suggestion() });
}

/** Accounts have ids of their own kind. */
export const isAccount = () => me.player?.startsWith("a_") ?? false;

/** Calls with our token; gets one first where there is none, or where the server does not know it any more. */
export async function asMe(use) {
  if (me.token === null) await renew();
  try {
    return await use(me.token);
  } catch (no) {
    if (no.code !== "bad_token") throw no;
    await renew();
    return use(me.token);
  }
}

/** A new token. Of an account only who signs in gets one: it is not to become a guest unasked. */
export async function renew() {
  if (isAccount()) {
    remember({ ...me, token: null });
    throw new Refused("signed_out", "로그인한 지 오래됐어요. 다시 로그인해 주세요");
  }
  me.token = null;
  await rename(me.name);
}

export const isNew = () => me.token === null;

/** @param {{token: string | null, player: string | null, name: string}} issued */
function remember({ token, player, name }) {
  Object.assign(me, { token, player, name });
  write(KEY, { token, player, name });
}

// ---------------------------------------------------------------- this browser's memory, where it may be used

export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function write(key, value) {
  try {
    value === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a private window without storage: it is then remembered until the page is closed
  }
}
