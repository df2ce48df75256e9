// An order, and the webhooks that a payment provider sends for it.
import type { SimulatedAttendee } from '../attendee/simulated-attendee.ts';
import type { Fate, PurchasePlan } from './plan-purchase.ts';

export type FactType = 'purchase' | 'refund' | 'chargeback' | 'refund_reversal' | 'chargeback_reversal';

/** A row that the ledger must have. Refunds and chargebacks are negative. */
export interface Fact {
  type: FactType;
  amountMinor: number;
}

export interface Order {
  /** The last part of all its ids at the provider. */
  id: string;
  /** Undefined for a buyer whom the service does not know. */
  attendee: SimulatedAttendee | undefined;
  plan: PurchasePlan;
  /** The field by which the shop names the buyer in this order. */
  names: PurchasePlan['names'];
  clickId: string | undefined;
  email: string;
  boughtAt: Date;
  facts: readonly Fact[];
}

interface Buyer {
  attendee: SimulatedAttendee | undefined;
  clickId: string | undefined;
  email: string;
}

export function createOrder(id: string, plan: PurchasePlan, { attendee, clickId, email }: Buyer): Order {
  // A buyer without a click or a registration can only be named by the e-mail address.
  const canName = { click: clickId !== undefined, registration: attendee !== undefined, email: true };
  const names = canName[plan.names] ? plan.names : 'email';
  return {
    id,
    attendee,
    plan,
    names,
    clickId,
    email: plan.hasOtherEmail && names !== 'email' ? `shop-${email}` : email,
    boughtAt: new Date(),
    facts: factsOf(plan.fate, plan.price.amountMinor),
  };
}

/** A partial refund is two fifths, without a remainder in every price. */
const partOf = (amountMinor: number): number => Math.floor((amountMinor * 2) / 5);

function factsOf(fate: Fate, amountMinor: number): Fact[] {
  const purchase: Fact = { type: 'purchase', amountMinor };
  const refund = (refunded: number): Fact => ({ type: 'refund', amountMinor: -refunded });
  const chargeback: Fact = { type: 'chargeback', amountMinor: -amountMinor };
  const factsByFate: Record<Fate, Fact[]> = {
    kept: [],
    refunded: [refund(amountMinor)],
    'partly refunded': [refund(partOf(amountMinor))],
    'refund failed': [
      refund(partOf(amountMinor)),
      { type: 'refund_reversal', amountMinor: partOf(amountMinor) },
    ],
    'dispute lost': [chargeback],
    'dispute won': [chargeback, { type: 'chargeback_reversal', amountMinor }],
  };
  return [purchase, ...factsByFate[fate]];
}

/** The state of the payment when all events have arrived. */
export const stateOf: Readonly<Record<Fate, string>> = {
  kept: 'paid',
  refunded: 'refunded',
  'partly refunded': 'partially_refunded',
  'refund failed': 'paid',
  'dispute lost': 'charged_back',
  'dispute won': 'paid',
};
