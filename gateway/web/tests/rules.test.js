/** rules/: every game's book can be opened, also with the options of a room. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../rules/", import.meta.url);
const book = (file) => import(new URL(file, FOLDER).href);

for (const file of readdirSync(FOLDER)) {
  test(`${file} is whole: a lead, and sections of words`, async () => {
    const { rules, presets = [] } = await book(file);
    for (const options of [{}, ...presets.map((one) => one.options)]) {
      const { lead, sections } = rules(options);
      assert.ok(lead.length > 5);
      assert.ok(sections.length >= 4);
      assert.equal(new Set(sections.map(({ title }) => title)).size, sections.length);
      for (const { title, body } of sections) {
        const text = JSON.stringify(body);
        assert.ok(title && body.length > 0, title);
        assert.doesNotMatch(text, /undefined|null|NaN|""/, title);
      }
    }
  });
}

test("뱅!'s names are those that the room has chosen, with their particles", async () => {
  const { rules } = await book("bang.js");
  const text = (names) => JSON.stringify(rules({ names }));
  assert.match(text("original"), /빗나감!으로 막지 못하면 생명을 1 잃어요/);
  assert.match(text("neutral"), /회피로 막지 못하면/);
  assert.doesNotMatch(text("children"), /무법자|사격|생명/);
});

test("섯다's book leaves out what the room has switched off", async () => {
  const { rules } = await book("seotda.js");
  const text = (options) => JSON.stringify(rules(options));
  assert.match(text({}), /암행어사.*구사/);
  assert.doesNotMatch(text({ amhaeng: "off", gusa: false }), /암행어사|구사/);
  assert.match(text({ maxRaise: "full" }), /"풀"/);
});
