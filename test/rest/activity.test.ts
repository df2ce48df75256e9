import { ApiKey } from '@service/keys';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';

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
  expect(rows.rows.filter((row) => row.status === 422)).toHaveLength(10);
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

test('what has not been written yet is written when the process stops', async () => {
  const service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  await callRest(service, 'GET /webinars', { key });
  await service.api.close();
  const rows = await service.db.database.pool.query('select count(*)::int as calls from activity.api_call');
  await service.db[Symbol.asyncDispose]();
  expect(rows.rows[0].calls).toBe(1);
});

test('activity outlives its key, with the label it had', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key, id } = await createTestKey(service, accountId);
  await callRest(service, 'GET /webinars', { key });
  await service.db.database.pool.query('delete from keys.api_key where id = $1', [id]);
  await service.api.service.activity.flush();
  const rows = await service.db.database.pool.query('select key_label from activity.api_call');
  expect(rows.rows).toEqual([{ key_label: 'Test' }]);
});
