/**
 * Signing in with an account of the deployment's: at its own address, and back with a token behind the #.
 *
 *   here ──▶ SIGN_IN?redirect_uri=https://here/&state=S&nonce=N ──▶ https://here/#id_token=T&state=S
 *
 * The names are OpenID Connect's (implicit flow), so an identity provider may be that address itself. What stands behind
 * the # reaches no server. Only the answer to what this browser has asked is taken, once (`state`), and only a token that
 * was made for it (`nonce`): nobody is signed in by a link. Where we were before is kept here, and never in an address.
 */

/** @typedef {{state: string, nonce: string, from: string}} Asked */

/** Where to go to sign in, and what to remember meanwhile. `here` is a `Location`. @returns {{address: string, asked: Asked}} */
export function asking(signIn, here) {
  const asked = { state: random(), nonce: random(), from: `${here.pathname}${here.hash}` };
  const address = new URL(signIn);
  address.searchParams.set("redirect_uri", `${here.origin}/`);
  address.searchParams.set("state", asked.state);
  address.searchParams.set("nonce", asked.nonce);
  return { address: address.href, asked };
}

/**
 * What came back behind the #: null where it is no answer; else where to go on to, and the token, or null where none came.
 *
 * @param {string} hash @param {Asked | null} asked
 * @returns {{from: string, token: string | null} | null}
 */
export function answered(hash, asked) {
  const said = new URLSearchParams(hash.slice(1));
  if (!said.has("state") || !(said.has("id_token") || said.has("error"))) return null;
  const token = said.get("id_token");
  if (!asked || said.get("state") !== asked.state) return { from: "/", token: null };
  return { from: PLACES.test(asked.from) ? asked.from : "/", token: token && nonceOf(token) === asked.nonce ? token : null };
}

/** The lobby, or a room, with an invitation. */
const PLACES = /^\/(r\/[A-Za-z0-9]{1,16}(#[\w-]{0,64})?)?$/;

/** What the token says that it was made for; whether it is good is the server's to say. */
function nonceOf(token) {
  try {
    return JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/"))).nonce;
  } catch {
    return undefined;
  }
}

/** 128 bits. */
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
