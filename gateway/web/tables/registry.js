/**
 * Which table a game is played on. A table is a module, `tables/<id>.js`, with a style sheet beside it; both are fetched
 * when a room of its game is entered. Its exports (`Table` in `types/page.d.ts`):
 *
 *   table(ctx)             what is shown of ctx.state: `main.table`. Moves by ctx.act.play(one of ctx.state.legal), keeps
 *                          what is only picked in ctx.ui (emptied with each game) and calls ctx.redraw() after a change
 *   describe(event, name)  a line for the log and for who listens; null: not worth one
 *
 * and, where the game has use for them:
 *
 *   sound(event, me)       one of `ui/sound.js`'s
 *   chapter(event, name)   the name of what begins with this event, to jump to in a replay ("3라운드")
 *   hints(state)           what a newcomer should know now: [{id, text}], each shown until it has been read once
 *   score(line, view)      what stands beside a name on the result sheet
 *   details(view, name, events)  what else was worth telling of a finished game: [[what, which]], below the ranking
 *
 * The frame around it (`ui/room.js`) draws the bar, banners, log, hints and result. In a replay the same table is given
 * a state in which nothing is legal and no clock runs (`ctx.replay`). A game without a table of its own is played on the
 * generic one. The rules that players read are in `rules/<id>.js`.
 */

import { preload, styles } from "../inside.js";

/** Each table and the modules that it needs beside those of the page, so that all are asked for at once. @type {Record<string, string>} */
const TABLES = {
  bang: "bang/art bang/ask bang/book bang/motion bang/people bang/words ../ui/cards ../ui/motion ../ui/pictures ../ui/ring",
  "ninety-nine": "labels ../ui/cards ../ui/motion ../ui/pictures ../ui/ring",
  "parlett-ninety-nine": "labels ../ui/cards ../ui/pictures ../ui/ring",
  seotda: "seotda/cards seotda/middle seotda/mine seotda/motion seotda/ranking seotda/seats seotda/words ../ui/cards ../ui/motion ../ui/pictures ../ui/ring",
  generic: "labels ../ui/ring",
};

/** @type {Map<string, import("../types/page").Table | null | false>} */
const loaded = new Map(); // table id -> module; null while it is on its way; false: it could not be had

/** @type {Map<string, HTMLLinkElement>} */
const sheets = new Map(); // table id -> its style sheet

/**
 * The table of a game; null until it is here, `then` is called when it is; false where it could not be had. `plain` asks
 * for the generic one. Only the style sheet of the table that was asked for last is in force.
 */
export function tableOf(game, plain, then) {
  const id = tableId(game, plain);
  if (!loaded.has(id)) {
    loaded.set(id, null);
    for (const part of TABLES[id].split(" ")) preload(new URL(`./${part}.js`, import.meta.url));
    Promise.all([import(`./${id}.js`), styled(id)]).then(([module]) => loaded.set(id, module), () => loaded.set(id, false)).then(then);
  }
  for (const [one, { sheet }] of sheets) if (sheet && sheet.disabled !== (one !== id)) sheet.disabled = one !== id;
  return loaded.get(id);
}

/** The table of a game, if it is here already. */
export const loadedTable = (game, plain) => loaded.get(tableId(game, plain)) || null;

const tableId = (game, plain) => (Object.hasOwn(TABLES, game) && !plain ? game : "generic");

function styled(id) {
  const { sheet, there } = styles(new URL(`./${id}.css`, import.meta.url));
  sheets.set(id, sheet);
  return there;
}
