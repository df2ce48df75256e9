import { createActivityRecorder } from '@service/activity';
import { ApiKey } from '@service/keys';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { activityWorld, createKey, now, toRecordedCall } from './activity-world.ts';

test('every authenticated call is a row, refused ones too, and the key counts exactly as many', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key, id } = await createTestKey(service, accountId);
  const before = new Date();
  const calls = Array.from({ length: 40 }, (_, index) =>
    callRest(service, index % 4 === 0 ? 'GET /webinars/none?x=secret-in-query' : 'GET /webinars', { key }),
  );
  await Promise.all(calls);
  await callRest(service, 'GET /webinars', { key: `svc_live_${'0'.repeat(32)}` });
  await service.api.service.activity.flush();

  const rows = await service.db.database.pool.query('select * from activity.api_call');
  expect(rows.rowCount).toBe(40);
  expect(rows.rows.filter((row) => row.status === 404)).toHaveLength(10);
  expect(JSON.stringify(rows.rows)).not.toContain('secret-in-query');
  expect(
    rows.rows.every(
      (row) => row.key_label === 'Test' && row.surface === 'rest' && row.account_id === accountId,
    ),
  ).toBe(true);

  const counted = await service.db.database.fork().findOneOrFail(ApiKey, { accountId, id });
  expect(counted.requests).toBe(40);
  expect(counted.lastUsedAt!.getTime()).toBeGreaterThanOrEqual(before.getTime());
});

test('a process that stops writes the calls that are not written yet', async () => {
  const service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  await callRest(service, 'GET /webinars', { key });
  await service.api.close();
  const rows = await service.db.database.pool.query('select count(*)::int as calls from activity.api_call');
  await service.db[Symbol.asyncDispose]();
  expect(rows.rows[0].calls).toBe(1);
});

test('processes that record calls of the same keys at once take turns and count every call', async () => {
  await using world = await activityWorld();
  const { pool } = world.db.database;
  const problems: string[] = [];
  const log = createLog('test', { destination: { write: (line) => problems.push(line) } });
  const keys = ['One', 'Two', 'Three', 'Four'].map(createKey);
  const processes = [keys, keys.toReversed(), keys.toReversed(), keys].map((order) => ({
    order,
    recorder: createActivityRecorder({ pool, log, alsoWrite: async () => undefined }),
  }));
  await Promise.all(
    processes.map(async ({ order, recorder }) => {
      for (let round = 0; round < 25; round += 1) {
        for (const key of order)
          recorder.record(
            toRecordedCall({ at: now, key, status: round % 5 === 0 ? 409 : 200 }, world.accountId),
          );
        await recorder.flush();
      }
      await recorder.close();
    }),
  );
  const { rows } = await pool.query(
    'select key_label, successes, failures from activity.api_call_count order by key_label',
  );
  expect(rows).toEqual([
    { key_label: '', successes: 320, failures: 80 },
    ...['Four', 'One', 'Three', 'Two'].map((label) => ({ key_label: label, successes: 80, failures: 20 })),
  ]);
  // A deadlock would have been one: the batch is written in the end, but a second later.
  expect(problems).toEqual([]);
});

test('a batch whose commit succeeded without an answer is not written again, and the next one is', async () => {
  await using world = await activityWorld();
  const { pool } = world.db.database;
  let isFirst = true;
  const recorder = createActivityRecorder({
    pool,
    log: createLog('test', { level: 'silent' }),
    async alsoWrite(client) {
      if (!isFirst) return;
      isFirst = false;
      await client.query('commit');
      throw new Error('The connection broke while the commit was answered');
    },
  });
  const key = createKey('Key');
  recorder.record(toRecordedCall({ at: now, key, requestId: 'first' }, world.accountId));
  await recorder.flush();
  recorder.record(toRecordedCall({ at: now, key, requestId: 'second' }, world.accountId));
  await eventually('both calls', async () => {
    const { rows } = await pool.query('select request_id from activity.api_call order by 1');
    return rows.map((row) => row.request_id).join() === 'first,second';
  });
  await recorder.close();
  const { rows } = await pool.query('select successes from activity.api_call_count');
  expect(rows).toEqual([{ successes: 2 }, { successes: 2 }]);
});

test('a call with a value that Postgres refuses is dropped alone, and the calls of other accounts are written', async () => {
  await using world = await activityWorld();
  const { pool } = world.db.database;
  const problems: string[] = [];
  const recorder = createActivityRecorder({
    pool,
    log: createLog('test', { destination: { write: (line) => problems.push(line) } }),
    alsoWrite: async () => undefined,
  });
  const key = createKey('Key');
  // No surface sends such a request id.
  for (const requestId of ['first', 'nul\0', 'last'])
    recorder.record(toRecordedCall({ at: now, key, requestId }, world.accountId));
  await recorder.flush();
  const { rows } = await pool.query('select request_id from activity.api_call order by 1');
  expect(rows.map((row) => row.request_id)).toEqual(['first', 'last']);
  const { rows: counts } = await pool.query('select successes from activity.api_call_count');
  expect(counts).toEqual([{ successes: 2 }, { successes: 2 }]);
  expect(problems.some((line) => line.includes('"dropped":1'))).toBe(true);
  await recorder.close();
});
