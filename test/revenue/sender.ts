// The shop of the tests of revenue, with events of its own and its ledger.
import { createTestAccount, testApi, type TestAccount, type TestApi } from '../support/api.ts';
import { test as base } from '../support/service-test.ts';
import {
  openShop,
  payloadOf,
  postToDoor,
  signGeneric as sign,
  signStripe,
  type DoorAnswer,
  type Shop,
} from '../support/shop.ts';

export { sign };

export interface Sender extends Shop {
  service: TestApi;
  account: TestAccount;
  /** Of the generic source. */
  secret: string;
  /** Of the source of Stripe. */
  stripeSecret: string;
  /** Sends a generic payload with a valid signature: fields of a purchase, or a whole body. */
  send(event: object | string | Buffer): Promise<DoorAnswer>;
  /** Sends an event of Stripe with a valid signature. */
  stripe(event: object): Promise<DoorAnswer>;
  /** The rows of the ledger, in the order of their arrival. */
  ledger(): Promise<LedgerRow[]>;
  /** The shop of another account at the same service. */
  another(): Promise<Sender>;
}

/** An account with a generic source and one of Stripe. */
export async function createSender(service: TestApi, account: TestAccount): Promise<Sender> {
  const shop = await openShop(service, account);
  const isWhole = (event: object | string): event is string | Buffer =>
    typeof event === 'string' || Buffer.isBuffer(event);
  return {
    ...shop,
    service,
    account,
    secret: shop.secrets.generic,
    stripeSecret: shop.secrets.stripe,
    send: (event) =>
      shop.sendSigned({
        provider: 'generic',
        body: isWhole(event) ? event : JSON.stringify(purchase(event)),
      }),
    stripe: (event) => shop.sendSigned({ provider: 'stripe', body: JSON.stringify(event) }),
    ledger: () => ledgerOf(service, account.accountId),
    another: async () => createSender(service, await createTestAccount(service)),
  };
}

/** With a shop that all tests of a file share. An address of its own in X-Forwarded-For is that of another sender. */
export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .override('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await testApi({ options: { trustedProxies: ['127.0.0.1', '::1'] } });
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  })
  .extend('shop', { scope: 'file' }, async ({ service }) =>
    createSender(service, await createTestAccount(service)),
  );

/** `path` is the id of an account and its provider. */
export const postEvent = (
  service: Pick<TestApi, 'baseUrl'>,
  path: string,
  call: Parameters<typeof postToDoor>[2],
): Promise<DoorAnswer> => postToDoor(service, `/api/webhooks/revenue/${path}`, call);

/** A header of Stripe. `ageSeconds` is negative for a timestamp in the future. */
export const stripeHeader = (secret: string, payload: string, ageSeconds = 0): string =>
  signStripe(secret, payload, new Date(Date.now() - ageSeconds * 1000));

/** Headers for a body, each with the body as it is sent. The official package accepts the valid ones only (`test/judges/stripe.judge.ts`). */
export function stripeHeaders(secret: string, body: string) {
  const another = stripeHeader('whsec_another', body);
  const header = stripeHeader(secret, body);
  const [time, signature] = header.split(',') as [string, string];
  return [
    { name: 'now', header, isValid: true },
    { name: '290 s old', header: stripeHeader(secret, body, 290), isValid: true },
    { name: 'two signatures, the second one right', header: `${another},${signature}`, isValid: true },
    { name: 'an unknown scheme beside it', header: `${header},v0=00`, isValid: true },
    { name: 'another secret', header: another, isValid: false },
    { name: '301 s old', header: stripeHeader(secret, body, 301), isValid: false },
    { name: 'serialised again', header, body: JSON.stringify(JSON.parse(body)), isValid: false },
    { name: 'no timestamp', header: signature, isValid: false },
    { name: 'no signature', header: time, isValid: false },
    { name: 'another timestamp', header: `t=${Number(time.slice(2)) - 1},${signature}`, isValid: false },
    { name: 'only v0', header: header.replace('v1', 'v0'), isValid: false },
  ].map((one) => ({ body, ...one }));
}

/** A generic purchase of its own, a minute ago. */
export const purchase = (fields: object = {}) =>
  payloadOf({ amount_minor: 4900, timestamp: new Date(Date.now() - 60_000).toISOString(), ...fields });

let number = 0;

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
