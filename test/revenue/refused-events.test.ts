// The events that a source has refused: who reads them, and how long they are kept.
import { revenueModule } from '@service/revenue';
import { expect } from 'vitest';
import { createTestMember } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { test } from './sender.ts';

test('refused events can be read by owners, with every problem and the exact body, and members cannot read them', async ({
  shop,
}) => {
  const { service, account } = shop;
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
  const { owner: stranger } = await shop.another();
  expect(await stranger.query('revenueSources.refusedEvents.list', {})).toEqual([]);
  await expect(stranger.query('revenueSources.refusedEvents.get', { id: kept.id })).rejects.toThrow(
    'refused_event_not_found',
  );
  const max = await openDashboard(service, await createTestMember(service, account.accountId));
  await expect(max.query('revenueSources.refusedEvents.list', {})).rejects.toThrow('owner_required');
  const [source] = await max.query('revenueSources.list');
  expect(source.url).toContain(account.accountId);
});

test('a refused event is kept for a week, and then deleted', async ({ shop }) => {
  const { service, account, send, owner } = await shop.another();
  const { pool } = service.db.database;
  const keptFor = async (age: string): Promise<string> => {
    await send('{}');
    const { rows } = await pool.query(
      `update revenue.refused_event set received_at = now() - $2::interval
       where account_id = $1 and received_at > now() - interval '1 hour' returning id`,
      [account.accountId, age],
    );
    return rows[0].id;
  };
  const young = await keptFor('6 days 23 hours');
  const old = await keptFor('7 days 1 minute');
  const listed: { id: string }[] = await owner.query('revenueSources.refusedEvents.list', {});
  expect(listed.map(({ id }) => id)).toEqual([young]);
  await expect(owner.query('revenueSources.refusedEvents.get', { id: old })).rejects.toThrow(
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

test('of more than 1,000 refused events or 10 MB the oldest are deleted', async ({ shop }) => {
  const { service, account, send } = await shop.another();
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
  await send('{}');
  expect(await count()).toBe(1000);
  await pool.query('delete from revenue.refused_event where account_id = $1', [account.accountId]);
  await fill(9, 2_000_000);
  await send('{}');
  expect(await count()).toBe(5);
});
