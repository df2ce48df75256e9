import { publishForRegistrations, type EventSubscriber } from '@service/attendees';
import type { AccountWriter } from '@service/database';
import type { CreditedEvent } from '../credit.ts';

/** The attendee event of a row of the ledger. A reversal is none: no rule waits for it. */
export const eventTypeOf = {
  purchase: 'purchase',
  refund: 'refund',
  chargeback: 'refund',
  refund_reversal: undefined,
  chargeback_reversal: undefined,
  purchase_reversal: undefined,
} as const satisfies Record<CreditedEvent['type'], string | undefined>;

/**
 * Publishes `purchase` and `refund` for revenue events that got a registration for the first time, in the order of their times, a
 * purchase first. The registrations are marked as purchased before (`markPurchases`), so that conditions of rules see it.
 */
export async function publishNow(
  tx: AccountWriter,
  credited: readonly CreditedEvent[],
  subscriber: EventSubscriber,
): Promise<void> {
  const events = credited.flatMap((event) => {
    const type = eventTypeOf[event.type];
    const { registrationId } = event.credit;
    if (!type || !registrationId) return [];
    return [{ type, registrationId, occurredAt: event.occurredAt, data: dataOf(event) }];
  });
  if (events.length === 0) return;
  const inOrder = events.toSorted(
    (one, other) =>
      one.occurredAt.getTime() - other.occurredAt.getTime() || one.type.localeCompare(other.type),
  );
  await publishForRegistrations(tx, inOrder, subscriber);
}

const dataOf = ({ revenueEventId, type, amountMinor, currency, credit }: CreditedEvent) => ({
  revenueEventId,
  type,
  amountMinor,
  currency,
  ...(credit.interactionId && { offerId: credit.interactionId }),
  level: credit.level,
});
