/**
 * A hand of cards by keyboard, for every table whose hand is `.hand` with a button for each card: a digit picks a card
 * up (and again: plays it), arrows walk along it. After a card has gone the focus stays in the hand. Where a table has
 * something else to choose from just now it marks that `.keyed`, and keys go there.
 */

import { afterDrawing } from "./dom.js";

let place = null; // where in the hand the focus last was, while it was there

function cards() {
  const keyed = document.querySelectorAll(".board .keyed button");
  return /** @type {HTMLElement[]} */ ([...(keyed.length ? keyed : document.querySelectorAll(".board .hand button"))]);
}

export function armKeys() {
  addEventListener("keydown", pressed);
  document.addEventListener("focusin", ({ target }) => {
    const at = cards().indexOf(/** @type {HTMLElement} */ (target));
    place = at >= 0 ? at : null;
  });
  addEventListener("pointerdown", () => (place = null), { passive: true });
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const hand = cards();
  const at = hand.indexOf(event.target);
  if (/^[0-9]$/.test(event.key)) {
    const wanted = hand[(Number(event.key) + 9) % 10];
    if (!wanted) return;
    wanted.focus();
    wanted.click();
  } else if (at >= 0 && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    hand[(at + (event.key === "ArrowRight" ? 1 : hand.length - 1)) % hand.length].focus();
  } else return;
  event.preventDefault();
}

/** To be called after each drawing: whoever plays by keyboard goes on where they were. */
export const keepPlace = () => place !== null && isLost() && afterDrawing(goBack);

const isLost = () => document.activeElement === document.body || document.activeElement === null;

function goBack() {
  if (place === null || !isLost()) return;
  const hand = cards().filter((card) => !(/** @type {HTMLButtonElement} */ (card).disabled));
  const kept = place;
  hand[Math.min(kept, hand.length - 1)]?.focus({ preventScroll: true });
}
