/** ui/qr.js. What is read from a code was checked with another reader when it was written; here is what must hold. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { qr } from "../ui/qr.js";

const lines = (code) => code.map((row) => row.map((dark) => (dark ? "#" : ".")).join(""));

test("a code that another reader has read stays as it is", () => {
  const hash = createHash("sha256").update(lines(qr("https://hanpan.example/r/ABC234")).join("\n")).digest("hex");
  assert.equal(hash.slice(0, 16), "c111dcde4660b4d5");
});

test("it grows with the text, and ends where its versions end", () => {
  const size = (n) => qr("a".repeat(n))?.length ?? null;
  assert.deepEqual([17, 18, 32, 33, 53, 54, 78, 79, 106, 107].map(size), [21, 25, 25, 29, 29, 33, 33, 37, 37, null]);
  assert.equal(qr("한".repeat(17))?.length, 29);
});

test("three eyes, and the lines of timing between them", () => {
  const code = lines(qr("http://192.168.0.12:8080/r/HE3MEU"));
  for (const row of [0, 6]) assert.ok(code[row].startsWith("#######."), "upper left");
  assert.ok(code[0].endsWith(".#######"));
  assert.equal(code.at(-1).slice(0, 8), "#######.");
  assert.match(code[6].slice(7, -7), /^\.(#\.)+$/);
});
