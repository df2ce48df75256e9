import { declaredStatements } from '@service/database/testing';
import { expect } from 'vitest';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { postEvent, purchase, sign, test } from './sender.ts';

interface Source {
  provider: string;
  url: string;
  secretLast4: string | null;
  lastReceivedAt: string | null;
  lastRefusedReason: string | null;
  today: object;
}

/** A test event as the page of the source posts it. */
interface SignedTest {
  eventId: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const sourceOf = async (client: DashboardClient, name: string): Promise<Source> => {
  const sources: Source[] = await client.query('revenueSources.list');
  return sources.find(({ provider }) => provider === name)!;
};

test('a source has its address before its secret, and a secret is shown when it is made and rotated, and can be removed', async ({
  service,
  account,
}) => {
  const owner = await openDashboard(service, account);
  const url = `${service.baseUrl}/api/webhooks/revenue/${account.accountId}/generic`;
  expect(await sourceOf(owner, 'generic')).toMatchObject({
    url,
    secretLast4: null,
    secretMadeBy: 'service',
    eventTypes: [],
  });
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{44}$/);
  await expect(owner.mutate('revenueSources.createSecret', {})).rejects.toThrow('revenue_source_exists');
  expect(await sourceOf(owner, 'generic')).toMatchObject({ secretLast4: secret.slice(-4) });
  const rotated = await owner.mutate('revenueSources.rotateSecret', { overlapHours: 24 });
  expect(rotated.secret).not.toBe(secret);
  expect(await sourceOf(owner, 'generic')).toMatchObject({
    secretLast4: rotated.secret.slice(-4),
    previousSecretUntil: expect.any(String),
  });
  await owner.mutate('revenueSources.removeSecret', { provider: 'generic' });
  const body = JSON.stringify(purchase());
  const headers = { 'X-Service-Signature': sign(rotated.secret, body) };
  expect((await postEvent(service, `${account.accountId}/generic`, { body, headers })).status).toBe(401);
});

test('no answer about a source contains its secret after the one that made it', async ({
  service,
  account,
}) => {
  const owner = await openDashboard(service, account);
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  const stripeSecret = 'whsec_1234567890123456abcd';
  await owner.mutate('revenueSources.setSecret', { provider: 'stripe', secret: stripeSecret });
  const queries = Object.keys(service.api.service.router._def.procedures).filter(
    (path) => path.startsWith('revenueSources.') && path !== 'revenueSources.refusedEvents.get',
  );
  const inputs = [{}, { provider: 'generic' }, { provider: 'stripe' }];
  let answered = 0;
  for (const path of queries)
    for (const input of inputs) {
      const answer = await owner.query(path, input).catch(() => undefined);
      answered += answer === undefined ? 0 : 1;
      const text = JSON.stringify(answer) ?? '';
      for (const known of [secret, stripeSecret]) expect(text, path).not.toContain(known);
    }
  expect(answered).toBeGreaterThan(3);
});

test('the secret of Stripe is pasted, and is shown by its last four characters', async ({
  service,
  account,
}) => {
  const owner = await openDashboard(service, account);
  const set = (secret: string) => owner.mutate('revenueSources.setSecret', { provider: 'stripe', secret });
  await expect(set('sk_live_1234567890123456')).rejects.toThrow('validation_failed');
  await set(' whsec_1234567890123456abcd ');
  expect((await sourceOf(owner, 'stripe')).secretLast4).toBe('abcd');
  await expect(owner.mutate('revenueSources.createSecret', { provider: 'stripe' })).rejects.toThrow(
    'validation_failed',
  );
});

test('a source shows its last event, its last refusal with the reason, and the counts of the day', async ({
  shop,
}) => {
  const event = JSON.stringify(purchase());
  await shop.send(event);
  await shop.send(event);
  await shop.send({ currency: 'nothing' });
  await shop.post('generic', event, {});
  await shop.stripe({ id: 'evt_x', type: 'customer.created', created: 1_800_000_000, data: { object: {} } });
  const generic = await eventually('the counts are written', async () => {
    const source = await sourceOf(shop.owner, 'generic');
    return JSON.stringify(source.today).includes('"refused":2') && source;
  });
  expect(generic).toMatchObject({
    lastReceivedAt: expect.any(String),
    lastRefusedReason: 'missing_signature',
    today: { accepted: 1, duplicates: 1, ignored: 0, refused: 2 },
  });
  // Its counts may be written a second after those of the generic source.
  await eventually('the counts of Stripe are written', async () => {
    const { today } = await sourceOf(shop.owner, 'stripe');
    return JSON.stringify(today) === '{"accepted":0,"duplicates":0,"ignored":1,"refused":0}';
  });
});

test('a test event is posted to the real address, is in the ledger with its name, and adds no money', async ({
  shop,
}) => {
  const { owner, service } = shop;
  for (const [provider, status] of [
    ['generic', 202],
    ['stripe', 200],
  ] as const) {
    const test = await owner.query('revenueSources.signTest', { provider });
    const { eventId, path, headers, body }: SignedTest = test;
    expect(service.baseUrl + path).toBe((await sourceOf(owner, provider)).url);
    const post = (text: string) => fetch(service.baseUrl + path, { method: 'POST', headers, body: text });
    // It is signed: the address refuses another body.
    expect((await post(`${body} `)).status).toBe(401);
    const sent = await post(body);
    const { id } = (await sent.json()) as { id: string };
    expect([sent.status, eventId]).toEqual([status, expect.stringMatching(/^test_/)]);
    const row = (await shop.ledger()).find((one) => one.id === id);
    expect(row).toMatchObject({ provider, event_id: eventId, amount_minor: '0' });
    expect((await post(body)).status).toBe(200);
  }
});

test('the activity of a source around midnight is counted on both days', async ({ service, account }) => {
  const { accountId } = account;
  await (await openDashboard(service, account)).mutate('revenueSources.createSecret', {});
  const write = declaredStatements().find(({ name }) => name === 'revenue.write_source_activity')!;
  const counts = {
    account_id: accountId,
    provider: 'generic',
    accepted: 1,
    duplicates: 2,
    ignored: 3,
    refused: 4,
  };
  const days = ['2026-11-22', '2026-11-23'].map((day) => ({
    ...counts,
    day,
    received_at: `${day}T12:00:00Z`,
  }));
  const { pool } = service.db.database;
  for (const _time of [1, 2]) await pool.query(write.text, [JSON.stringify(days)]);
  const { rows } = await pool.query(
    'select day::text, accepted, refused from revenue.source_day where account_id = $1 order by day',
    [accountId],
  );
  expect(rows).toEqual(days.map(({ day }) => ({ day, accepted: 2, refused: 8 })));
});
