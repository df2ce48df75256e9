import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createContactsWorld } from '../contacts/contacts-world.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker, type TestWorker } from '../support/worker.ts';

const metricsOf = async (worker: TestWorker): Promise<string> => (await worker.get('/metrics')).text();

test('the worst endpoint is one series, which ends when nothing waits for it any more', async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url);
  const { pool } = db.database;
  const [accountId, endpointId] = [createId(), createId()];
  const hourAgo = new Date(Date.now() - 3_600_000);
  await pool.query(
    `insert into deliveries.endpoint_health
       (endpoint_id, account_id, state, failures, since, probes, drain_rate)
     values ($1, $2, 'paused', 20, now(), 0, 0)`,
    [endpointId, accountId],
  );
  await pool.query(
    `insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
     values ($1, $2, $3, 'infinity', 1, 1)`,
    [createId(hourAgo), accountId, endpointId],
  );
  const before = await metricsOf(worker);
  expect(before).toMatch(/^delivery_held 1$/m);
  expect(before).toMatch(/^delivery_oldest_held_age_seconds 36\d\d\./m);
  expect(before).toContain('\ndelivery_endpoints{health="paused"} 1\n');
  expect(before.match(/^delivery_worst_endpoint_age_seconds\{.*/gm)).toEqual([
    expect.stringMatching(`{account_id="${accountId}",endpoint_id="${endpointId}"} 36`),
  ]);

  await pool.query('delete from deliveries.due');
  await pool.query('delete from deliveries.endpoint_health');
  const after = await metricsOf(worker);
  expect(after).toMatch(/^delivery_held 0$/m);
  expect(after).not.toContain('delivery_worst_endpoint_age_seconds{');
});

test('while the queue cannot be measured its metrics have no value, and all others do', async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url);
  expect(await metricsOf(worker)).toMatch(/^delivery_due 0$/m);
  const locking = await db.database.pool.connect();
  try {
    await locking.query('begin; lock table deliveries.due in access exclusive mode');
    const metrics = await metricsOf(worker);
    expect(metrics).toMatch(/^process_resident_memory_bytes \d/m);
    expect(metrics).toMatch(/^delivery_attempts_total\{outcome="success"\} 0$/m);
    expect(metrics).not.toMatch(/^delivery_(due|later|held|oldest_\w+|endpoints)\b/m);
  } finally {
    // Its transaction ends with it.
    locking.release(true);
  }
  await eventually('a value again', async () => /^delivery_due 0$/m.test(await metricsOf(worker)));
});

test('mails are measured for all accounts, and those that wait for a person are no delay of workers', async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url, { mailBacklogMax: 4 });
  const { pool } = db.database;
  const [served, waiting] = [createId(), createId()];
  const insertDue = (accountId: string, minutes: number) =>
    pool.query(
      `with due as (
         insert into mails.due (account_id, mail_id, priority, due_at, expires_at)
         values ($1, $2, 1, now() - make_interval(mins => $3), now() + interval '1 day')
       )
       insert into mails.waiting_count (account_id, slot, waiting) values ($1, 1, 3)`,
      [accountId, createId(), minutes],
    );
  const lane = (accountId: string, rests: boolean) =>
    pool.query(
      `insert into mails.lane (account_id, next_at, rest_until) values ($1, now() - interval '2 minutes', $2)
       on conflict (account_id) do update set next_at = excluded.next_at, rest_until = excluded.rest_until`,
      [accountId, rests ? new Date(Date.now() + 3_600_000) : null],
    );
  await lane(waiting, true);
  await insertDue(waiting, 60);
  const idle = await metricsOf(worker);
  expect(idle).toMatch(/^mail_waiting 3$/m);
  expect(idle).toMatch(/^mail_oldest_due_age_seconds 0$/m);
  expect(idle).toMatch(/^mail_account_use_ratio 0\.75$/m);
  expect(idle).toMatch(/^mail_open_sends 0$/m);
  expect(idle).toMatch(/^mail_results_total\{outcome="uncertain"\} 0$/m);
  const locking = await pool.connect();
  try {
    // No worker may claim or postpone meanwhile.
    await locking.query('begin');
    await locking.query(
      `insert into mails.lane (account_id, next_at) values ($1, now() - interval '2 minutes')`,
      [served],
    );
    await locking.query('commit; begin');
    await locking.query('select from mails.lane where account_id = $1 for update', [served]);
    await insertDue(served, 5);
    const late = await metricsOf(worker);
    expect(late).toMatch(/^mail_oldest_due_age_seconds 30\d/m);
    expect(late).toMatch(/^mail_unserved_seconds 12\d/m);
    expect(late).toMatch(/^mail_waiting 6$/m);
  } finally {
    locking.release(true);
  }
});

test('changes of contacts are measured for all accounts, and those that wait for a person are no delay of workers', async () => {
  await using contacts = await createContactsWorld();
  const { world, sql, connectionId } = contacts;
  const { url } = world.service.db;
  await sql('update connections.connection set paused_at = now()');
  await contacts.queue(3);
  await sql(`update contacts.change set due_at = now() - interval '10 minutes'`);
  await using worker = await testWorker(url);
  await eventually('the lane to rest', async () => {
    const metrics = await metricsOf(worker);
    return (
      /^contact_changes_waiting 3$/m.test(metrics) && /^contact_oldest_due_age_seconds 0$/m.test(metrics)
    );
  });
  await sql('update connections.connection set paused_at = null');
  await sql(`update contacts.lane set rest_until = null where connection_id = $1`, [connectionId]);
  await eventually('the changes to be sent', async () =>
    /^contact_results_total\{provider="klaviyo",outcome="done"\} 3$/m.test(await metricsOf(worker)),
  );
  expect(await metricsOf(worker)).toMatch(/^contact_changes_waiting 0$/m);
  expect(await metricsOf(worker)).toMatch(/^contact_open_calls 0$/m);
});
