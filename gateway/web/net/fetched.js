/** What the page fetches after its first modules: links in the document's head, by addresses of this page's own version. */

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
