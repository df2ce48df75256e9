// The fields of Stripe's objects that are read, in all versions of its API since 2015. Others are ignored.
// https://docs.stripe.com/api/events/types
import { z } from 'zod';
import { amountMinorMax } from '../../../ledger/money.ts';
import type { RevenueFact } from '../../../ledger/revenue-fact.ts';
import { currencyText as currency, emailText, idText as id } from '../../provider.ts';

/** An id, or the whole object if the event contains it. */
const reference = z
  .union([id, z.looseObject({ id }).transform((object) => object.id)])
  .nullish()
  .transform((value) => value ?? null);

/** Null for a text that is no e-mail address: it only helps attribution. */
const email = emailText.nullable().catch(null);

const amount = z.int().min(0).max(amountMinorMax);

const metadata = z.record(z.string(), z.unknown()).nullish().catch(null);

const invoiceReference = id
  .regex(/^in_[A-Za-z0-9]+$/)
  .nullable()
  .catch(null);

const seconds = z.int().min(0).max(253_402_300_799);

export const StripeEvent = z.object({
  id,
  type: z.string().max(255),
  created: seconds,
  /** The version of the API in which the object is written, such as `2025-03-31.basil`. */
  api_version: z.string().max(255).nullish().catch(null),
  data: z.object({
    object: z.looseObject({}),
    previous_attributes: z.looseObject({ amount_refunded: amount.optional() }).nullish().catch(null),
  }),
});

export const CheckoutSession = z.object({
  id,
  mode: z.string().nullish(),
  payment_status: z.string(),
  amount_total: amount.nullable(),
  currency: currency.nullable(),
  customer_details: z.looseObject({ email }).nullish().catch(null),
  customer_email: email,
  client_reference_id: z.unknown().optional(),
  metadata,
  payment_intent: reference,
  invoice: reference,
  subscription: reference.catch(null),
});

export const Invoice = z.object({
  id,
  amount_paid: amount,
  /** True if the money moved outside of Stripe. No payment will be named. */
  paid_out_of_band: z.boolean().nullish().catch(null),
  currency,
  customer_email: email,
  metadata,
  /** Until 2025 here, since then in `parent`. */
  subscription: reference.catch(null),
  /** Until 2025 here, since then in `parent`. */
  subscription_details: z.looseObject({ metadata }).nullish().catch(null),
  parent: z
    .looseObject({
      subscription_details: z.looseObject({ metadata, subscription: reference.catch(null) }).nullish(),
    })
    .nullish()
    .catch(null),
  /** Until 2025. */
  payment_intent: reference,
  /** Until 2025. */
  charge: reference,
});

/** Since 2025: names an invoice and its payment. */
export const InvoicePayment = z.object({
  id,
  invoice: reference,
  amount_paid: amount.nullable(),
  currency,
  payment: z.object({ payment_intent: reference, charge: reference }),
});

export const PaymentIntent = z.object({
  id,
  amount_received: amount,
  currency,
  receipt_email: email,
  metadata,
  latest_charge: reference,
  /** Until 2025. */
  invoice: reference,
  /** Since 2025: the id of the invoice. Without an invoice, any text of the shop. */
  payment_details: z.looseObject({ order_reference: invoiceReference }).nullish().catch(null),
});

export const Charge = z.object({
  id,
  /** False for an amount that is only reserved. */
  captured: z.boolean(),
  amount_captured: amount,
  currency,
  receipt_email: email,
  billing_details: z.looseObject({ email }).nullish().catch(null),
  metadata,
  payment_intent: reference,
  /** Until 2025. */
  invoice: reference,
});

const adjustment = { id, amount, currency, created: seconds, payment_intent: reference, charge: reference };

export const Refund = z.object({
  ...adjustment,
  status: z.string().nullish(),
  reason: z.string().nullish().catch(null),
});

/** Until 2022-11-15 a charge has its refunds, the newest first. */
export const RefundedCharge = z.object({
  captured: z.boolean().nullish(),
  refunds: z.object({ data: z.array(z.unknown()) }).nullish(),
});

/** The sum of all refunds of a charge. */
export const RefundedSum = z.object({ id, currency, amount_refunded: amount, payment_intent: reference });

export const Dispute = z.object({ ...adjustment, status: z.string() });

// The facts that a reader takes from the object of an event.

export type Event = z.output<typeof StripeEvent>;

/** The part of a fact that the object has. */
export type Part = Pick<
  RevenueFact,
  'objectId' | 'type' | 'amountMinor' | 'currency' | 'reverses' | 'kind' | 'mayBeJoined' | 'isDifference'
> & {
  /** The id of the event when left out. One event may have several refunds. */
  eventId?: string;
  keys: readonly (string | null)[];
  /** Those of the keys that several payments may have. */
  joined?: readonly (string | null)[];
  /** The subscription that the payment is of. */
  subscription?: string | null | undefined;
  email?: string | null | undefined;
  clickId?: string | null;
  registrationId?: string | null;
  /** Unix seconds. The time of the event when left out. */
  at?: number;
};
