import type { PaymentState } from './entities/payment.ts';
import type { RevenueEventType } from './revenue-fact.ts';

/** The sums of a payment: what was paid, refunded and charged back, in minor units. */
export interface PaymentSums {
  amountMinor: number;
  refundedMinor: number;
  chargedBackMinor: number;
}

/** A chargeback that stands wins over refunds. A refund that was taken back counts as none. */
export function stateOfPayment({ amountMinor, refundedMinor, chargedBackMinor }: PaymentSums): PaymentState {
  if (chargedBackMinor > 0) return 'charged_back';
  if (refundedMinor <= 0) return 'paid';
  return refundedMinor < amountMinor ? 'partially_refunded' : 'refunded';
}

/** True when more was taken back than was paid. Amounts are never clipped, so the sums show by how much. */
export const isOverRefunded = ({ amountMinor, refundedMinor, chargedBackMinor }: PaymentSums): boolean =>
  refundedMinor + chargedBackMinor > amountMinor;

/** Adds an adjustment to its payment. With `sign` -1: removes it, when it is paired with another payment. */
export function addToSums(
  sums: PaymentSums,
  { type, countedMinor }: { type: RevenueEventType; countedMinor: number },
  sign: 1 | -1 = 1,
): void {
  const taken = -countedMinor * sign;
  if (type === 'refund' || type === 'refund_reversal') sums.refundedMinor += taken;
  if (type === 'chargeback' || type === 'chargeback_reversal') sums.chargedBackMinor += taken;
}
