// The ledger that a history of Stripe must end as, written from what happened and not from the events: how money moves at Stripe, in
// its own words and without the code of the service.
import { chargesOf, type StripeHistory, type StripePayment, type StripeVersion } from './stripe-history.ts';

export interface ModelPayment {
  amount: number;
  currency: string;
  refunded: number;
  chargedBack: number;
  email: string | null;
}

export interface ModelLedger {
  payments: ModelPayment[];
  /** Reversals whose beginning never arrives. */
  waiting: number;
  /** The firings of a rule for a purchase of the registered buyer, and for what was taken back. */
  firings: { purchase: number; refund: number };
  /** Payments of a subscription after its first invoice. */
  renewals: number;
}

/** The result of all events of the history, in any order. `registered` is the buyer with a registration. */
export function modelOf({ version, payments }: StripeHistory, registered: string): ModelLedger {
  const ledger: ModelLedger = { payments: [], waiting: 0, firings: { purchase: 0, refund: 0 }, renewals: 0 };
  for (const each of payments) {
    const refund = refundOf(each, version);
    const dispute = disputeOf(each);
    ledger.waiting += refund.waiting + dispute.waiting;
    // Money that moved decides. The invoice and the session only name the buyer.
    for (const [part, amount] of chargesOf(each, version).entries()) {
      const isFirst = part === 0;
      const email = emailOf(each);
      ledger.payments.push({
        amount,
        currency: each.currency.toUpperCase(),
        refunded: isFirst ? refund.taken : 0,
        chargedBack: isFirst ? dispute.taken : 0,
        email,
      });
      if (email !== registered) continue;
      ledger.firings.purchase += 1;
      if (isFirst) ledger.firings.refund += refund.began + dispute.began;
    }
  }
  const buyers = new Set(payments.map(({ buyer }) => buyer));
  for (const buyer of buyers) {
    const [, ...later] = payments
      .filter((each) => each.buyer === buyer && isOfSubscription(each))
      .toSorted((one, other) => one.second - other.second);
    ledger.renewals += later.flatMap((each) => chargesOf(each, version)).length;
  }
  return ledger;
}

/** Its invoice and its session name the subscription. */
const isOfSubscription = ({ kind, lost }: StripePayment): boolean =>
  (kind === 'subscription' || kind === 'parts') && !(lost.includes('invoice') && lost.includes('session'));

function emailOf({ chargeHasEmail, kind, lost, buyer }: StripePayment): string | null {
  const hasInvoice = kind === 'subscription' || kind === 'parts';
  const isKnown =
    chargeHasEmail ||
    (kind !== 'direct' && !lost.includes('session')) ||
    (hasInvoice && !lost.includes('invoice'));
  return isKnown ? buyer : null;
}

function refundOf({ refund }: StripePayment, version: StripeVersion) {
  if (!refund) return { taken: 0, began: 0, waiting: 0 };
  // Later events of a refund that succeeded have its amount too.
  const isKnown = !refund.isBeginningLost || (!refund.fails && version >= '2022-11-15');
  if (!isKnown) return { taken: 0, began: 0, waiting: refund.fails ? 1 : 0 };
  return { taken: refund.fails ? 0 : refund.amount, began: 1, waiting: 0 };
}

function disputeOf({ dispute }: StripePayment) {
  if (!dispute) return { taken: 0, began: 0, waiting: 0 };
  if (dispute.isBeginningLost) return { taken: 0, began: 0, waiting: dispute.isWon ? 1 : 0 };
  return { taken: dispute.isWon ? 0 : dispute.amount, began: 1, waiting: 0 };
}
