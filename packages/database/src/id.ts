// Every id is a UUIDv7 (RFC 9562). It sorts by time, so cursors, time filters and daily partitions use it. Its time is the
// database's time, not that of the process's clock.
import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { databaseTime } from './database-clock.ts';

/** A new id, greater than all earlier ids of this process. With `at`: an id of that time, greater than the last id if that had the same time. */
export const createId = (at?: Date): string =>
  v7(at ? sequenceAt(at.getTime()) : nextSequence(databaseTime().getTime()));

/** The last id of a given time. */
let lastAt = { msecs: 0, seq: 0 };

const sequenceAt = (msecs: number): typeof lastAt =>
  (lastAt = { msecs, seq: msecs === lastAt.msecs ? lastAt.seq + 1 : firstSeq() });

/** The last id: its millisecond and its number within it. */
let last = { msecs: 0, seq: 0 };

/** After a smaller step back of the database's clock the ids stay in order. After a larger one they follow the clock. */
const stepBackMaxMs = 10_000;

const seqMax = 0xff_ff_ff_ff;

/**
 * The 32 bits after the millisecond are a counter with a random start in its lower half (RFC 9562, 6.2, method 1). An overflow of
 * the counter increments the millisecond.
 */
function nextSequence(msecs: number): typeof last {
  const isNewer = msecs > last.msecs || msecs < last.msecs - stepBackMaxMs;
  if (isNewer) last = { msecs, seq: firstSeq() };
  else if (last.seq === seqMax) last = { msecs: last.msecs + 1, seq: firstSeq() };
  else last = { msecs: last.msecs, seq: last.seq + 1 };
  return last;
}

const firstSeq = (): number => randomInt(0x80_00_00_00);

export const idBytes = 16;

export const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The id of 16 bytes. */
export const bytesToId = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The lowest id of a time: `id >= idAt(date)` means "created at or after date". */
export function idAt(date: Date): string {
  const hex = Math.max(0, date.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time of an id, to the millisecond. */
export function idTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Ids of different machines differ by less than this in their times. */
export const clockSkewMs = 60_000;

/**
 * The lowest id of a record that was written after the one with this id, on any machine. A condition with it leaves out the
 * partitions of earlier times.
 */
export const lowestIdSince = (id: string): string => idAt(new Date(idTime(id).getTime() - clockSkewMs));

/** No id is lower, so a walk through a table begins after it. */
export const lowestId = '00000000-0000-0000-0000-000000000000';

/** No id is higher. */
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for the text of an id, in upper or lower case. Postgres refuses another text as a parameter. */
export const isId = (text: string): boolean => uuid.test(text);
