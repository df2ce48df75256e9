import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

interface BucketOptions {
  /** Tokens in a full bucket. */
  burst: number;
  /** Tokens that are added each minute. */
  perMinute: number;
}

interface Bucket {
  left: number;
  atMs: number;
}

export interface Buckets {
  /** Takes a token of a key. Undefined on success, else the whole seconds until there is a token again. */
  take(key: string, now: Date): number | undefined;
  /** The result of a take, without taking. */
  wait(key: string, now: Date): number | undefined;
  /** Undoes a take. */
  giveBack(key: string): void;
}

/** About 10 MB. A key that was dropped starts with a full bucket. */
const keysMax = 100_000;

/** Token buckets of this process. Each API process counts for itself. */
export function createBuckets({ burst, perMinute }: BucketOptions): Buckets {
  // `max` would reserve the memory of all entries at once.
  const buckets = new LRUCache<string, Bucket>({ maxSize: keysMax, sizeCalculation: () => 1 });
  const perMs = perMinute / 60_000;
  /** The bucket with the tokens that were added since. Undefined for a key without one, whose bucket is full. */
  const fill = (key: string, nowMs: number): Bucket | undefined => {
    const bucket = buckets.get(key);
    if (!bucket) return undefined;
    // A clock that was set back adds no tokens and removes none.
    bucket.left = Math.min(burst, bucket.left + Math.max(0, nowMs - bucket.atMs) * perMs);
    bucket.atMs = nowMs;
    return bucket;
  };
  const secondsToToken = ({ left }: Bucket): number | undefined =>
    left < 1 ? Math.max(1, Math.ceil((1 - left) / perMs / 1000)) : undefined;

  return {
    take(key, now) {
      const nowMs = now.getTime();
      const bucket = fill(key, nowMs);
      if (!bucket) {
        buckets.set(key, { left: burst - 1, atMs: nowMs });
        return undefined;
      }
      const waitSeconds = secondsToToken(bucket);
      if (waitSeconds === undefined) bucket.left -= 1;
      return waitSeconds;
    },
    wait(key, now) {
      const bucket = fill(key, now.getTime());
      return bucket && secondsToToken(bucket);
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.left = Math.min(burst, bucket.left + 1);
    },
  };
}

/**
 * Maps all addresses of one caller to one key. An IPv6 caller usually has a /64 network, so its first 64 bits count. An IPv4
 * address that is written as IPv6 counts as the IPv4 address.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
