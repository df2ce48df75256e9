// Every id is a UUIDv7 (RFC 9562): sortable by time, so cursors, time filters and daily partitions all work on it.
import { v7 } from 'uuid';

/** A new id: of now and later than every id this process made before, or of the moment `at`. */
export const createId = (at?: Date): string => (at ? v7({ msecs: at.getTime() }) : v7());

/** The lowest id of a moment: `id >= idAt(date)` means "made at or after date". */
export function idAt(date: Date): string {
  const hex = Math.max(0, date.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When an id was made, to the millisecond. */
export function idTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
