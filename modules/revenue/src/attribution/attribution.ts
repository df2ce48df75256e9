import type { EventSubscriber } from '@service/attendees';
import type { Attribution } from '../ledger/attribution.ts';
import { creditPurchases } from './credit-purchases.ts';
import { publishCredited, settleHeld } from './held-events.ts';
import { planRetries } from './retry.ts';

/** Attribution as the ledger calls it. */
export const createAttribution = ({ subscriber }: { subscriber: EventSubscriber }): Attribution => ({
  async creditPurchases(tx, purchases) {
    const credits = await creditPurchases(tx, purchases);
    planRetries(tx, purchases, credits);
    return credits;
  },
  settleHeld: (tx, payments) => settleHeld(tx, payments, subscriber),
  publishCredited: (tx, events) => publishCredited(tx, events, { subscriber }),
});
