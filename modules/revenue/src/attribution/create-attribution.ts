import type { EventSubscriber } from '@service/attendees';
import type { Attribution } from '../ledger/attribution.ts';
import { creditPurchases } from './credit-purchases.ts';
import { publishCredited, settlePostponed } from './postponed-events.ts';
import { planRetries } from './retry.ts';

/** Attribution as the ledger calls it. */
export const createAttribution = ({ subscriber }: { subscriber: EventSubscriber }): Attribution => ({
  async creditPurchases(tx, purchases) {
    const credits = await creditPurchases(tx, purchases);
    planRetries(tx, purchases, credits);
    return credits;
  },
  settlePostponed: (tx, payments) => settlePostponed(tx, payments, subscriber),
  publishCredited: (tx, events) => publishCredited(tx, events, { subscriber }),
});
