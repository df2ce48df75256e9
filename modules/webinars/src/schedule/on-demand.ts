import { minuteMs } from './zone.ts';

const oldestMs = 10 * minuteMs;
const aheadMs = 5 * minuteMs;

/** The start of an on-demand session that is booked now: the current minute. */
export const onDemandStart = (nowMs: number): number => Math.floor(nowMs / minuteMs) * minuteMs;

/** Accepts minutes near now, because callers' clocks differ and people take time to fill in a form. */
export function isOnDemandStart(startMs: number, nowMs: number): boolean {
  const ageMs = nowMs - startMs;
  return startMs % minuteMs === 0 && ageMs <= oldestMs && ageMs >= -aheadMs;
}
