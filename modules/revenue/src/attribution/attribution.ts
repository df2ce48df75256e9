import type { EventSubscriber } from '@service/attendees';
import type { Attribution } from '../ledger/attribution.ts';
import { creditPurchases } from './credit-purchases.ts';
import { publishCredited } from './publish-credited.ts';
import { planRetries } from './retry.ts';

/** Attribution as the ledger calls it. */
export const createAttribution = ({ subscriber }: { subscriber: EventSubscriber }): Attribution => ({
  async creditPurchases(tx, purchases) {
    const credits = await creditPurchases(tx, purchases);
    planRetries(tx, purchases, credits);
    return credits;
  },
  publishCredited: (tx, events) => publishCredited(tx, events, { subscriber }),
});
