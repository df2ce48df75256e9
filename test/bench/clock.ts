/**
 * Milliseconds of a clock that all processes of a machine share and that nobody sets: for a time that begins in one
 * process and ends in another. `performance.timeOrigin` is read from the wall clock, once in each process.
 */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6;
