// The shop of tests: it reports its payments to an account as payment providers do. It signs by itself, so that tests judge the
// service's own signatures.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { TestAccount, TestApi } from './api.ts';
import { openDashboard, type DashboardClient } from './dashboard.ts';

export interface DoorAnswer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says what it expects
  json: any;
}

export interface Secrets {
  generic: string;
  stripe: string;
}

export interface Webhook {
  provider: keyof Secrets;
  body: string | Uint8Array;
}

export interface Shop {
  /** Paths of the two doors, below the base URL. */
  paths: Record<keyof Secrets, string>;
  secrets: Secrets;
  /** The owner who made the sources. */
  owner: DashboardClient;
  /** Posts bytes to a door as they are. */
  post(provider: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<DoorAnswer>;
  /** Signs a webhook and sends it. */
  sendSigned(webhook: Webhook): Promise<DoorAnswer>;
  /** Sends a generic payload, as `payload` makes it from these fields. */
  report(fields?: object): Promise<DoorAnswer>;
  /** Sends an event of Stripe: its type and its object. */
  reportStripe(type: string, object: Record<string, unknown>): Promise<DoorAnswer>;
}

/** A generic payload: a purchase of 79 euros, but for these fields. */
export const payloadOf = (fields: object = {}) => ({
  event_id: `order_${randomUUID()}`,
  type: 'purchase',
  email: 'ada@example.com',
  amount_minor: 7900,
  currency: 'EUR',
  original_transaction_id: null,
  timestamp: new Date().toISOString(),
  ...fields,
});

/** The value of `X-Service-Signature`. */
export const signGeneric = (secret: string, body: string | Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The value of `Stripe-Signature`, made at a time. */
export function signStripe(secret: string, body: string | Uint8Array, at = new Date()): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
}

/** The header with the signature of a webhook. */
export const signatureOf = (secrets: Secrets, { provider, body }: Webhook): Record<string, string> =>
  provider === 'generic'
    ? { 'x-service-signature': signGeneric(secrets.generic, body) }
    : { 'stripe-signature': signStripe(secrets.stripe, body) };

export const stripeEventOf = (type: string, object: Record<string, unknown>, at = new Date()): string => {
  const created = Math.floor(at.getTime() / 1000);
  return JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    created,
    livemode: false,
    type,
    data: { object: { created, ...object } },
  });
};

/** Posts bytes to a door. */
export async function postToDoor(
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  path: string,
  { body, headers }: { body: string | Uint8Array; headers?: Record<string, string> },
): Promise<DoorAnswer> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
  });
  const text = await response.text();
  const json = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, json };
}

/** Makes both sources of an account as Settings > Revenue does. */
export async function makeSecrets(
  mutate: (procedure: string, input: object) => Promise<{ secret: string }>,
): Promise<Secrets> {
  const stripe = `whsec_${randomBytes(24).toString('hex')}`;
  const { secret } = await mutate('revenueSources.createSecret', { provider: 'generic' });
  await mutate('revenueSources.setSecret', { provider: 'stripe', secret: stripe });
  return { generic: secret, stripe };
}

/** The shop of an account, with both sources. */
export async function openShop(
  service: Pick<TestApi, 'baseUrl'>,
  account: Omit<TestAccount, 'userId'>,
): Promise<Shop> {
  const owner = await openDashboard(service, account);
  const secrets = await makeSecrets(owner.mutate);
  const at = `/api/webhooks/revenue/${account.accountId}`;
  const post: Shop['post'] = (provider, body, headers) =>
    postToDoor(service, `${at}/${provider}`, { body, headers });
  const sendSigned: Shop['sendSigned'] = (webhook) =>
    post(webhook.provider, webhook.body, signatureOf(secrets, webhook));
  return {
    paths: { generic: `${at}/generic`, stripe: `${at}/stripe` },
    secrets,
    owner,
    post,
    sendSigned,
    report: (fields) => sendSigned({ provider: 'generic', body: JSON.stringify(payloadOf(fields)) }),
    reportStripe: (type, object) => sendSigned({ provider: 'stripe', body: stripeEventOf(type, object) }),
  };
}
