import { serviceCommands } from '@service/composition';
import { readCommandLine } from '@service/config';
import { declaredStatements } from '@service/database/testing';
import type { AppError } from '@service/errors';
import { openAdmin } from '@service/local';
import { revenueModule } from '@service/revenue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestAccount,
  testApi,
  testEncryptionKey,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createSender, ledgerOf, postEvent, purchase, sign } from './sender.ts';

let service: TestApi;
beforeAll(async () => void (service = await testApi()));
afterAll(() => service[Symbol.asyncDispose]());

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

test('a source has its address before its secret, and a secret is shown when it is made and rotated, and can be removed', async () => {
  const account = await createTestAccount(service);
  const owner = await openDashboard(service, account);
  const url = `${service.baseUrl}/api/webhooks/revenue/${account.accountId}/generic`;
  expect(await sourceOf(owner, 'generic')).toMatchObject({
    url,
    secretLast4: null,
    secretMadeBy: 'service',
    eventTypes: [],
  });
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
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

test('no answer about a source contains its secret after the one that made it', async () => {
  const owner = await openDashboard(service, await createTestAccount(service));
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

test('the secret of Stripe is pasted, and is shown by its last four characters', async () => {
  const owner = await openDashboard(service, await createTestAccount(service));
  const set = (secret: string) => owner.mutate('revenueSources.setSecret', { provider: 'stripe', secret });
  await expect(set('sk_live_1234567890123456')).rejects.toThrow('validation_failed');
  await set(' whsec_1234567890123456abcd ');
  expect((await sourceOf(owner, 'stripe')).secretLast4).toBe('abcd');
  await expect(owner.mutate('revenueSources.createSecret', { provider: 'stripe' })).rejects.toThrow(
    'validation_failed',
  );
});

test('a source shows its last event, its last refusal with the reason, and the counts of the day', async () => {
  const account = await createTestAccount(service);
  const shop = await createSender(service, account);
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
  expect((await sourceOf(shop.owner, 'stripe')).today).toMatchObject({ accepted: 0, ignored: 1, refused: 0 });
});

test('a test event is posted to the real address, is in the ledger with its name, and adds no money', async () => {
  const account = await createTestAccount(service);
  const { owner } = await createSender(service, account);
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
    const row = (await ledgerOf(service, account.accountId)).find((one) => one.id === id);
    expect(row).toMatchObject({ provider, event_id: eventId, amount_minor: '0' });
    expect((await post(body)).status).toBe(200);
  }
});

test('refused events can be read by owners, with every problem and the exact body, and members cannot read them', async () => {
  const account = await createTestAccount(service);
  const shop = await createSender(service, account);
  const body = '{"event_id":"évt","amount_minor":1.5}';
  await shop.send(body);
  const [kept] = await shop.owner.query('revenueSources.refusedEvents.list', {});
  expect(kept).toMatchObject({
    provider: 'generic',
    reason: 'invalid_fields',
    size: Buffer.byteLength(body),
  });
  const detail = await shop.owner.query('revenueSources.refusedEvents.get', { id: kept.id });
  expect(detail).toMatchObject({
    body,
    issues: expect.arrayContaining([expect.objectContaining({ path: 'amount_minor' })]),
  });
  const { rows } = await service.db.database.pool.query(
    'select sealed_body from revenue.refused_event where id = $1',
    [kept.id],
  );
  expect((rows[0].sealed_body as Buffer).includes('event_id')).toBe(false);
  const stranger = await openDashboard(service, await createTestAccount(service));
  expect(await stranger.query('revenueSources.refusedEvents.list', {})).toEqual([]);
  await expect(stranger.query('revenueSources.refusedEvents.get', { id: kept.id })).rejects.toThrow(
    'refused_event_not_found',
  );
  const max = await addMember(account);
  await expect(max.query('revenueSources.refusedEvents.list', {})).rejects.toThrow('owner_required');
  expect((await sourceOf(max, 'generic')).url).toContain(account.accountId);
});

test('a refused event is kept for a week, and then deleted', async () => {
  const account = await createTestAccount(service);
  const shop = await createSender(service, account);
  const { pool } = service.db.database;
  const keptFor = async (age: string): Promise<string> => {
    await shop.send('{}');
    const { rows } = await pool.query(
      `update revenue.refused_event set received_at = now() - $2::interval
       where account_id = $1 and received_at > now() - interval '1 hour' returning id`,
      [account.accountId, age],
    );
    return rows[0].id;
  };
  const young = await keptFor('6 days 23 hours');
  const old = await keptFor('7 days 1 minute');
  const listed: { id: string }[] = await shop.owner.query('revenueSources.refusedEvents.list', {});
  expect(listed.map(({ id }) => id)).toEqual([young]);
  await expect(shop.owner.query('revenueSources.refusedEvents.get', { id: old })).rejects.toThrow(
    'refused_event_not_found',
  );
  const [cron] = revenueModule.jobs({ database: service.db.database }).crons;
  const { signal } = new AbortController();
  await cron!.run(new Date(), { log: service.api.service.log, signal });
  const { rows } = await pool.query('select id from revenue.refused_event where account_id = $1', [
    account.accountId,
  ]);
  expect(rows).toEqual([{ id: young }]);
});

test('of more than 1,000 refused events or 10 MB the oldest are deleted', async () => {
  const account = await createTestAccount(service);
  const shop = await createSender(service, account);
  const { pool } = service.db.database;
  const fill = (count: number, size: number) =>
    pool.query(
      `insert into revenue.refused_event (account_id, id, provider, reason, issues, sealed_body, size, received_at)
       select $1, ('0190000' || to_char(n, 'FM0') || substr(gen_random_uuid()::text, 9))::uuid, 'generic',
         'invalid_fields', '[]', '', $3, now() from generate_series(1, $2) n`,
      [account.accountId, count, size],
    );
  const count = async (): Promise<number> => {
    const { rows } = await pool.query(
      'select count(*)::int as n from revenue.refused_event where account_id = $1',
      [account.accountId],
    );
    return rows[0].n;
  };
  await fill(9, 100);
  await pool.query(
    `insert into revenue.refused_event select account_id, gen_random_uuid(), provider, reason, issues, sealed_body, 0, received_at
     from revenue.refused_event, generate_series(1, 200) where account_id = $1`,
    [account.accountId],
  );
  await shop.send('{}');
  expect(await count()).toBe(1000);
  await pool.query('delete from revenue.refused_event where account_id = $1', [account.accountId]);
  await fill(9, 2_000_000);
  await shop.send('{}');
  expect(await count()).toBe(5);
});

test('the activity of a source around midnight is counted on both days', async () => {
  const { accountId } = await createTestAccount(service);
  await admin('--account', accountId, '--provider', 'generic');
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

/** Runs the operator's command as the program does, on the database of the test. */
async function admin(...command: string[]): Promise<{ url: string; secret?: string }> {
  const { run, options } = serviceCommands['revenue-source']!;
  const { values } = readCommandLine(command, { options })!;
  const parts = await openAdmin({
    DATABASE_URL: service.db.url,
    ENCRYPTION_KEY: testEncryptionKey,
    BASE_URL: 'https://example.com/',
  });
  try {
    return (await run(parts, values)) as { url: string; secret?: string };
  } finally {
    await parts.close();
  }
}

test('the operator’s command makes a secret, rotates it and stores that of a provider, and events with it are accepted', async () => {
  const { accountId } = await createTestAccount(service);
  const run = (...command: string[]) => admin('--account', accountId, ...command);
  const made = await run('--provider', 'generic');
  expect(made).toEqual({
    url: `https://example.com/api/webhooks/revenue/${accountId}/generic`,
    secret: expect.stringMatching(/^whsec_/),
  });
  const statusOf = async (secret: string): Promise<number> => {
    const body = JSON.stringify(purchase());
    const headers = { 'X-Service-Signature': sign(secret, body) };
    return (await postEvent(service, `${accountId}/generic`, { body, headers })).status;
  };
  expect(await statusOf(made.secret!)).toBe(202);
  expect(await run('--provider', 'generic')).toEqual({ url: made.url });
  const rotated = await run('--provider', 'generic', '--rotate');
  expect([await statusOf(made.secret!), await statusOf(rotated.secret!)]).toEqual([401, 202]);
  expect(await run('--provider', 'stripe', '--secret', 'whsec_0123456789abcdef')).toEqual({
    url: `https://example.com/api/webhooks/revenue/${accountId}/stripe`,
  });
});

test('the operator’s command refuses what it cannot do, and says what to give', async () => {
  const { accountId } = await createTestAccount(service);
  const refusals: [string[], RegExp][] = [
    [['--provider', 'paypal'], /^--provider must be one of generic, stripe\.$/],
    [['--provider', 'stripe'], /^--secret is required\. .*whsec_/],
    [['--provider', 'stripe', '--secret', 'sk_live'], /whsec_/],
    [['--provider', 'generic', '--secret', 'whsec_mine'], /The service makes the secret/],
    [['--provider', 'generic', '--rotate'], /has no secret/],
    [['--provider', 'generic', '--rotate', '--secret', 'x'], /^Give either --secret or --rotate\.$/],
  ];
  for (const [command, message] of refusals) {
    const refused = await admin('--account', accountId, ...command).catch((error: unknown) => error);
    const { message: text, issues = [] } = refused as AppError;
    expect([text, ...issues.map((issue) => issue.message)].join(' '), command.join(' ')).toMatch(message);
  }
});

async function addMember({ accountId }: TestAccount): Promise<DashboardClient> {
  const person = { accountId, email: 'max@example.com', password: 'correct horse battery' };
  await service.api.service.accounts.addMember({ ...person, name: 'Max', role: 'member' });
  return openDashboard(service, person);
}
