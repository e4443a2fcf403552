/** How much room the screen has, kept up to date: what is drawn where there is room for it is not drawn elsewhere. */

import { media } from "./dom.js";

/** For a second column: the log beside a table, a QR code beside the seats. @type {() => boolean} */
export let wide = () => false;

/** On a low screen hints lie over the table. @type {() => boolean} */
export let low = () => false;

/** @param {() => void} then called when it changes */
export function armSize(then) {
  wide = media("(min-width: 960px)", then);
  low = media("(max-height: 700px)", then);
}
