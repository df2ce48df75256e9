/** A receiver cannot put a delivery off for longer than this, in seconds. */
export const retryAfterMax = 3600;

/**
 * Seconds that a `Retry-After` header asks to wait, from 0 to an hour: a whole number of seconds, or a date (RFC 9110
 * 10.2.3). Undefined for whatever else stands there, which is then as if it were not there.
 */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const value = [header].flat()[0]?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), retryAfterMax);
  // Every form of an HTTP date names a day of the week; Date.parse alone would read "-1" as a year.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(0, (at - now.getTime()) / 1000), retryAfterMax);
}
