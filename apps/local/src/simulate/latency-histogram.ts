export interface Percentiles {
  count: number;
  /** Milliseconds; 0 when nothing was measured. */
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export type Histogram = ReturnType<typeof createHistogram>;

/** Each bucket ends 2 % above the one before, so a percentile is at most 2 % too high. The last one ends after ten minutes. */
const growth = 1.02;
const firstMs = 0.05;
const buckets = Math.ceil(Math.log(600_000 / firstMs) / Math.log(growth));

/** Millions of times in a few kilobytes. */
export function createHistogram() {
  const counts = new Uint32Array(buckets + 1);
  let count = 0;
  let max = 0;

  const at = (share: number): number => {
    let left = Math.ceil(count * share);
    const index = counts.findIndex((inBucket) => (left -= inBucket) <= 0);
    return Math.min(firstMs * growth ** index, max);
  };

  return {
    add(ms: number): void {
      const index = Math.ceil(Math.log(Math.max(ms, firstMs) / firstMs) / Math.log(growth));
      counts[Math.min(index, buckets)]! += 1;
      count += 1;
      max = Math.max(max, ms);
    },
    percentiles: (): Percentiles => ({ count, p50: at(0.5), p95: at(0.95), p99: at(0.99), max }),
  };
}
