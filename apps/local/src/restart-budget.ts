const restartsMax = 5;
const withinMs = 60_000;

/** Counts restarts. Each call returns the wait before the next one, or undefined after five within a minute. */
export function createRestartBudget(): (nowMs: number) => number | undefined {
  let restarts: number[] = [];
  return (nowMs) => {
    restarts = restarts.filter((at) => nowMs - at < withinMs);
    if (restarts.length >= restartsMax) return undefined;
    restarts.push(nowMs);
    return 200 * 2 ** (restarts.length - 1);
  };
}
