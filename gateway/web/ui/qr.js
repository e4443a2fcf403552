/**
 * A QR code of a short text, so that a friend at the same table comes in with a camera: bytes, level L, versions 1 to 5
 * (up to 106 bytes), of which each is a single block. ISO/IEC 18004; pure.
 */

const DATA = [0, 19, 34, 55, 80, 108]; // codewords of data, by version
const CHECK = [0, 7, 10, 15, 20, 26]; // codewords that correct errors

/** The modules, row by row, true where dark; null where the text is too long. @param {string} text */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = DATA.findIndex((room, v) => v > 0 && bytes.length + 2 <= room);
  if (version < 0) return null;
  const words = codewords(bytes, version);
  const drawn = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => draw(words, version, mask));
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

// ---------------------------------------------------------------- codewords

/** Four bits that say "bytes", eight that say how many, the bytes, an end, and padding; then what corrects errors. */
function codewords(bytes, version) {
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, 8), ...[...bytes].flatMap((byte) => bitsOf(byte, 8)), 0, 0, 0, 0];
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(bits.slice(i, i + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  for (let pad = 0xec; data.length < DATA[version]; pad ^= 0xec ^ 0x11) data.push(pad);
  return [...data, ...remainder(data, CHECK[version])];
}

const bitsOf = (n, count) => Array.from({ length: count }, (_, i) => (n >> (count - 1 - i)) & 1);

/** Multiplication in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1. */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i -= 1) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> i) & 1) * a);
  return product;
}

/** Reed-Solomon: what is left of the data after division by (x − 1)(x − 2)(x − 4)… */
function remainder(data, degree) {
  const divisor = [...Array(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i += 1, root = times(root, 2)) {
    for (let j = 0; j < degree; j += 1) divisor[j] = times(divisor[j], root) ^ (divisor[j + 1] ?? 0);
  }
  const left = Array(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ left.shift();
    left.push(0);
    divisor.forEach((coefficient, i) => (left[i] ^= times(coefficient, factor)));
  }
  return left;
}

// ---------------------------------------------------------------- modules

const MASKS = [
  (x, y) => (x + y) % 2, (_, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

function draw(words, version, mask) {
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (x, y, on) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    dark[y][x] = Boolean(on);
    fixed[y][x] = true;
  };
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) squares(cx, cy, 4, [0, 1, 3], set);
  if (version > 1) squares(size - 7, size - 7, 2, [0, 2], set);
  format(mask, size, set);
  const bits = words.flatMap((word) => bitsOf(word, 8));
  let at = 0;
  for (const [x, y] of path(size)) {
    if (fixed[y][x]) continue;
    dark[y][x] = (bits[at] === 1) !== (MASKS[mask](x, y) === 0);
    at += 1;
  }
  return dark;
}

/** Rings around a centre, dark at these distances: the three eyes, and the small one. */
function squares(cx, cy, reach, rings, set) {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) set(cx + dx, cy + dy, rings.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  }
}

/** Level L and the mask, protected by ten more bits, twice. */
function format(mask, size, set) {
  const data = (1 << 3) | mask;
  let left = data;
  for (let i = 0; i < 10; i += 1) left = (left << 1) ^ ((left >> 9) * 0x537);
  const bits = ((data << 10) | left) ^ 0x5412;
  const bit = (i) => (bits >> i) & 1;
  for (let i = 0; i < 6; i += 1) set(8, i, bit(i));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let i = 9; i < 15; i += 1) set(14 - i, 8, bit(i));
  for (let i = 0; i < 8; i += 1) set(size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i += 1) set(8, size - 15 + i, bit(i));
  set(8, size - 8, true);
}

/** Two columns at a time from the right, up and down in turns, past the column of the timing. */
function* path(size) {
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i += 1) {
      const y = up ? size - 1 - i : i;
      yield [right, y];
      yield [right - 1, y];
    }
  }
}

/** What makes a code hard to read: long runs, blocks, and too much of one colour. */
function penalty(dark) {
  const lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x]))];
  const runs = lines.flatMap((line) => line.map(Number).join("").match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  const blocks = dark.slice(1).flatMap((row, y) => row.slice(1).filter((on, x) => on === row[x] && on === dark[y][x] && on === dark[y][x + 1])).length;
  const part = dark.flat().filter(Boolean).length / dark.length ** 2;
  return runs + 3 * blocks + 10 * Math.floor(Math.abs(part - 0.5) * 20);
}
