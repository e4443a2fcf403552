// The comparison harness's players, as clients of hanpan: the game bench-turn over the public protocol.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(process.argv[1]); // the harness has ws; this folder has no packages of its own
const WebSocket = require('ws');

const GAME = { game: 'bench-turn', options: { turnSeconds: 3600 }, autoStart: true, spectators: false };
let ids = 0;

async function post({ host, port }, path, body, token) {
  const headers = { 'content-type': 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(`http://${host}:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${said.code} ${said.message}`);
  return said;
}

// A phone asks for its token once, and has it for a month: who makes a room or joins one has it already.
const tokens = [];
const guest = async (target) => tokens.pop() ?? (await post(target, '/api/guest', { name: 'p' })).token;

async function meet(target, people) {
  while (tokens.length < people) tokens.push((await post(target, '/api/guest', { name: 'p' })).token);
}

// The port is open before hanpan is ready, and before its spares are. The harness starts measuring when this module is
// loaded, so the loading waits: for readiness, then until the machine has stopped starting processes.
async function settled({ host, port }, server, limitMs) {
  const end = performance.now() + limitMs;
  let before = -1;
  while (performance.now() < end) {
    const ready = await fetch(`http://${host}:${port}/readyz/rooms`).then((answer) => answer.ok, () => false);
    const now = ready ? processes(server) : -1;
    if (ready && now === before) return;
    before = now;
    await sleep(3000);
  }
  throw new Error('hanpan did not become ready');
}

// The server's whole tree, as it is now.
function processes(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '));
    return children.filter(Boolean).reduce((sum, child) => sum + processes(child), 1);
  } catch { return 0; } // it has just ended
}

const config = JSON.parse(process.argv[2] ?? '{}');
if (config.target) {
  await settled(config.target, config.serverPid, 300_000);
  await meet(config.target, (config.rooms + config.creations + 1) * config.players);
}

export async function createRoom(target, players) {
  const token = await guest(target);
  const room = await post(target, '/api/rooms', { ...GAME, seats: players }, token);
  return { id: room.id, host: token };
}

export async function join(target, room, seat, onEvent) {
  const token = seat === 0 ? room.host : await guest(target);
  const socket = new WebSocket(`ws://${target.host}:${target.port}/ws`, { perMessageDeflate: false });
  let question = null; // what we are asked, until we have answered
  const waiting = []; // actions that came before the question

  const say = (message) => socket.send(JSON.stringify({ ...message, id: `b${++ids}` }));
  const answer = ({ n }) => {
    const { decision, cardId } = question;
    question = null;
    say({ type: 'action', decision, action: { type: 'play', cardId, n } });
  };

  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`seat ${seat}: ${why}`));
    socket.on('error', reject);
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'hello', v: 1, token, room: room.id, join: 'seat' }));
    });
    socket.on('message', (data) => {
      const message = JSON.parse(data);
      switch (message.type) {
        case 'welcome':
        case 'update':
          question = message.legal?.length ? { decision: message.decision, cardId: message.legal[0].cardId } : null;
          for (const event of message.events ?? []) if (event.type === 'played') onEvent(event.seq, event.next);
          if (question && waiting.length) answer(waiting.shift());
          if (message.type === 'welcome') message.you.seat === seat ? resolve(player) : fail('not the seat we wanted');
          break;
        case 'reject': throw new Error(`seat ${seat}: ${message.code}`);
        case 'bye': if (message.code !== 'closed') fail(message.code); break;
        default: // ack, presence
      }
    });
    const player = {
      send: (action) => { if (question) answer(action); else waiting.push(action); },
      close: () => { if (seat === 0) say({ type: 'close' }); else socket.close(); }, // the host's takes the room with it
    };
  });
}
