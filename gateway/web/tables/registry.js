/**
 * Which table a game is played on. A table is a module, with a style sheet beside it, that is fetched when a room of
 * its game is entered. It has
 *
 *   table(ctx)  what is shown: ctx.state (`state.js`), ctx.act.play(action), ctx.act.hint(text), ctx.ui (the table's own
 *               memory, emptied for each game), ctx.redraw()
 *   describe(event, name)  a line for the log; null: not worth one
 *   help(view)  optional: the rules in brief
 *
 * A game without one is played on the generic table.
 */

const OWN = new Set(["ninety-nine"]);

const loaded = new Map(); // table id -> module; null while it is on its way

/** The table of a game, or null until it is here; `then` is called when it is. `plain` asks for the generic one. */
export function tableOf(game, plain, then) {
  const id = OWN.has(game) && !plain ? game : "generic";
  if (!loaded.has(id)) {
    loaded.set(id, null);
    Promise.all([import(`./${id}.js`), styled(id)]).then(
      ([module]) => loaded.set(id, module),
      () => loaded.delete(id), // the network was gone: the next drawing asks again
    ).then(then);
  }
  return loaded.get(id);
}

function styled(id) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `/tables/${id}.css`;
  return new Promise((done) => {
    sheet.onload = sheet.onerror = done;
    document.head.append(sheet);
  });
}
