import { LRUCache } from 'lru-cache';

interface BucketOptions {
  /** What may be taken at once by who has taken nothing for long. */
  burst: number;
  /** What comes back. */
  perMinute: number;
}

interface Bucket {
  left: number;
  atMs: number;
}

export interface Buckets {
  /** Takes one of a key's. Undefined if there was one, else the whole seconds until there is one again. */
  take(key: string, now: Date): number | undefined;
  /** Takes back what was taken for nothing. */
  giveBack(key: string): void;
}

/** Some 10 MB. A key that is forgotten begins anew, which costs less than refusing somebody. */
const keysMax = 100_000;

/** Token buckets of this process: each API process counts for itself. */
export function createBuckets({ burst, perMinute }: BucketOptions): Buckets {
  const buckets = new LRUCache<string, Bucket>({ max: keysMax });
  const perMs = perMinute / 60_000;
  return {
    take(key, now) {
      const nowMs = now.getTime();
      const bucket = buckets.get(key);
      if (!bucket) {
        buckets.set(key, { left: burst - 1, atMs: nowMs });
        return undefined;
      }
      // A clock that is set back gives nothing and takes nothing.
      bucket.left = Math.min(burst, bucket.left + Math.max(0, nowMs - bucket.atMs) * perMs);
      bucket.atMs = nowMs;
      if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / perMs / 1000));
      bucket.left -= 1;
      return undefined;
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.left = Math.min(burst, bucket.left + 1);
    },
  };
}
