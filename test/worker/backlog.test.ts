import { createId, type Database } from '@service/database';
import { measureBacklog } from '@service/deliveries';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';

const accountId = '01900000-0000-7000-8000-000000000001';
const [first, second, third] = [1, 2, 3].map((n) => `01900000-0000-7000-8000-0000000000e${n}`) as [
  string,
  string,
  string,
];

interface Waiting {
  endpointId: string;
  /** An SQL expression. */
  dueAt: string;
  attempts?: number;
  /** An SQL expression. */
  leasedUntil?: string;
  madeHoursAgo?: number;
}

async function addWaiting({ pool }: Database, waiting: Waiting): Promise<void> {
  const { endpointId, dueAt, attempts = 0, leasedUntil = 'null', madeHoursAgo = 0 } = waiting;
  const id = createId(new Date(Date.now() - madeHoursAgo * 3_600_000));
  await pool.query(
    `insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries, leased_until)
     values ($1, $2, $3, ${dueAt}, $4, $4, ${leasedUntil})`,
    [id, accountId, endpointId, attempts],
  );
}

const setHealth = ({ pool }: Database, endpointId: string, state: string) =>
  pool.query(
    `insert into deliveries.endpoint_health
       (endpoint_id, account_id, state, failures, since, probes, drain_rate)
     values ($1, $2, $3, 1, now(), 0, 0)`,
    [endpointId, accountId, state],
  );

test('an empty queue has no backlog', async () => {
  await using db = await testDatabase();
  expect(await measureBacklog(db.database.pool)).toEqual({
    due: 0,
    later: 0,
    parked: 0,
    oldestDueAgeSeconds: 0,
    oldestParkedAgeSeconds: 0,
    worstEndpoint: null,
    failingEndpoints: 0,
    pausedEndpoints: 0,
    fullAccounts: 0,
    largestUse: 0,
  });
});

test('accounts at a limit are counted, and the largest use is the share of the nearest one', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  await pool.query(
    `insert into deliveries.usage (account_id, slot, waiting, bytes)
     select account_id, slot, waiting, bytes from (values
       (gen_random_uuid(), 1, 60, 0), (gen_random_uuid(), 1, 0, 300), ($1::uuid, 1, 70, 0), ($1::uuid, 2, 50, 10)
     ) used (account_id, slot, waiting, bytes)`,
    [accountId],
  );
  const quota = { waitingMax: 100, bytesMax: 1000 };
  expect(await measureBacklog(pool, quota)).toMatchObject({ fullAccounts: 1, largestUse: 1.2 });
});

test('due, later and parked deliveries are counted separately, first tries together with retries', async () => {
  await using db = await testDatabase();
  const { database } = db;
  await addWaiting(database, { endpointId: first, dueAt: `now() - interval '5 seconds'` });
  await addWaiting(database, { endpointId: first, dueAt: `now() - interval '1 minute'`, attempts: 2 });
  for (const attempts of [0, 1, 2])
    await addWaiting(database, { endpointId: second, dueAt: `now() + interval '1 hour'`, attempts });
  for (const attempts of [0, 1, 2, 3])
    await addWaiting(database, { endpointId: third, dueAt: `'infinity'`, attempts, madeHoursAgo: attempts });
  await setHealth(database, second, 'failing');
  await setHealth(database, third, 'paused');
  const backlog = await measureBacklog(database.pool);
  expect(backlog).toMatchObject({ due: 2, later: 3, parked: 4, failingEndpoints: 1, pausedEndpoints: 1 });
  expect(backlog.oldestDueAgeSeconds).toBeGreaterThanOrEqual(60);
  expect(backlog.oldestParkedAgeSeconds).toBeGreaterThanOrEqual(3 * 3600 - 1);
  expect(backlog.worstEndpoint).toMatchObject({ accountId, endpointId: third });
  expect(backlog.worstEndpoint?.ageSeconds).toBe(backlog.oldestParkedAgeSeconds);
});

test('the oldest due delivery is one without a lease, and it decides the worst endpoint when it is older', async () => {
  await using db = await testDatabase();
  const { database } = db;
  const leasedUntil = `now() + interval '1 minute'`;
  await addWaiting(database, { endpointId: first, dueAt: `now() - interval '3 hours'`, leasedUntil });
  await addWaiting(database, { endpointId: second, dueAt: `now() - interval '2 hours'` });
  await addWaiting(database, { endpointId: third, dueAt: `'infinity'`, madeHoursAgo: 1 });
  await setHealth(database, third, 'draining');
  const backlog = await measureBacklog(database.pool);
  expect(backlog.worstEndpoint).toMatchObject({ accountId, endpointId: second });
  expect(Math.floor(backlog.oldestDueAgeSeconds / 3600)).toBe(2);
  expect(Math.round(backlog.oldestParkedAgeSeconds / 3600)).toBe(1);
  expect(backlog).toMatchObject({ due: 2, parked: 1, failingEndpoints: 0, pausedEndpoints: 0 });
});
