import { createId } from '@service/database';
import { expect, test } from 'vitest';
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
