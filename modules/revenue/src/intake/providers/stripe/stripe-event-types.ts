/** The types of Stripe's events that are read. An owner selects them at Stripe, so the dashboard lists them. */
export const stripeEventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.paid',
  'invoice_payment.paid',
  'payment_intent.succeeded',
  'charge.succeeded',
  'charge.captured',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'charge.refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const;

export type StripeEventType = (typeof stripeEventTypes)[number];
