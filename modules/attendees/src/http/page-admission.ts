// Limits of the public pages to this process. Callers are strangers, so they are counted by network, and what they write is counted
// for the webinar and the account that it fills.
import { createLoader } from '@service/background';
import type { Query } from '@service/database';
import { addressKey, type Buckets, createBuckets } from '@service/rest';
import { endOfSlug, findBySlugEnds } from '@service/webinars';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { attendeeErrors } from '../errors.ts';

interface Address {
  accountId: string;
  webinarId: string;
}

/** Undefined for a slug that no webinar has. Throws too_many_page_views. */
export type SlugLookup = (slug: string) => Promise<Address | undefined>;

/** About 3 MB. */
const knownMax = 10_000;

/**
 * Finds the webinars of slugs. A slug names its webinar for ever, so found ones are kept. Others are looked up together, and at most
 * two statements run at once: before the look-up no account can pay for it.
 */
export function createSlugLookup(query: Query): SlugLookup {
  // `max` would reserve the memory of all entries at once.
  const known = new LRUCache<string, Address>({ maxSize: knownMax, sizeCalculation: () => 1 });
  const ends = createLoader<string, Address | undefined>({
    async load(wanted) {
      const found = new Map((await findBySlugEnds(query, wanted)).map((row) => [row.end, row]));
      return wanted.map((end) => found.get(end));
    },
    refuse: () => attendeeErrors.too_many_page_views({ retryAfterSeconds: 1 }),
    groupOf: () => '',
    concurrency: 2,
    batchMax: 100,
    waitingMax: 1000,
    waitMs: 2,
  });
  return async (slug) => {
    const end = endOfSlug(slug);
    if (end === undefined) return undefined;
    const kept = known.get(end);
    if (kept) return kept;
    const found = await ends.load(end);
    if (found) known.set(end, found);
    return found;
  };
}

/** A company or a mobile network may have one address for hundreds of people who got the same invitation. */
const limitsOf = {
  views: { burst: 300, perMinute: 300 },
  registrations: { burst: 100, perMinute: 30 },
  perAddress: { burst: 5, perMinute: 0.5 },
  perWebinar: { burst: 1000, perMinute: 120 },
  perAccount: { burst: 3000, perMinute: 300 },
};

export function createPageLimits() {
  const views = createBuckets(limitsOf.views);
  const registrations = createBuckets(limitsOf.registrations);
  const perAddress = createBuckets(limitsOf.perAddress);
  const perWebinar = createBuckets(limitsOf.perWebinar);
  const perAccount = createBuckets(limitsOf.perAccount);
  return {
    /** Throws too_many_page_views. */
    admitView({ ip = '' }: Request, now: Date): void {
      const retryAfterSeconds = views.take(addressKey(ip), now);
      if (retryAfterSeconds !== undefined) throw attendeeErrors.too_many_page_views({ retryAfterSeconds });
    },
    /** Before the body is read. Throws too_many_registrations. */
    admitCall: ({ ip = '' }: Request, now: Date): void => take(registrations, addressKey(ip), now),
    /** A registration that would be stored. Throws too_many_registrations. */
    admitRegistration({ accountId, webinarId }: Address, email: string, now: Date): void {
      take(perAddress, `${webinarId} ${email}`, now);
      take(perWebinar, webinarId, now);
      take(perAccount, accountId, now);
    },
  };
}

function take(buckets: Buckets, key: string, now: Date): void {
  const retryAfterSeconds = buckets.take(key, now);
  if (retryAfterSeconds !== undefined) throw attendeeErrors.too_many_registrations({ retryAfterSeconds });
}
