// Senders of revenue events: a shop with the generic payload, and Stripe with its official package.
import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import type { TestAccount, TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';

export interface EventAnswer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test reads other fields of it
  json: any;
}

export interface Sender {
  owner: DashboardClient;
  /** Of the generic source. */
  secret: string;
  /** Of the source of Stripe. */
  stripeSecret: string;
  /** Sends bytes to an address of the account, as they are. */
  post(provider: string, body: string | Buffer, headers?: Record<string, string>): Promise<EventAnswer>;
  /** Sends a generic payload with a valid signature: fields of a purchase, or a whole body. */
  send(event: object | string | Buffer): Promise<EventAnswer>;
  /** Sends an event of Stripe with a valid signature. */
  stripe(event: object): Promise<EventAnswer>;
}

/** An account with a generic source and one of Stripe. */
export async function createSender(service: Pick<TestApi, 'baseUrl'>, account: TestAccount): Promise<Sender> {
  const owner = await openDashboard(service, account);
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  const stripeSecret = `whsec_${'s'.repeat(32)}${account.accountId.slice(-4)}`;
  await owner.mutate('revenueSources.setSecret', { provider: 'stripe', secret: stripeSecret });
  const post: Sender['post'] = (provider, body, headers) =>
    postEvent(service, `${account.accountId}/${provider}`, { body, headers });
  return {
    owner,
    secret,
    stripeSecret,
    post,
    async send(event) {
      const body = bodyOf(event);
      return post('generic', body, { 'X-Service-Signature': sign(secret, body) });
    },
    async stripe(event) {
      const body = JSON.stringify(event);
      return post('stripe', body, { 'Stripe-Signature': stripeHeader(stripeSecret, body) });
    },
  };
}

export async function postEvent(
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  path: string,
  { body, headers = {} }: { body: string | Buffer; headers?: Record<string, string> | undefined },
): Promise<EventAnswer> {
  const response = await fetch(`${baseUrl}/api/webhooks/revenue/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

export const sign = (secret: string, body: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A header by the official package. `ageSeconds` is negative for a timestamp in the future. */
export const stripeHeader = (secret: string, payload: string, ageSeconds = 0): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(Date.now() / 1000) - ageSeconds,
  });

const bodyOf = (event: object | string | Buffer): string | Buffer =>
  typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(purchase(event));

let number = 0;

/** A generic purchase of its own. */
export const purchase = (fields: object = {}) => ({
  event_id: `evt_${++number}`,
  type: 'purchase',
  email: 'ada@example.com',
  amount_minor: 4900,
  currency: 'EUR',
  timestamp: new Date(Date.now() - 60_000).toISOString(),
  original_transaction_id: null,
  ...fields,
});

/** A paid Checkout session in an event of its own. */
export function checkout(fields: object = {}) {
  const id = ++number;
  return stripeEvent('checkout.session.completed', {
    id: `cs_${id}`,
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    amount_total: 4900,
    currency: 'eur',
    customer_details: { email: 'Ada@Example.com' },
    client_reference_id: null,
    metadata: {},
    payment_intent: `pi_${id}`,
    invoice: null,
    ...fields,
  });
}

export const stripeEvent = (type: string, object: object) => ({
  id: `evt_${++number}`,
  object: 'event',
  api_version: '2025-10-29.clover',
  type,
  created: Math.floor(Date.now() / 1000) - 60,
  livemode: true,
  data: { object },
});

interface LedgerRow {
  id: string;
  provider: string;
  event_id: string;
  type: string;
  email: string | null;
  amount_minor: string;
  currency: string;
  click_id: string | null;
  registration_id: string | null;
}

/** The rows of the ledger of an account, in the order of their arrival. */
export async function ledgerOf({ db }: Pick<TestApi, 'db'>, accountId: string): Promise<LedgerRow[]> {
  const { rows } = await db.database.pool.query<LedgerRow>(
    'select * from revenue.revenue_event where account_id = $1 order by id',
    [accountId],
  );
  return rows;
}
