/** Things on the table that move by themselves between two renders: counting numbers and running clocks. */

import { left } from "../net/countdown.js";
import { calm, h } from "./dom.js";

/** A hook: the element's number counts up or down to `value`, said as `said` says it. @param {(n: number) => string} said */
export function counting(value, said = String) {
  return (el, isNew) => {
    if (el._goal === value) return;
    const from = el._shown ?? value;
    el._goal = value;
    cancelAnimationFrame(el._frame);
    const show = (n) => (el.textContent = said((el._shown = n)));
    if (isNew || calm() || from === value) return show(value);
    const began = performance.now();
    const during = Math.min(700, 240 + 12 * Math.abs(value - from));
    const step = (now) => {
      const part = Math.min(1, (now - began) / during);
      show(Math.round(from + (value - from) * (1 - (1 - part) ** 3)));
      if (part < 1 && el.isConnected) el._frame = requestAnimationFrame(step);
      else show(value);
    };
    el._frame = requestAnimationFrame(step);
  };
}

/** The ring round the face of whoever is waited for. */
export const halo = () => HALO;
const HALO = h("svg.halo", { viewBox: "0 0 48 48", "aria-hidden": "true" }, h("circle.lapse", { cx: "24", cy: "24", r: "22", pathLength: "100" }));

/**
 * A hook: keeps `--left` (1 … 0) of what is marked `.lapse` in it, and the text of an element marked `data-seconds`, to the
 * clock. Only of these: all below an element with a new value would have their styles worked out again. `whole` is what a
 * full ring stands for, where the table knows better than the clock.
 */
export function running(clock, whole = 0) {
  return (el) => {
    const full = Math.max(whole, clock?.whole ?? 0) || 1;
    if (clocks.has(el) && el._clock === clock && el._whole === full) return; // runs on by itself
    el._clock = clock;
    el._whole = full;
    clocks.add(el);
    el._unhooked = () => (clocks.delete(el), el.classList.remove("idle", "hurry"));
    show(el);
    timer ??= setInterval(showAll, 200);
  };
}

const clocks = new Set();
let timer = null;

function showAll() {
  for (const el of clocks) el.isConnected ? show(el) : clocks.delete(el);
  if (clocks.size === 0) timer = clearInterval(timer) ?? null;
}

function show(el) {
  const ms = left(el._clock, performance.now());
  for (const one of el.getElementsByClassName("lapse")) one.style.setProperty("--left", ms === null ? 0 : Math.min(1, ms / el._whole));
  el.classList.toggle("idle", ms === null);
  el.classList.toggle("hurry", ms !== null && ms < 4000);
  const seconds = el.querySelector("[data-seconds]");
  const text = ms === null ? "" : String(Math.ceil(ms / 1000));
  if (seconds && seconds.textContent !== text) seconds.textContent = text;
}
