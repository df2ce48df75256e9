// Requests that no secret proves: what a stranger can see and cause.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { resumeAccount, suspendAccount } from '@service/composition';
import { expect } from 'vitest';
import { createTestAccount, testApi, type TestApi } from '../support/api.ts';
import { writeAs } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { DoorAnswer } from '../support/shop.ts';
import { createWorld } from '../support/world.ts';
import {
  checkout,
  createSender,
  ledgerOf,
  postEvent,
  purchase,
  sign,
  stripeHeader,
  test,
  type Sender,
} from './sender.ts';

interface Seen {
  status: number | undefined;
  /** Without the date and the request id. */
  headers: string;
  body: string;
}

/** Everything of an answer that a caller sees, apart from the date and the request id. */
async function see(
  { baseUrl }: TestApi,
  path: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<Seen>();
  const call = request(`${baseUrl}/api/webhooks/revenue/${path}`, { method: 'POST', headers });
  call.on('error', reject);
  call.on('response', (response) => {
    let text = '';
    response.on('data', (chunk) => (text += chunk));
    response.on('end', () =>
      resolve({
        status: response.statusCode,
        headers: response.rawHeaders
          .join('\n')
          .replace(/\nDate\n[^\n]*/, '')
          .replace(/X-Request-Id\n[^\n]*/, ''),
        body: text.replace(/"requestId":"[^"]*"/, ''),
      }),
    );
  });
  call.end(body);
  return promise;
}

const strangers = '00000000-0000-7000-8000-000000000000';

test('unknown account, no secret, missing, malformed and wrong signature give byte-identical answers', async ({
  shop,
}) => {
  const { service, account } = shop;
  const withoutSource = await createTestAccount(service);
  const other = await shop.another();
  const body = JSON.stringify(purchase());
  const event = JSON.stringify(checkout());
  const own = `${account.accountId}/generic`;
  const ownStripe = `${account.accountId}/stripe`;
  const signed = { 'x-service-signature': sign(shop.secret, body) };
  const causes: [string, string, Record<string, string>][] = [
    [`${strangers}/generic`, body, signed],
    ['not-an-id/generic', body, signed],
    [`${withoutSource.accountId}/generic`, body, signed],
    [`${other.account.accountId}/generic`, body, signed],
    [own, body, {}],
    [own, body, { 'x-service-signature': '' }],
    [own, body, { 'x-service-signature': signed['x-service-signature'].slice(7) }],
    [own, body, { 'x-service-signature': `sha1=${signed['x-service-signature'].slice(7)}` }],
    [own, body, { 'x-service-signature': 'sha256=zz' }],
    [own, body, { 'x-service-signature': sign('another secret', body) }],
    [own, `${body} `, signed],
    [own, '{broken', signed],
    [`${strangers}/stripe`, event, { 'stripe-signature': stripeHeader(shop.stripeSecret, event) }],
    [
      `${other.account.accountId}/stripe`,
      event,
      { 'stripe-signature': stripeHeader(shop.stripeSecret, event) },
    ],
    [ownStripe, event, {}],
    [ownStripe, event, { 'stripe-signature': 't=1' }],
    [ownStripe, event, { 'stripe-signature': stripeHeader('whsec_another', event) }],
    [ownStripe, event, { 'stripe-signature': stripeHeader(shop.stripeSecret, event, 400) }],
    // The secret of another source of the same account.
    [ownStripe, event, { 'stripe-signature': stripeHeader(shop.secret, event) }],
  ];
  const seen = [];
  for (const [path, text, headers] of causes)
    seen.push(
      await see(service, path, { body: text, headers: { 'x-forwarded-for': '203.0.113.1', ...headers } }),
    );
  expect(seen[0]!.status).toBe(401);
  expect(seen[0]!.headers).not.toMatch(/authenticate/i);
  for (const [index, one] of seen.entries())
    expect(one, JSON.stringify(causes[index])).toStrictEqual(seen[0]);
});

test('a suspended workspace stores signed events, counts them at once and sends their webhooks when it is active again', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const sender = await createSender(world.service, world);
  const { id } = await world.rule(receiver.url, { trigger: { type: 'purchase' } });
  await world.register('ada@example.com');
  const { database } = world.service.db;
  await writeAs(database, world.accountId, suspendAccount);
  expect((await sender.send({ event_id: 'paid', amount_minor: 4900 })).status).toBe(202);
  expect((await sender.stripe(checkout())).status).toBe(200);
  expect(await ledgerOf(world.service, world.accountId)).toHaveLength(2);
  await writeAs(database, world.accountId, resumeAccount);
  expect((await world.rest('GET /revenue/summary')).json.data.totals).toEqual([
    expect.objectContaining({ grossMinor: 9800, purchases: 2 }),
  ]);
  expect((await world.call(`GET /automations/${id}/deliveries?limit=10`)).json.data).toHaveLength(2);
});

test('a stranger who floods the address of an account is refused, and events of the account are stored all the time', async ({
  shop,
}) => {
  const flood = (from: string) =>
    shop.post('generic', '{}', { 'X-Service-Signature': sign('guess', '{}'), 'X-Forwarded-For': from });
  const unproved: Awaited<ReturnType<typeof flood>>[] = [];
  for (let round = 0; round < 8; round += 1) {
    unproved.push(...(await Promise.all(Array.from({ length: 20 }, () => flood('203.0.113.2')))));
    const body = JSON.stringify(purchase());
    const headers = { 'X-Service-Signature': sign(shop.secret, body) };
    // From an address of its own, and from the stranger's.
    for (const from of ['203.0.113.3', '203.0.113.2']) {
      const { status } = await shop.post('generic', body, { ...headers, 'X-Forwarded-For': from });
      expect(status).toBeLessThan(300);
    }
  }
  expect(new Set(unproved.map(({ status }) => status))).toEqual(new Set([401, 429]));
  const refused = unproved.find(({ status }) => status === 429)!;
  expect(refused.json.code).toBe('too_many_revenue_requests');
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await flood('203.0.113.4')).status).toBe(401);

  // More than 32 kB are not read for an address that has sent too many forged events.
  const long = JSON.stringify({ ...purchase(), note: 'x'.repeat(40_000) });
  const sendLong = async (from: string) => {
    const headers = { 'X-Service-Signature': sign(shop.secret, long), 'X-Forwarded-For': from };
    return (await shop.post('generic', long, headers)).status;
  };
  while ((await flood('203.0.113.2')).status === 401);
  expect([await sendLong('203.0.113.2'), await sendLong('203.0.113.3')]).toEqual([429, 202]);
});

test('after a start, a forger does not block the first event of a source whose provider sends from the same address', async ({
  shop,
}) => {
  await using second = await testApi({
    shared: shop.service.db,
    options: { trustedProxies: ['127.0.0.1', '::1'] },
  });
  const from = { 'X-Forwarded-For': '203.0.113.5' };
  const forge = async () => {
    const headers = { 'X-Service-Signature': sign('guess', '{}'), ...from };
    return (await postEvent(second, `${randomUUID()}/generic`, { body: '{}', headers })).status;
  };
  // More than the address may send, also with what is added meanwhile.
  expect(await Promise.all(Array.from({ length: 130 }, forge))).toContain(401);
  const body = JSON.stringify(purchase());
  const headers = { 'X-Service-Signature': sign(shop.secret, body), ...from };
  const { accountId } = shop.account;
  expect((await postEvent(second, `${accountId}/generic`, { body, headers })).status).toBe(202);
});

test('after a rotation without an overlap the former secret proves nothing, also in another process that knew it', async ({
  shop,
}) => {
  await using second = await testApi({ shared: shop.service.db });
  const sender = await shop.another();
  const viaSecond = sendOver(second, sender);
  expect([(await sender.send({})).status, (await viaSecond({})).status]).toEqual([202, 202]);
  const { secret } = await sender.owner.mutate('revenueSources.rotateSecret', { overlapHours: 0 });
  expect([(await sender.send({})).status, (await viaSecond({})).status]).toEqual([401, 401]);
  const body = JSON.stringify(purchase());
  const headers = { 'X-Service-Signature': sign(secret, body) };
  expect((await sender.post('generic', body, headers)).status).toBe(202);
});

test('during an overlap both secrets are valid, and after it only the new one', async ({ shop }) => {
  const sender = await shop.another();
  await sender.owner.mutate('revenueSources.rotateSecret', { overlapHours: 1 });
  expect((await sender.send({})).status).toBe(202);
  await shop.service.db.database.pool.query(
    `update revenue.source set previous_secret_until = now() where account_id = $1`,
    [sender.account.accountId],
  );
  expect((await sender.send({})).status).toBe(401);
});

test('an event of one account never reaches another, also with the same event id', async ({ shop }) => {
  const other = await shop.another();
  const event = purchase({ amount_minor: 1, timestamp: '2025-11-21T02:00:00+14:00' });
  const answers = [await shop.send(event), await other.send({ ...event, amount_minor: 2 })];
  expect(answers.map(({ json }) => json.status)).toEqual(['accepted', 'accepted']);
  expect((await shop.ledger()).find(({ event_id }) => event_id === event.event_id)).toMatchObject({
    amount_minor: '1',
    occurred_at: new Date('2025-11-20T12:00:00Z'),
  });
  expect((await other.ledger()).map((row) => row.amount_minor)).toEqual(['2']);
});

/** Sends over another process, with the secret of a sender. */
const sendOver =
  (second: TestApi, { account: { accountId }, secret }: Sender) =>
  (fields: object): Promise<DoorAnswer> => {
    const body = JSON.stringify(purchase(fields));
    const headers = { 'X-Service-Signature': sign(secret, body) };
    return postEvent(second, `${accountId}/generic`, { body, headers });
  };
