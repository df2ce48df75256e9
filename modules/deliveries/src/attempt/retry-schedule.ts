/** A retry comes up to this much earlier or later, so that what failed together does not come back together. */
const jitter = 0.2;

/**
 * Seconds to wait before try number `attempt` (from 1); undefined when the schedule has no such try. `random` is a
 * number from 0 up to 1. A wait of 0 has no jitter.
 */
export function waitBefore(
  attempt: number,
  scheduleSeconds: readonly number[],
  random: number,
): number | undefined {
  const wait = scheduleSeconds[attempt - 1];
  return wait === undefined ? undefined : wait * (1 + jitter * (2 * random - 1));
}
