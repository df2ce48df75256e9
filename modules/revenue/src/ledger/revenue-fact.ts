import type { RevenueEventType } from '@service/catalogue';

/**
 * The objects that describe a purchase. If several describe one payment and name different amounts, the first of this list decides:
 * money that moved, then the part of an invoice that it paid, then the invoice, then the Checkout session.
 */
export const purchaseKinds = [
  'charge',
  'payment_intent',
  'invoice_payment',
  'invoice',
  'checkout_session',
  'unknown',
] as const;

export type PurchaseKind = (typeof purchaseKinds)[number];

/** A provider's message about a payment, after its signature and its fields were checked. */
export interface RevenueFact {
  provider: string;
  /** The provider's id of the message. Recorded once for each account and provider. */
  eventId: string;
  /** The provider's id of the purchase, refund or dispute. The same as `eventId` when the provider has no other. */
  objectId: string;
  type: Exclude<RevenueEventType, 'purchase_reversal'>;
  /** Trimmed and in lower case. */
  email: string | null;
  /** In minor units of the currency. Not negative for purchases and reversals, not positive for refunds and chargebacks. */
  amountMinor: number;
  /** ISO 4217, in upper case. */
  currency: string;
  occurredAt: Date;
  /**
   * The provider's names of the payment, the most exact first: transaction, charge, invoice. Two purchases with a common name are
   * one payment that the provider describes twice. A refund pairs by the first of its names that a purchase has.
   */
  paymentKeys: readonly string[];
  /** Only in purchases: the object that describes it. `charge` when left out. */
  kind?: PurchaseKind;
  /**
   * Those of the `paymentKeys` that name an invoice or a session. Several payments may be parts of one invoice, which describes all
   * of them.
   */
  joinedKeys?: readonly string[];
  /**
   * Only in purchases: true if an invoice, or the payment of one, may still join it. Rules wait for that, at most a minute.
   */
  mayBeJoined?: boolean;
  /**
   * Names that several purchases may have, such as the first transaction of a subscription. They pair refunds, and never make two
   * purchases one.
   */
  sharedKeys?: readonly string[];
  /**
   * Set for refunds of a provider that reports some only as the difference of two sums. True for these: they count unless a refund of
   * the same payment and amount has its own id.
   */
  isDifference?: boolean;
  /** Only in reversals: the `objectId` of the refund or dispute that is taken back. */
  reverses?: string;
  clickId: string | null;
  registrationId: string | null;
}

/** The most facts of one call of `recordFacts`. */
export const factsMax = 500;
