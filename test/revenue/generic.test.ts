import { readFileSync } from 'node:fs';
import { revenueProviders } from '@service/revenue';
import { createSecretKey } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { purchase, sign, test } from './sender.ts';

interface Vector {
  secret: string;
  /** In base64. */
  body: string;
  signature: string;
}

test('signatures by openssl, Python, Perl and Go are valid, in both cases of hex, and those of other bytes are not', () => {
  const path = new URL('vectors/generic-signatures.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(path, 'utf8')) as Vector[];
  const generic = revenueProviders.find(({ name }) => name === 'generic')!;
  const verify = (secret: string, body: Buffer, signature: string) =>
    generic.verify({
      headers: { 'x-service-signature': signature },
      body,
      keys: [createSecretKey(secret, 'utf8')],
      now: new Date(),
    }).isValid;
  expect(vectors).toHaveLength(4);
  for (const { secret, body, signature } of vectors) {
    const bytes = Buffer.from(body, 'base64');
    expect(verify(secret, bytes, signature)).toBe(true);
    expect(verify(secret, bytes, `sha256=${signature.slice(7).toUpperCase()}`)).toBe(true);
    expect(verify(secret, Buffer.concat([bytes, Buffer.from(' ')]), signature)).toBe(false);
    expect(verify(`${secret} `, bytes, signature)).toBe(false);
  }
});

test('a purchase is stored once, and its repetitions are answered with its id', async ({ shop }) => {
  const event = purchase({ email: ' Ada@Example.COM ', currency: 'eur' });
  const first = await shop.send(JSON.stringify(event));
  expect(first).toMatchObject({ status: 202, json: { status: 'accepted' } });
  const again = await Promise.all([1, 2, 3].map(() => shop.send(JSON.stringify(event))));
  for (const { status, json } of again)
    expect([status, json]).toEqual([200, { status: 'duplicate', id: first.json.id }]);
  const rows = (await shop.ledger()).filter((row) => row.event_id === event.event_id);
  expect(rows).toMatchObject([
    {
      id: first.json.id,
      provider: 'generic',
      type: 'purchase',
      email: 'ada@example.com',
      amount_minor: '4900',
      currency: 'EUR',
    },
  ]);
});

test('events that arrive at once are all stored, each with an answer of its own', async ({ shop }) => {
  const events = Array.from({ length: 40 }, (_, index) => purchase({ amount_minor: index }));
  const answers = await Promise.all(events.map((event) => shop.send(event)));
  const rows = new Map((await shop.ledger()).map((row) => [row.id, [row.event_id, row.amount_minor]]));
  for (const [index, { json }] of answers.entries())
    expect(rows.get(json.id)).toEqual([events[index]!.event_id, String(index)]);
});

test('a repetition with other content keeps the first one, and the answer, the source and the refused events show it', async ({
  shop,
}) => {
  const event = purchase({ amount_minor: 100 });
  const { json } = await shop.send(event);
  const other = await shop.send({ ...event, amount_minor: 999 });
  expect([other.status, other.json]).toEqual([
    200,
    { status: 'conflict', id: json.id, message: expect.stringContaining('other content') },
  ]);
  const [refused]: { id: string; reason: string }[] = await shop.owner.query(
    'revenueSources.refusedEvents.list',
    {},
  );
  expect(refused).toMatchObject({
    reason: 'other_content',
    issues: [{ path: 'amount_minor', message: 'The event that was kept has 100.' }],
  });
  const kept = await shop.owner.query('revenueSources.refusedEvents.get', { id: refused!.id });
  expect(JSON.parse(kept.body)).toMatchObject({ amount_minor: 999 });
  const row = (await shop.ledger()).find(({ id }) => id === json.id);
  expect(row?.amount_minor).toBe('100');
  await eventually('the source to show it', async () => {
    const [generic]: { lastConflictEventId: string }[] = await shop.owner.query('revenueSources.list');
    return generic!.lastConflictEventId === event.event_id;
  });
});

test('a repetition with another original_transaction_id is a conflict, and one with the same is none', async ({
  shop,
}) => {
  const renewal = purchase({ original_transaction_id: 'sub_1' });
  const refund = purchase({ type: 'refund', amount_minor: -1, original_transaction_id: renewal.event_id });
  for (const event of [renewal, refund]) {
    const statuses: string[] = [];
    for (const original of [event.original_transaction_id, 'sub_2', null, event.event_id])
      statuses.push((await shop.send({ ...event, original_transaction_id: original })).json.status);
    expect(statuses).toEqual(['accepted', 'conflict', 'conflict', 'conflict']);
    expect((await shop.send(event)).json.status).toBe('duplicate');
  }
});

test('a refund under the id of its order is another event, and takes the order back', async ({ shop }) => {
  const order = purchase({ amount_minor: 1000, email: 'grace@example.com' });
  await shop.send(order);
  const refund = { ...order, type: 'refund', amount_minor: -400, email: 'another@example.com' };
  const answer = await shop.send(refund);
  expect(answer).toMatchObject({ status: 202, json: { status: 'accepted' } });
  expect((await shop.send(refund)).json).toEqual({ status: 'duplicate', id: answer.json.id });
  const { rows } = await shop.service.db.database.pool.query(
    `select p.refunded_minor, c.pairing from revenue.credit c join revenue.payment p on p.id = c.payment_id where c.id = $1`,
    [answer.json.id],
  );
  expect(rows).toEqual([{ refunded_minor: '400', pairing: 'transaction' }]);
});

test('every problem of a payload is named, and nothing is stored', async ({ shop }) => {
  const before = (await shop.ledger()).length;
  const problemsOf = async (body: object | string): Promise<string[]> => {
    const { status, json } = await shop.send(body);
    expect(status).toBe(422);
    return (json.issues as { path: string }[]).map(({ path }) => path).toSorted();
  };
  expect(await problemsOf({ event_id: '', type: 'gift', email: 'ada', amount_minor: 1.5 })).toEqual([
    'amount_minor',
    'email',
    'event_id',
    'type',
  ]);
  expect(await problemsOf('{}')).toEqual([
    'amount_minor',
    'currency',
    'email',
    'event_id',
    'timestamp',
    'type',
  ]);
  expect(await problemsOf({ amount_minor: -1 })).toEqual(['amount_minor']);
  expect(await problemsOf({ type: 'refund', amount_minor: 1 })).toEqual(['amount_minor']);
  expect(await problemsOf({ type: 'chargeback', amount_minor: 1 })).toEqual(['amount_minor']);
  expect(await problemsOf({ currency: 'XYZ', timestamp: '2026-11-22T12:00:00' })).toEqual([
    'currency',
    'timestamp',
  ]);
  expect(await problemsOf({ timestamp: '1999-12-31T23:59:59Z' })).toEqual(['timestamp']);
  const dayAhead = new Date(Date.now() + 25 * 3_600_000).toISOString();
  expect(await problemsOf({ timestamp: dayAhead, event_id: 'a\u0000b' })).toEqual(['event_id', 'timestamp']);
  expect(await problemsOf({ event_id: '\ud800', original_transaction_id: 'x'.repeat(256) })).toEqual([
    'event_id',
    'original_transaction_id',
  ]);
  expect(await shop.ledger()).toHaveLength(before);
});

test('texts that JSON.parse would change silently are refused', async ({ shop }) => {
  const text = JSON.stringify(purchase());
  const withAmount = (amount: string): string =>
    JSON.stringify(purchase()).replace('"amount_minor":4900', `"amount_minor":${amount}`);
  for (const amount of ['4900.0', '4.9e3', '-0', '9007199254740993', '9007199254740992', '1000000000000'])
    expect((await shop.send(withAmount(amount))).json, amount).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'amount_minor' }],
    });
  expect((await shop.send(text.replace('{', '{"type":"refund",'))).json).toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'type', message: 'The name occurs twice.' }],
  });
  expect((await shop.send(withAmount('4900'))).status).toBe(202);
});

test('bytes that are no JSON object are answered 400', async ({ shop }) => {
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from('\ufeff{}'),
  ];
  for (const body of bodies) expect((await shop.send(body)).status, String(body)).toBe(400);
});

test('unknown fields are ignored, and a click id that is no id does not cost the event', async ({ shop }) => {
  const registrationId = '0193e3a0-0000-7000-8000-000000000001';
  const fields = {
    click_id: 'gclid-4711',
    registration_id: registrationId.toUpperCase(),
    tax: { rate: 0.19 },
  };
  const { status, json } = await shop.send(fields);
  expect(status).toBe(202);
  const row = (await shop.ledger()).find(({ id }) => id === json.id);
  expect(row).toMatchObject({ click_id: null, registration_id: registrationId });
});

test('a body of 256 kB is accepted in any content type, and one byte more is answered 413', async ({
  shop,
}) => {
  const start = JSON.stringify(purchase()).replace('}', ',"note":"');
  const fill = (bytes: number): string => `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
  const post = (body: string, headers = {}) =>
    shop.post('generic', body, { 'X-Service-Signature': sign(shop.secret, body), ...headers });
  const largest = fill(256 * 1024);
  expect((await post(largest, { 'Content-Type': 'text/plain' })).status).toBe(202);
  expect((await post(`${largest} `)).status).toBe(413);
  expect((await post(largest, { 'Content-Encoding': 'gzip' })).status).toBe(415);
});

test('another method is answered 405, and another provider 404', async ({ shop }) => {
  const get = await fetch(shop.service.baseUrl + shop.paths.generic);
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await shop.post('paypal', '{}')).status).toBe(404);
});

test('a repeated name with a character that Postgres cannot store is refused with 422 and kept', async ({
  shop,
}) => {
  for (const name of [String.raw`\u0000`, String.raw`\ud800`]) {
    const body = JSON.stringify(purchase()).replace('{', `{"${name}":1,"${name}":2,`);
    const { status, json } = await shop.send(body);
    expect([status, json.code], json.message).toEqual([422, 'validation_failed']);
  }
});
