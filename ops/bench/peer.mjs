// hanpan for the comparison harness: `node run.mjs --also <this file> --peers hanpan,durable,boardgameio`.
//
// Two ways to run it, because two figures ask for opposite things. `hanpan` keeps the usual few spares. Spares cost CPU
// while they wait, and the harness opens 50 rooms one after the other, faster than processes start: `hanpan-spares` has
// one ready for each of them from the beginning.
//
// HANPAN_PYTHON names the Python to use; without it, the one that `make` has set up.
import path from 'node:path';
import { parseArgs } from 'node:util';

const repository = path.resolve(import.meta.dirname, '../..');
const python = process.env.HANPAN_PYTHON ?? path.join(repository, '.venv/bin/python');
const { values: asked } = parseArgs({ options: { rooms: { type: 'string', default: '20' } }, strict: false });
const CREATIONS = 50; // rooms that the harness opens to measure that, all open at once

// Players act far more often at full speed than the gateway lets people: its limits are off.
const up = `
  PYTHONPATH="ops/bench/plugin" HANPAN_MESSAGES_RATE=0 HANPAN_BYTES_RATE=0 HANPAN_LOG_LEVEL=warning \
  exec "$0" -m ops.cli up --host "$HOST" --port "$PORT" --data "$DATA_DIR" "$@"`;

const peer = (...options) => ({
  command: ['sh', '-c', up, python, ...options.map(String)],
  cwd: repository,
  driver: new URL('driver.mjs', import.meta.url).href,
});

const most = Number(asked.rooms) + CREATIONS + 2;
export const peers = {
  hanpan: peer('--spares', 4),
  'hanpan-spares': peer('--spares', most, '--limit', most),
};
