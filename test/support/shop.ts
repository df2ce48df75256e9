// A shop that reports its payments to an account, as a payment provider does. It signs by itself, so that tests judge the
// service's own signatures.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { TestAccount, TestApi } from './api.ts';
import { signInMember, type Member } from './member.ts';

export interface DoorAnswer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says what it expects
  json: any;
}

export interface Shop {
  /** Paths of the two doors, below the base URL. */
  paths: { generic: string; stripe: string };
  secrets: { generic: string; stripe: string };
  /** The owner who made the sources. */
  owner: Member;
  /** Sends a generic payload, as `payload` makes it from these fields. */
  report(fields?: Payload): Promise<DoorAnswer>;
  /** Sends an event of Stripe: its type and its object. */
  reportStripe(type: string, object: Record<string, unknown>): Promise<DoorAnswer>;
}

type Payload = Record<string, unknown>;

/** A generic payload: a purchase of 79 euros, but for these fields. */
export const payloadOf = (fields: Payload = {}): Payload => ({
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
  { body, headers }: { body: string | Uint8Array; headers: Record<string, string> },
): Promise<DoorAnswer> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

/** Makes both sources of an account as Settings > Revenue does. */
export async function openShop(
  service: Pick<TestApi, 'baseUrl'>,
  account: Omit<TestAccount, 'userId'>,
): Promise<Shop> {
  const owner = await signInMember(service, account);
  const stripeSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const made = await mutate(owner, 'revenueSources.createSecret', { provider: 'generic' });
  await mutate(owner, 'revenueSources.setSecret', { provider: 'stripe', secret: stripeSecret });
  const secrets = { generic: made.secret as string, stripe: stripeSecret };
  const at = `/api/webhooks/revenue/${account.accountId}`;
  const paths = { generic: `${at}/generic`, stripe: `${at}/stripe` };
  return {
    paths,
    secrets,
    owner,
    report(fields) {
      const body = JSON.stringify(payloadOf(fields));
      const headers = { 'x-service-signature': signGeneric(secrets.generic, body) };
      return postToDoor(service, paths.generic, { body, headers });
    },
    reportStripe(type, object) {
      const body = stripeEventOf(type, object);
      const headers = { 'stripe-signature': signStripe(secrets.stripe, body) };
      return postToDoor(service, paths.stripe, { body, headers });
    },
  };
}

/** A mutation as the dashboard makes it. Throws when it is refused. */
// oxlint-disable-next-line typescript/no-explicit-any -- each procedure has its own answer
export async function mutate(member: Member, procedure: string, input: object): Promise<any> {
  const { status, json } = await member.send(procedure, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (status !== 200) throw new Error(`${procedure} was answered ${status}: ${JSON.stringify(json)}`);
  return json.result.data?.data;
}
