/**
 * This page's say in the deals: a number of our own for each game, pledged when we sit down and opened once the room has
 * sealed the game (`FAIRNESS.md`). Pure but for the memory it is given: what the room looks like goes in, what to say
 * comes out.
 *
 * A number that was opened for one seal is never opened for another: who has heard it could choose a seal to fit it.
 */

import { pledgeOf, toHex } from "./sha256.js";

const KEY = "hanpan.lot"; // of the room that we came to last

/** @typedef {{type: "pledge", pledge: string} | {type: "lend", number: string}} Said */
/** @typedef {{number: string, seal: string | null}} Lot `seal`: for which it was opened */

export class Lots {
  /**
   * @param {string} room
   * @param {{read(key: string): any, write(key: string, value: any): void}} memory kept over a reload
   * @param {() => string} fresh a new number
   */
  constructor(room, memory, fresh = number) {
    this._room = room;
    this._memory = memory;
    this._fresh = fresh;
    const kept = memory.read(KEY);
    /** @type {Lot | null} */
    this._lot = kept?.room === room ? { number: kept.number, seal: kept.seal } : null;
  }

  /** The pledge of a number that has not been opened. @param {string} player */
  pledge(player) {
    if (this._lot === null || this._lot.seal !== null) this._keep({ number: this._fresh(), seal: null });
    return pledgeOf(player, /** @type {Lot} */ (this._lot).number);
  }

  /**
   * What is to be said now, if anything.
   *
   * @param {import("../types/page").RoomInfo} room
   * @param {string} player
   * @returns {Said | null}
   */
  follow(room, player) {
    const { deal } = room;
    if (deal && !deal.begun) return deal.awaited.includes(player) ? this._lend(deal, player) : null;
    const seat = room.seats.find((one) => one?.player === player);
    if (!seat || seat.left || room.status === "playing" || room.status === "closed") return null;
    const pledge = this.pledge(player);
    return seat.pledge === pledge ? null : { type: "pledge", pledge };
  }

  /** @returns {Said | null} */
  _lend(deal, player) {
    const lot = this._lot;
    if (lot === null || deal.pledges[player] !== pledgeOf(player, lot.number)) return null; // of another window of ours
    if (lot.seal !== null && lot.seal !== deal.seal) return null;
    this._keep({ number: lot.number, seal: deal.seal });
    return { type: "lend", number: lot.number };
  }

  _keep(lot) {
    this._lot = lot;
    this._memory.write(KEY, { room: this._room, ...lot });
  }
}

/** 32 random bytes in hex. */
const number = () => toHex(crypto.getRandomValues(new Uint8Array(32)));
