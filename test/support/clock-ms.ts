/**
 * Milliseconds of the machine's monotonic clock, which all its processes share: for a time that begins in one process and ends
 * in another. `performance.now()` would not do: each process reads its origin from the wall clock.
 */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6;
