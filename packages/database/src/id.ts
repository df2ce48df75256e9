// Every id is a UUIDv7 (RFC 9562): sortable by time, so cursors, time filters and daily partitions all work on it. Its time is
// the database's, whatever the clock of this process says.
import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { databaseTime } from './database-clock.ts';

/** A new id: of now and later than every id this process made before, or of the moment `at`. */
export const createId = (at?: Date): string =>
  at ? v7({ msecs: at.getTime() }) : v7(nextPlace(databaseTime().getTime()));

/** The place of the last id: its millisecond, and its number within that. */
let last = { msecs: 0, seq: 0 };

/** The database's clock may be corrected by this much, and ids go on in order. After a larger step back they follow the clock. */
const stepBackMaxMs = 10_000;

const seqMax = 0xff_ff_ff_ff;

/**
 * The 32 bits after the millisecond are a counter that begins anywhere in their lower half (RFC 9562, 6.2, method 1). When it
 * is used up, the millisecond is counted up.
 */
function nextPlace(msecs: number): typeof last {
  const isNewer = msecs > last.msecs || msecs < last.msecs - stepBackMaxMs;
  if (isNewer) last = { msecs, seq: firstSeq() };
  else if (last.seq === seqMax) last = { msecs: last.msecs + 1, seq: firstSeq() };
  else last = { msecs: last.msecs, seq: last.seq + 1 };
  return last;
}

const firstSeq = (): number => randomInt(0x80_00_00_00);

/** The lowest id of a moment: `id >= idAt(date)` means "made at or after date". */
export function idAt(date: Date): string {
  const hex = Math.max(0, date.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When an id was made, to the millisecond. */
export function idTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
