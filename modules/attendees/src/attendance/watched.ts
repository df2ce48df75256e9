// The watched seconds of a timeline as a bitset: one bit per second, the lowest bit of a byte first.

/** Whole seconds of the viewer's timeline, with `from` and without `to`. Empty if `to` is not after `from`. */
export type Range = readonly [from: number, to: number];

interface Credit {
  watched: Uint8Array;
  gainedSeconds: number;
}

const bitsOf = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/**
 * Adds the new seconds of the ranges, in order, until the budget is used up. Does not change the given array, and returns it if
 * nothing was new.
 */
export function creditSeconds(watched: Uint8Array, ranges: readonly Range[], budgetSeconds: number): Credit {
  const end = Math.max(0, ...ranges.map(([, to]) => to));
  const bytes = Buffer.alloc(Math.max(watched.length, Math.ceil(end / 8)));
  bytes.set(watched);
  let gainedSeconds = 0;
  for (const range of ranges) gainedSeconds += addRange(bytes, range, budgetSeconds - gainedSeconds);
  if (gainedSeconds === 0) return { watched, gainedSeconds };
  return { watched: bytes.subarray(0, usedLength(bytes, watched.length)), gainedSeconds };
}

/** Counts the watched seconds of a range. */
export function countSeconds(watched: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, watched.length * 8);
  let count = 0;
  for (let index = from >> 3; index * 8 < end; index += 1)
    count += bitsOf[watched[index]! & maskOf(index, from, end)]!;
  return count;
}

/** Sets missing bits, the earliest first, at most `budgetSeconds`. Returns their number. */
function addRange(bytes: Uint8Array, [from, to]: Range, budgetSeconds: number): number {
  let gained = 0;
  for (let index = from >> 3; index * 8 < to && gained < budgetSeconds; index += 1) {
    const byte = bytes[index]!;
    // Skipping full bytes makes it cheap if a client claims the whole day a hundred times.
    if (byte === 0xff) continue;
    const missing = maskOf(index, from, to) & ~byte;
    if (missing === 0) continue;
    const taken = lowestBits(missing, budgetSeconds - gained);
    bytes[index] = byte | taken;
    gained += bitsOf[taken]!;
  }
  return gained;
}

/** The bits of one byte that are in a range. */
function maskOf(index: number, from: number, to: number): number {
  const first = from - index * 8;
  const last = to - index * 8;
  const begun = first > 0 ? (0xff << first) & 0xff : 0xff;
  return last < 8 ? begun & (0xff >> (8 - last)) : begun;
}

function lowestBits(byte: number, count: number): number {
  if (bitsOf[byte]! <= count) return byte;
  let rest = byte;
  for (let cleared = 0; cleared < count; cleared += 1) rest &= rest - 1;
  return byte & ~rest;
}

/** Length without the trailing zeros that the budget did not fill. */
function usedLength(bytes: Uint8Array, least: number): number {
  let length = bytes.length;
  while (length > least && bytes[length - 1] === 0) length -= 1;
  return length;
}
