// Facts as the signed webhooks of their providers, for tests of the ledger that go through the real doors.
import type { RevenueFact } from '@service/revenue';
import { signatureOf, type Secrets, type Webhook } from '../support/shop.ts';
import { postEvent } from './sender.ts';

/**
 * The webhook that reports a fact, with its time moved by `shiftMs`. Undefined for a fact that its provider cannot report: the generic
 * payload has no reversals, and one id for an event and its object.
 */
export function webhookOf(fact: RevenueFact, shiftMs: number): Webhook | undefined {
  const occurredAt = new Date(fact.occurredAt.getTime() + shiftMs);
  if (fact.provider === 'stripe')
    return {
      provider: 'stripe',
      body: JSON.stringify(stripeEventOf(fact, Math.floor(occurredAt.getTime() / 1000))),
    };
  if (fact.reverses !== undefined || fact.eventId !== fact.objectId) return undefined;
  const names = fact.type === 'purchase' ? fact.sharedKeys : fact.paymentKeys;
  const payload = {
    event_id: fact.eventId,
    type: fact.type,
    email: fact.email,
    amount_minor: fact.amountMinor,
    currency: fact.currency,
    timestamp: occurredAt.toISOString(),
    original_transaction_id: names?.[0] ?? null,
    registration_id: fact.registrationId,
  };
  return { provider: 'generic', body: JSON.stringify(payload) };
}

function stripeEventOf(fact: RevenueFact, created: number) {
  const [type, object] = stripeObjectOf(fact, created);
  const currency = fact.currency.toLowerCase();
  return { id: fact.eventId, type, created, data: { object: { id: fact.objectId, currency, ...object } } };
}

/** The type of the event, and the fields of its object beside the id and the currency. */
function stripeObjectOf(fact: RevenueFact, created: number): [type: string, object: object] {
  const { type, objectId, paymentKeys, email, registrationId } = fact;
  const amount = Math.abs(fact.amountMinor);
  const [intent = null, other = null] = paymentKeys;
  const adjustment = { amount, created, payment_intent: intent, charge: other };
  if (type === 'refund') return ['refund.created', { ...adjustment, status: 'succeeded' }];
  if (type === 'refund_reversal') return ['refund.failed', { ...adjustment, status: 'failed' }];
  if (type === 'chargeback') return ['charge.dispute.created', { ...adjustment, status: 'needs_response' }];
  if (type === 'chargeback_reversal') return ['charge.dispute.closed', { ...adjustment, status: 'won' }];
  if (objectId.startsWith('cs_')) {
    const metadata = { registration_id: registrationId };
    const session = { mode: 'payment', payment_status: 'paid', amount_total: amount, customer_email: email };
    return ['checkout.session.completed', { ...session, metadata, payment_intent: intent }];
  }
  if (objectId.startsWith('pi_'))
    return [
      'payment_intent.succeeded',
      { amount_received: amount, receipt_email: email, latest_charge: other },
    ];
  return ['charge.succeeded', { captured: true, amount_captured: amount, receipt_email: email }];
}

/** Signs a webhook and sends it to an API process. Returns the status. */
export async function sendWebhook(
  process: { baseUrl: string },
  { accountId, secrets }: { accountId: string; secrets: Secrets },
  webhook: Webhook,
): Promise<number> {
  const call = { body: webhook.body, headers: signatureOf(secrets, webhook) };
  return (await postEvent(process, `${accountId}/${webhook.provider}`, call)).status;
}
