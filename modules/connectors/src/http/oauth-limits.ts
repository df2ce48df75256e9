import { databaseTime } from '@service/database';
import { createBuckets, type Buckets } from '@service/rest';
import { tooManyRequests } from '../errors.ts';

type LimitName = keyof typeof bucketsOf;

// For each address, or for each grant, in this process. Clients of a cloud share few addresses, so valid credentials are counted by
// their grant only.
const bucketsOf = {
  /** Each may look up a client. */
  authorize: { burst: 60, perMinute: 60 },
  /** Each stores a row. */
  register: { burst: 20, perMinute: 20 },
  /** Codes and tokens that are not valid. */
  invalid: { burst: 60, perMinute: 60 },
  /** Exchanges of one grant. A client needs one an hour. */
  grant: { burst: 20, perMinute: 10 },
} satisfies Record<string, { burst: number; perMinute: number }>;

export type Limits = ReturnType<typeof createLimits>;

export function createLimits() {
  const entries = Object.entries(bucketsOf).map(([name, options]) => [name, createBuckets(options)]);
  const buckets = Object.fromEntries(entries) as Record<LimitName, Buckets>;
  return {
    /** Counts a request of an address or a grant. Throws temporarily_unavailable with status 429. */
    take(name: LimitName, key: string): void {
      const wait = buckets[name].take(key, databaseTime());
      if (wait !== undefined)
        throw tooManyRequests('Too many requests. Retry after Retry-After seconds.', wait);
    },
    giveBack: (name: LimitName, key: string): void => buckets[name].giveBack(key),
  };
}
