// Refunds and disputes of Stripe, which take money back, and their failures, which return it.
import { parseInput } from '@service/trpc';
import type { z } from 'zod';
import { Dispute, Refund, RefundedCharge, RefundedSum, type Event, type Part } from './objects.ts';

/** An object that takes money back: a refund or a dispute. */
type Adjustment = Omit<z.output<typeof Refund>, 'status' | 'reason'>;

const takeBack = (type: 'refund' | 'chargeback', object: Adjustment): Part => ({
  objectId: object.id,
  type,
  amountMinor: 0 - object.amount,
  currency: object.currency,
  keys: [object.payment_intent, object.charge],
  ...(type === 'refund' && { isDifference: false }),
  // The same in every event of this object.
  at: object.created,
});

const reverse = (type: 'refund_reversal' | 'chargeback_reversal', object: Adjustment): Part => ({
  objectId: object.id,
  type,
  amountMinor: object.amount,
  currency: object.currency,
  keys: [object.payment_intent, object.charge],
  ...(type === 'refund_reversal' && { isDifference: false }),
  reverses: object.id,
});

/**
 * API versions before 2024-10-28 may send no `refund.created` for a refund of a charge. Until 2022-11-15 the charge has its refunds.
 * Since then only the sums before and after it are known, and the refund is their difference. Later versions send the refund itself.
 * https://docs.stripe.com/changelog/acacia/2024-10-28/refund-webhook-update
 */
export function readRefundedCharge(object: unknown, event: Event): Part | Part[] | undefined {
  const { captured, refunds } = parseInput(RefundedCharge, object);
  // A charge that was only reserved has a refund too when it is released.
  if (captured === false) return undefined;
  if (refunds && refunds.data.length > 0)
    return refunds.data
      .flatMap((refund) => readListedRefund(refund) ?? [])
      .map((part, index) => (index === 0 ? part : { ...part, eventId: `${event.id}:${part.objectId}` }));
  const before = event.data.previous_attributes?.amount_refunded;
  if (before === undefined || (event.api_version ?? '') >= '2024-10-28') return undefined;
  const charge = parseInput(RefundedSum, object);
  if (charge.amount_refunded <= before) return undefined;
  return {
    objectId: event.id,
    type: 'refund',
    amountMinor: before - charge.amount_refunded,
    currency: charge.currency,
    keys: [charge.payment_intent, charge.id],
    isDifference: true,
  };
}

/** A refund in the list of its charge. One that failed has an event of its own. */
function readListedRefund(object: unknown): Part | undefined {
  const { status } = parseInput(Refund, object);
  return status === 'failed' || status === 'canceled' ? undefined : readRefund(object);
}

/** The end of an authorization that was not captured in time. Nothing was paid. */
const isRelease = ({ reason }: z.output<typeof Refund>): boolean => reason === 'expired_uncaptured_charge';

export function readRefund(object: unknown): Part | undefined {
  const refund = parseInput(Refund, object);
  return isRelease(refund) ? undefined : takeBack('refund', refund);
}

export function readFailedRefund(object: unknown): Part | undefined {
  const refund = parseInput(Refund, object);
  return isRelease(refund) ? undefined : reverse('refund_reversal', refund);
}

export function readRefundChange(object: unknown): Part | undefined {
  const { status } = parseInput(Refund, object);
  if (status === 'failed' || status === 'canceled') return readFailedRefund(object);
  // For a source whose `refund.created` was lost. The ledger has a refund once.
  return status === 'succeeded' ? readRefund(object) : undefined;
}

/** An inquiry (`warning_`) takes no money. https://docs.stripe.com/disputes/how-disputes-work#inquiries */
const isInquiry = ({ status }: z.output<typeof Dispute>): boolean => status.startsWith('warning_');

export function readDispute(object: unknown): Part | undefined {
  const dispute = parseInput(Dispute, object);
  return isInquiry(dispute) ? undefined : takeBack('chargeback', dispute);
}

export function readClosedDispute(object: unknown): Part | undefined {
  const dispute = parseInput(Dispute, object);
  if (dispute.status === 'won') return reverse('chargeback_reversal', dispute);
  // For a source whose `charge.dispute.created` was lost. The ledger has a dispute once.
  return dispute.status === 'lost' ? takeBack('chargeback', dispute) : undefined;
}

export const readReinstatedFunds = (object: unknown): Part =>
  reverse('chargeback_reversal', parseInput(Dispute, object));
