/**
 * What the lobby can do without: rooms, games watched again, and the sheets that lie over the page. It is fetched once
 * the lobby stands, or at once for who comes by a link or is quick; then a first visit waits only for what it shows.
 */

/** All modules of it, so that they are asked for at once. */
const PARTS = "fair/lots fair/sha256 net/countdown net/session net/socket replay senses state tables/registry ui/create ui/dialog ui/fair ui/form ui/invite ui/keys ui/menu ui/qr ui/replay ui/room ui/rules ui/schema ui/size ui/sound ui/waiting";
const SHEETS = ["rooms", "more"];

const here = (path) => new URL(path, import.meta.url);

/** @type {Promise<typeof import("./play.js")> | null} */
let coming = null;
/** @type {typeof import("./ui/screens.js") | null} */
let arrived = null;
let then = () => {};

/** What is done in rooms (`play.js`), when it is here with all that it is shown by; a browser tries it once. */
export const inside = () => (coming ??= fetchAll());

/** What shows it (`ui/screens.js`); null until it is here. */
export const screens = () => arrived;

/** To be called once it is here, before anybody goes in. */
export const whenInside = (call) => (then = call);

async function fetchAll() {
  for (const part of PARTS.split(" ")) preload(here(`./${part}.js`));
  const sheets = SHEETS.map((name) => styles(here(`./style/${name}.css`)).there);
  const modules = Promise.all([import("./play.js"), import("./ui/screens.js")]);
  const [play, all] = await modules.catch(gone);
  await Promise.all(sheets).catch(gone);
  arrived = all;
  then();
  return play;
}

/**
 * Modules that could not be had are not asked for again: a browser remembers that as it remembers those that it has.
 *
 * @returns {never}
 */
function gone() {
  throw Object.assign(new Error("화면을 가져오지 못했어요. 페이지를 새로 고쳐 주세요"), { code: "away" });
}

// ---------------------------------------------------------------- fetching, for tables too

/** @param {"modulepreload" | "stylesheet"} rel @param {string | URL} to an address; what it is, it stays for good */
function link(rel, to) {
  const one = document.createElement("link");
  one.rel = rel;
  one.href = new URL(to, import.meta.url).pathname;
  document.head.append(one);
  return one;
}

/** Asks for a module before it is imported, so that many come at once and not one after the other. */
export const preload = (url) => link("modulepreload", url);

/** Asks for a style sheet. @returns {{sheet: HTMLLinkElement, there: Promise<unknown>}} */
export function styles(url) {
  const sheet = link("stylesheet", url);
  const there = new Promise((done, failed) => {
    sheet.onload = done;
    sheet.onerror = failed;
  });
  return { sheet, there };
}
