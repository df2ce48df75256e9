import { minuteMs } from './zone.ts';

const oldestMs = 10 * minuteMs;
const aheadMs = 5 * minuteMs;

/** The start of the clock minute: what "now" is called when a webinar is watched on demand. */
export const onDemandStart = (nowMs: number): number => Math.floor(nowMs / minuteMs) * minuteMs;

/** Whether an instant is a minute near enough: callers' clocks are not ours, and forms are filled in slowly. */
export function isOnDemandStart(startMs: number, nowMs: number): boolean {
  const ageMs = nowMs - startMs;
  return startMs % minuteMs === 0 && ageMs <= oldestMs && ageMs >= -aheadMs;
}
