/**
 * Checks evidence of a game's deals, from `FAIRNESS.md` alone: the same as `ops/fairness.py`, written apart from it and
 * from what makes the evidence. Both pass the vectors in `gateway/vectors/fairness.json`.
 */

import { bytesOf, fromHex, joined, pledgeOf, sha256, toHex } from "./sha256.js";

const MOST = 65_535;

/**
 * What is wrong with the evidence, in words; nothing, where every open card lies where it must.
 *
 * @param {any} evidence
 * @returns {string[]}
 */
export function check(evidence) {
  try {
    return found(evidence);
  } catch (misfit) {
    return [`this is no evidence: ${misfit instanceof Error ? misfit.message : misfit}`];
  }
}

function found(evidence) {
  const wrong = /** @type {string[]} */ ([]);
  const { v, seal, width, draws, players, pledges, numbers, drawn, viewer } = evidence;
  if (v !== 1) return [`evidence of version ${v} is not known here`];
  if (!(whole(width) && whole(draws) && width > 0 && draws > 0 && width <= MOST && draws <= MOST)) return ["no such size"];
  for (const [player, number] of Object.entries(numbers)) {
    if (pledges[player] !== pledgeOf(player, number)) wrong.push(`the number of ${player} is not the one that was pledged`);
  }
  const lot = lotOf(seal, numbers);
  if (evidence.lot !== toHex(lot)) wrong.push("the lot is not what the numbers come to");
  /** @type {Map<number, Map<number, number>>} draw → slot → index */
  const opened = new Map();
  const overAll = hashOfDraws(evidence.tree, 0, draws, width, opened);
  const under = joined(Uint8Array.of(2), four(width), four(draws), overAll, named(pledges));
  if (toHex(sha256(under)) !== seal) wrong.push("the envelopes and pledges are not those that were sealed");
  const seen = new Set();
  let seats = players;
  for (const draw of drawn) {
    if (seen.has(draw.draw)) wrong.push(`draw ${draw.draw} is there twice`);
    seen.add(draw.draw);
    const slots = opened.get(draw.draw) ?? new Map();
    const places = placesOf(draw, lot, width, slots);
    wrong.push(...wrongIn(draw, width, slots, places, seats, viewer));
    if (draw.what === "seats") seats = Array.from({ length: draw.count }, (_, position) => places.get(position));
  }
  for (const draw of opened.keys()) if (!seen.has(draw)) wrong.push(`envelopes of draw ${draw} are open, which nothing was drawn with`);
  return wrong;
}

/** What lies where, by the draw's open envelopes. Empty envelopes hold no place; unopened ones are not empty. */
function placesOf({ draw, count, items }, lot, width, slots) {
  /** @type {Map<number, string>} */
  const places = new Map();
  if (!items || slots.size === 0) return places;
  let position = 0;
  for (const slot of turn(lot, draw, width)) {
    const index = slots.get(slot);
    if (index === undefined) position += 1;
    else if (index < count) places.set(position++, items[index]);
  }
  return places;
}

/** Whether one draw is what it says, and had no choice: what was mixed began in an order that was given. */
function wrongIn({ draw, what, count, items, opened, taken }, width, slots, places, seats, viewer) {
  const wrong = /** @type {string[]} */ ([]);
  const no = (text) => wrong.push(`draw ${draw}: ${text}`);
  if (!items) {
    if (slots.size || opened.length) no("something is open, and nobody may know what was mixed");
    return wrong;
  }
  if (items.length !== count || (what !== "roles" && new Set(items).size !== count)) no(`what was mixed is not ${count} different things`);
  const order = what === "dealer" || what === "first" ? seats : inOrder(what === "seats" ? seats : items); // "seats" mixes the players
  if (items.length !== order.length || items.some((item, i) => item !== order[i])) no("what was mixed is not in its order");
  if (slots.size === 0) {
    if (opened.length || (viewer !== null && taken?.includes(viewer))) no("no envelope is open");
    return wrong;
  }
  const indices = [...slots.values()];
  if (new Set(indices).size !== indices.length || !indices.every((index) => index < width)) no("an index is there twice, or is none");
  if (indices.filter((index) => index >= count).length !== width - count) no("not every empty envelope is open");
  wrong.push(...wrongTaken(draw, opened, taken, viewer));
  const claimed = new Map(opened.map(({ position, item }) => [position, item]));
  if (claimed.size !== opened.length || claimed.size !== places.size || [...places].some(([position, item]) => claimed.get(position) !== item)) {
    no("the open envelopes hold something else than was said");
  }
  return wrong;
}

/** Whether the open cards are those that came off the top, for whom they came; and the viewer's are all there. */
function wrongTaken(draw, opened, taken, viewer) {
  if (!taken) return [];
  const wrong = /** @type {string[]} */ ([]);
  const open = new Set(opened.map(({ position }) => position));
  if (opened.some(({ position, player }) => position >= taken.length || taken[position] !== player)) {
    wrong.push(`draw ${draw}: a card is open that came off the deck for somebody else, or not at all`);
  }
  if (viewer !== null && taken.some((who, at) => who === viewer && !open.has(at))) wrong.push(`draw ${draw}: a card of the viewer's own is not open`);
  return wrong;
}

// ---------------------------------------------------------------- hashes

const lotOf = (seal, numbers) => sha256(joined(bytesOf("hanpan lot 1\0"), fromHex(seal, 32), named(numbers)));

/** Each player's, in the order of the players' bytes. */
const named = (hashes) => joined(...inOrder(Object.keys(hashes)).flatMap((player) => [bytesOf(player), bytesOf("\0"), fromHex(hashes[player], 32)]));

/** The slots in the order in which their envelopes are taken. */
export function turn(lot, draw, width) {
  const tickets = Array.from({ length: width }, (_, slot) => toHex(sha256(joined(bytesOf("hanpan turn 1\0"), lot, four(draw), four(slot)))));
  return tickets.map((_, slot) => slot).sort((one, other) => (tickets[one] < tickets[other] ? -1 : 1));
}

function hashOfDraws(tree, first, many, width, opened) {
  if (typeof tree === "string") return fromHex(tree, 32);
  if (many === 1) {
    const slots = new Map();
    opened.set(first, slots);
    return hashOfSlots(tree, 0, width, slots);
  }
  const left = leftOf(many);
  const [one, other] = pair(tree);
  return node(hashOfDraws(one, first, left, width, opened), hashOfDraws(other, first + left, many - left, width, opened));
}

function hashOfSlots(tree, first, many, slots) {
  if (typeof tree === "string") return fromHex(tree, 32);
  if (many === 1) {
    slots.set(first, tree.index);
    return sha256(joined(Uint8Array.of(0), fromHex(tree.salt, 16), four(tree.index)));
  }
  const left = leftOf(many);
  const [one, other] = pair(tree);
  return node(hashOfSlots(one, first, left, slots), hashOfSlots(other, first + left, many - left, slots));
}

function pair(tree) {
  if (!Array.isArray(tree) || tree.length !== 2) throw new Error("a node of the tree is not two");
  return tree;
}

/** The largest power of two below. */
function leftOf(many) {
  let left = 1;
  while (left * 2 < many) left *= 2;
  return left;
}

const node = (left, right) => sha256(joined(Uint8Array.of(1), left, right));

const whole = (number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32;

function four(number) {
  if (!whole(number)) throw new Error(`${number} is no number of four bytes`);
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** By the bytes of their names in UTF-8, which is the order of code points. @param {string[]} names */
function inOrder(names) {
  const keys = new Map(names.map((name) => [name, toHex(bytesOf(name))]));
  return [...names].sort((one, other) => (/** @type {string} */ (keys.get(one)) < /** @type {string} */ (keys.get(other)) ? -1 : 1));
}
