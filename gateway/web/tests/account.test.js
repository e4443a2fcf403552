import assert from "node:assert/strict";
import { test } from "node:test";

import { answered, asking } from "../account.js";

const here = (pathname = "/", hash = "") => ({ origin: "https://cards.example", pathname, hash });
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokenFor = (asked) => `${encoded({ alg: "ES256" })}.${encoded({ sub: "u-1", name: "안나", nonce: asked.nonce })}.c2ln`;
const back = (fields) => `#${new URLSearchParams(fields)}`;

test("one goes to the deployment's address, which hears where to come back to and nothing of where one was", () => {
  const { address, asked } = asking("https://id.example/authorize?client_id=hanpan&scope=openid%20profile", here("/r/ABC234", "#an-invitation"));
  const url = new URL(address);
  assert.equal(url.origin + url.pathname, "https://id.example/authorize");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: "hanpan", scope: "openid profile", redirect_uri: "https://cards.example/", state: asked.state, nonce: asked.nonce,
  });
  assert.doesNotMatch(address, /ABC234|invitation/);
  assert.match(asked.state, /^[0-9a-f]{32}$/);
  assert.notEqual(asked.state, asked.nonce);
});

test("the answer brings the token, and back to where one was", () => {
  const { asked } = asking("https://id.example/", here("/r/ABC234", "#an-invitation"));
  const token = tokenFor(asked);
  assert.deepEqual(answered(back({ id_token: token, state: asked.state }), asked), { from: "/r/ABC234#an-invitation", token });
  assert.deepEqual(answered(back({ error: "access_denied", state: asked.state }), asked), { from: "/r/ABC234#an-invitation", token: null });
});

test("what is no answer is left alone: an invitation stands behind the # too", () => {
  for (const hash of ["", "#", "#3q2-7wAAAAAAAAAAAAAAAA", "#state=x", "#id_token=x"]) assert.equal(answered(hash, null), null);
});

test("nobody is signed in by a link: neither unasked, nor by another's answer, nor with a token made for something else", () => {
  const { asked } = asking("https://id.example/", here("/r/ABC234"));
  const other = asking("https://id.example/", here()).asked;
  assert.deepEqual(answered(back({ id_token: tokenFor(asked), state: asked.state }), null), { from: "/", token: null });
  assert.deepEqual(answered(back({ id_token: tokenFor(other), state: other.state }), asked), { from: "/", token: null });
  for (const token of [tokenFor(other), "", "x", "a.b.c", `a.${encoded(null)}.c`, `a.${encoded({})}.c`]) {
    assert.equal(answered(back({ id_token: token, state: asked.state }), asked).token, null);
  }
});

test("one comes back to the lobby or a room, and nowhere else", () => {
  for (const from of ["//evil.example", "https://evil.example/", "/ops", "/r/../ops", "/r/ABC234?replay=1", "data:text/html,x", "/r/ABC234#a b"]) {
    assert.equal(answered("#error=x&state=s", { state: "s", nonce: "n", from }).from, "/");
  }
});
