import type { RevenueEventType } from '@service/catalogue';
import { noTouch, type Considered, type Credit } from '../credit.ts';
import type { Pairing } from './revenue-event.ts';
import type { RevenueFact } from './revenue-fact.ts';

/** A credit without the touches that lost. Only purchases store those. */
export interface RowCredit extends Omit<Credit, 'considered' | 'windowDays'> {
  /** Null while an adjustment is unpaired. */
  windowDays: number | null;
}

/** The credit of an event as it is in the database. */
export interface StoredCredit extends RowCredit {
  paymentId: string | null;
  pairing: Pairing;
  creditedAt: Date | null;
  /** The e-mail address of the event, else of its payment. */
  buyerEmail: string | null;
  /** The time at which the event counts: that of the payment for its purchase. */
  countedAt: Date;
  /** The part of the amount that counts. Null: all of it. */
  countedMinor: number | null;
}

/** An event of the ledger that a transaction adds or reads. */
export interface LedgerRow {
  id: string;
  provider: string;
  eventId: string;
  objectId: string;
  type: RevenueEventType;
  email: string | null;
  amountMinor: number;
  currency: string;
  occurredAt: Date;
  receivedAt: Date;
  paymentKeys: readonly string[];
  isDifference: boolean;
  reversesObjectId: string | null;
  clickId: string | null;
  /** As the provider sent it. The credit has the registration that was found. */
  registrationId: string | null;
  /** Null for an event that the transaction adds. */
  stored: StoredCredit | null;
  /** Only in new rows that the ledger writes itself: the payment that they belong to. */
  paymentId?: string;
}

/** A payment as the transaction changes it. */
export interface LedgerPayment {
  id: string;
  provider: string;
  email: string | null;
  currency: string;
  amountMinor: number;
  refundedMinor: number;
  chargedBackMinor: number;
  occurredAt: Date;
  firstKey: string;
  clickId: string | null;
  registrationId: string | null;
  /** The first payment of its group: the same for all that one invoice joins. Its own id when it is alone. */
  leadId: string;
  /** Until then rules wait for the invoice that may join the payment. */
  joinableUntil: Date | null;
  credit: RowCredit;
  /** Set when the credit was derived in this transaction. */
  considered?: Considered;
}

/** The payment of an event, and the reason. */
export interface Pair {
  paymentId: string | null;
  pairing: Pairing;
  /** The part of the amount that counts. Null: all of it. */
  countedMinor: number | null;
  /** The difference that reported the same refund. */
  differenceId?: string;
}

/** The amount of an event that counts in sums. */
export const countedOf = (
  { amountMinor }: Pick<LedgerRow, 'amountMinor'>,
  { countedMinor }: Pick<Pair, 'countedMinor'>,
): number => countedMinor ?? amountMinor;

/** The credit of an adjustment without a payment. */
export const unpairedCredit: RowCredit = { ...noTouch, reason: 'unpaired', windowDays: null };

/** The credit of a reversal whose refund or dispute has not arrived. */
export const waitingCredit: RowCredit = { ...unpairedCredit, reason: 'waiting' };

/** The type that a reversal takes back, by the reversal's type. */
const reversedTypes: Partial<Record<RevenueEventType, RevenueEventType>> = {
  refund_reversal: 'refund',
  chargeback_reversal: 'chargeback',
};

export const reversedType = (type: RevenueEventType): RevenueEventType | undefined => reversedTypes[type];

/** True for refunds, chargebacks and their reversals. Purchases and their reversals belong to their payment from the start. */
export const isAdjustment = (type: RevenueEventType): boolean =>
  type !== 'purchase' && type !== 'purchase_reversal';

/** Values as one text, for keys of maps. No value from outside contains the separator: intake refuses NUL. */
export const textKey = (...values: readonly string[]): string => values.join('\0');

/** The event that a fact adds. */
export const rowOfFact = (
  { reverses, isDifference, ...fact }: RevenueFact,
  { id, receivedAt }: { id: string; receivedAt: Date },
): LedgerRow => ({
  ...fact,
  id,
  receivedAt,
  isDifference: isDifference ?? false,
  reversesObjectId: reverses ?? null,
  stored: null,
});

/** Gives a payment a derived credit. */
export function giveCredit(payment: LedgerPayment, { considered, ...credit }: Credit): void {
  payment.credit = credit;
  payment.considered = considered;
}
