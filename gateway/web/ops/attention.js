/**
 * What whoever is on call should look at now. The bounds are those of the alerts in `ops/alerts`, whose pages say what to
 * do; an alert waits for a while before it rings, this does not.
 *
 * @typedef {import("./types").Finding} Finding
 */

import { number, percent, plural } from "./format.js";

/** @param {import("./types").Overview | null} overview @param {import("./types").Charts | null} charts @returns {Finding[]} */
export function attention(overview, charts) {
  if (!overview) return [];
  const each = (many, findings) => many.flatMap((one) => [...findings(one)]);
  return [...rooms(overview), ...spares(overview), ...each(overview.nodes, node), ...each(overview.gateways, gateway), ...turns(charts)]
    .sort((a, b) => Number(b.grave) - Number(a.grave));
}

function* rooms({ states, nodes, ready }) {
  if (states.quarantined) {
    yield { grave: true, text: `${plural(states.quarantined, "room is", "rooms are")} quarantined`, runbook: "HanpanRoomQuarantined", href: "#/rooms?state=quarantined" };
  }
  if (!nodes.length) yield { grave: true, text: "No node's agent is connected: no room can be made or brought back", runbook: "HanpanNodeAgentAbsent" };
  else if (!ready) yield { grave: true, text: "No node takes rooms just now: none can be made or brought back", runbook: "HanpanNoNewRooms" };
  if (states.stranded) yield { grave: true, text: `${plural(states.stranded, "room is", "rooms are")} stranded: no node can play them`, runbook: "HanpanRoomsStranded", href: "#/rooms?state=stranded" };
  if (states.placing) yield { grave: false, text: `${plural(states.placing, "room waits", "rooms wait")} for a process`, runbook: "HanpanRoomsWithoutProcess", href: "#/rooms?state=placing" };
}

/** A node without one matters where no other has any, or where it could start some. */
function* spares({ nodes }) {
  const bare = nodes.filter((one) => !one.spares && one.wanted && !one.full && !one.draining);
  if (bare.length && !nodes.some((one) => one.spares)) yield { grave: true, text: "No node has a spare process", runbook: "HanpanNoSpares" };
  else for (const { node } of bare) yield { grave: false, text: `${node} has no spare process`, runbook: "HanpanNodeWithoutSpares" };
}

/** @param {import("./types").OneNode} one */
function* node(one) {
  const { memoryFree, memoryTotal, diskFree, diskTotal, paused } = one.vitals;
  const called = one.node;
  if (paused) yield { grave: true, text: `${plural(paused, "room stands", "rooms stand")} still on ${called}: the log store does not answer`, runbook: "HanpanLogStoreDown" };
  if (one.draining) yield { grave: false, text: `${called} is being drained; ${plural(one.rooms, "room is", "rooms are")} still on it`, runbook: "", href: `#/rooms?node=${encodeURIComponent(called)}` };
  else if (one.full) yield { grave: false, text: `${called} is full: it may start no more processes`, runbook: "HanpanNodeFull" };
  if (one.processes > 0.9 * one.limit) yield { grave: false, text: `${called} is nearly full: ${number(one.processes)} of ${number(one.limit)} processes`, runbook: "HanpanNodeFull" };
  if (memoryTotal && memoryFree !== null && memoryFree !== undefined && memoryFree < 0.1 * memoryTotal) yield { grave: true, text: `${called} has ${percent(memoryFree / memoryTotal)} of its memory left`, runbook: "HanpanMemoryShort" };
  if (diskTotal && diskFree !== null && diskFree !== undefined && diskFree < 0.1 * diskTotal) yield { grave: true, text: `${called} has ${percent(diskFree / diskTotal)} of a disk left`, runbook: "HanpanDiskShort" };
}

/** @param {import("./types").Gateway} one */
function* gateway({ name, sockets, limit, draining }) {
  if (draining) yield { grave: false, text: `Gateway ${name} is ending`, runbook: "" };
  if (sockets && limit && sockets > 0.9 * limit) yield { grave: false, text: `Gateway ${name} is nearly full: ${number(sockets)} of ${number(limit)} sockets`, runbook: "HanpanGatewayFull" };
}

/** @param {import("./types").Charts | null} charts */
function* turns(charts) {
  if (!charts) return;
  const last = recent(charts, 300);
  if (last.turns >= 20 && last.slow / last.turns > 0.0144) {
    yield { grave: true, text: `${percent(last.slow / last.turns, 1)} of turns took more than 100 ms in the last 5 minutes`, runbook: "HanpanTurnLatencyBurn" };
  }
  if (last.timeouts >= 10 && last.timeouts / (last.timeouts + last.turns) > 0.1) {
    yield { grave: true, text: `${percent(last.timeouts / (last.timeouts + last.turns))} of questions went unanswered in the last 5 minutes`, runbook: "HanpanTimeoutsSurge" };
  }
}

/** Sums over the last so many seconds, and the worst quantiles. @param {import("./types").Charts} charts */
export function recent(charts, seconds) {
  const from = Math.max(0, charts.turns.length - Math.ceil(seconds / charts.step));
  const sum = (column) => column.slice(from).reduce((total, value) => total + (value ?? 0), 0);
  const mean = (column) => weighted(column.slice(from), charts.turns.slice(from));
  return {
    turns: sum(charts.turns), slow: sum(charts.slow), timeouts: sum(charts.timeouts), recoveries: sum(charts.recoveries),
    p50: mean(charts.p50), p99: mean(charts.p99), seconds: (charts.turns.length - from) * charts.step,
  };
}

/** The mean of a column, each value as heavy as the turns it stands for; null where there were none. */
function weighted(column, weights) {
  let total = 0, weight = 0;
  column.forEach((value, i) => {
    if (value === null) return;
    total += value * (weights[i] ?? 0);
    weight += weights[i] ?? 0;
  });
  return weight ? total / weight : null;
}
