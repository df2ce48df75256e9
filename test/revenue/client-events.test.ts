// Revenue events that clients with a key record.
import { allScopes, presets } from '@service/catalogue';
import { expect } from 'vitest';
import { callRest, createTestAccount, createTestKey } from '../support/api.ts';
import { ledgerOf, purchase, test } from './sender.ts';

test('an event counts once, whether it comes with a key or over the webhook, and differing content is a conflict', async ({
  service,
  shop,
}) => {
  const { accountId } = shop.account;
  const { key } = await createTestKey(service, accountId, { scopes: ['revenue:write'] });
  const record = (body: object) => callRest(service, 'POST /revenue/events', { key, body });
  const before = (await shop.ledger()).length;

  const first = await record(purchase({ event_id: 'k1', email: ' Ada@Example.com ', note: 'ignored' }));
  expect(first.status, first.text).toBe(200);
  expect(first.json.data).toEqual({ id: expect.any(String), status: 'accepted' });
  const { id } = first.json.data;
  const same = { ...purchase({ event_id: 'k1' }), timestamp: undefined };
  const [kept] = (await shop.ledger()).slice(before);
  expect(kept).toMatchObject({ id, provider: 'generic', email: 'ada@example.com', amount_minor: '4900' });

  const { occurred_at: timestamp } = kept as unknown as { occurred_at: Date };
  const repeated = { ...same, email: 'ada@example.com', timestamp: timestamp.toISOString() };
  expect((await record(repeated)).json.data).toEqual({ id, status: 'duplicate' });
  expect((await shop.send(repeated)).json).toEqual({ id, status: 'duplicate' });
  expect((await record({ ...repeated, amount_minor: 1 })).json.data).toEqual({
    id,
    status: 'conflict',
    message: expect.stringContaining('was kept'),
  });
  expect(await shop.ledger()).toHaveLength(before + 1);
});

test('texts that JSON.parse would change silently are refused as over the webhook, with every other problem', async ({
  service,
}) => {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId, { scopes: ['revenue:write'] });
  const issuesOf = async (path: string, body: string): Promise<string[] | number> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.baseUrl}/api/v1${path}`, { method: 'POST', headers, body });
    const { issues } = (await answer.json()) as { issues?: { path: string }[] };
    return answer.status === 422 ? issues!.map((issue) => issue.path).toSorted() : answer.status;
  };
  const text = JSON.stringify(purchase({ extra: { amount_minor: 0.5 } }));
  const changed = ['4900.0', '4.9e3', '-0', '9007199254740993', '100,"amount_minor":200'].map((amount) =>
    text.replace('"amount_minor":4900', `"amount_minor":${amount}`),
  );
  for (const body of changed) {
    expect(await issuesOf('/revenue/events', body), body).toEqual(['amount_minor']);
    const batch = `{"events":[${text},${body}]}`;
    expect(await issuesOf('/revenue/events/bulk', batch), body).toEqual(['events.1.amount_minor']);
  }
  const also = changed[0]!.replace('EUR', 'XXY');
  expect(await issuesOf('/revenue/events', also)).toEqual(['amount_minor', 'currency']);
  expect(await issuesOf('/revenue/events/bulk', `{"events":[{"list":[${'0,'.repeat(20_000)}0]}]}`)).toBe(400);
  expect(await ledgerOf(service, accountId)).toEqual([]);
  expect(await issuesOf('/revenue/events', text)).toBe(200);
});

test('each event of a batch has its own outcome, and a refused one names every problem', async ({
  service,
}) => {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId, { scopes: ['revenue:write'] });
  const events = [
    purchase({ event_id: 'a' }),
    { type: 'refund', amount_minor: 5, currency: 'XXY', email: 'no', timestamp: 'now' },
    purchase({ event_id: 'r', type: 'refund', amount_minor: -900, original_transaction_id: 'a' }),
    purchase({ event_id: 'a', amount_minor: 1 }),
    'text',
    null,
  ];
  const answer = await callRest(service, 'POST /revenue/events/bulk', { key, body: { events } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.summary).toEqual({ accepted: 2, duplicate: 0, conflict: 1, failed: 3 });
  const { data } = answer.json;
  expect(data.map(({ status }: { status: string }) => status)).toEqual([
    'accepted',
    'error',
    'accepted',
    'conflict',
    'error',
    'error',
  ]);
  expect(data[1].error).toMatchObject({ code: 'validation_failed' });
  expect(data[1].error.issues.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    'amount_minor',
    'currency',
    'email',
    'event_id',
    'timestamp',
  ]);
  for (const { error } of data.slice(4)) expect(error.issues).toMatchObject([{ path: 'body' }]);
  expect((await ledgerOf(service, accountId)).map(({ event_id }) => event_id).toSorted()).toEqual(['a', 'r']);

  const tooMany = { events: Array.from({ length: 201 }, () => ({})) };
  for (const body of [tooMany, { events: [] }, {}])
    expect((await callRest(service, 'POST /revenue/events/bulk', { key, body })).status).toBe(422);
  const single = await callRest(service, 'POST /revenue/events', { key, body: events[1] as object });
  expect(single.status).toBe(422);
  expect(single.json.issues).toHaveLength(5);
});

test('only a key with revenue:write records, and the event is in the account of the key', async ({
  service,
}) => {
  expect(presets.full.scopes).toContain('revenue:write');
  expect(presets.read.scopes).not.toContain('revenue:write');
  const [own, other] = [await createTestAccount(service), await createTestAccount(service)];
  const without = await createTestKey(service, own.accountId, {
    scopes: allScopes.filter((scope) => scope !== 'revenue:write'),
  });
  for (const path of ['/revenue/events', '/revenue/events/bulk']) {
    const refused = await callRest(service, `POST ${path}`, { key: without.key, body: purchase() });
    expect(refused.status, path).toBe(401);
  }
  const { key } = await createTestKey(service, own.accountId, { scopes: ['revenue:write'] });
  await callRest(service, 'POST /revenue/events', { key, body: purchase({ accountId: other.accountId }) });
  expect(await ledgerOf(service, own.accountId)).toHaveLength(1);
  expect(await ledgerOf(service, other.accountId)).toEqual([]);
});
