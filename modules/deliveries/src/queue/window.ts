/** Attempts that an endpoint nobody knows yet gets at once, and that a slow one may have. */
export const windowFirst = 8;
/** Most attempts that one endpoint gets at once from one worker. */
export const windowMax = 64;

/** An answer within this time is fast, in milliseconds. */
export const fastMs = 500;
/** An attempt that takes longer than this belongs on the slow lane, in milliseconds. */
export const slowMs = 1000;

/** How an attempt ended, as far as it says something about its endpoint. */
export interface AttemptEnd {
  succeeded: boolean;
  durationMs: number;
}

/**
 * How many attempts an endpoint gets at once after one has ended. Each fast success while all are in use adds one, so that
 * they double with every round; slow answers lead back to where it began; a failure halves them. The shape is TCP's
 * (RFC 5681), applied to a receiver.
 */
export function nextWindow(window: number, end: AttemptEnd, wasFull: boolean): number {
  if (!end.succeeded) return Math.max(1, Math.floor(window / 2));
  if (end.durationMs > slowMs && window > windowFirst) return window - 1;
  if (window < windowFirst) return window + 1;
  return wasFull && end.durationMs <= fastMs ? Math.min(windowMax, window + 1) : window;
}
