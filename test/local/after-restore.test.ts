import { serviceCommands, suspendAccount } from '@service/composition';
import { databaseTime } from '@service/database';
import { openAdmin } from '@service/local';
import { expect, test } from 'vitest';
import { connect } from '../connectors/oauth-client.ts';
import { callRest, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';

async function afterRestore({ db }: TestApi, values: { keys?: string; resume?: boolean }) {
  const parts = await openAdmin({ DATABASE_URL: db.url });
  try {
    return await serviceCommands['after-restore']!.run(parts, values);
  } finally {
    await parts.close();
  }
}

test('after-restore ends all access that may have been ended before, and sends nothing until the operator resumes it', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const [world, suspended] = [await createTestWorld(service), await createTestWorld(service)];
  for (const { key, webinar } of [world, suspended]) {
    await callRest(service, `POST /webinars/${webinar.id}/webhooks`, {
      key,
      body: { url: receiver.url, eventTypes: ['registered'] },
    });
    const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
    await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  }
  const { database } = service.db;
  await database.transaction((tx) =>
    suspendAccount({ ...tx, accountId: suspended.accountId, now: databaseTime() }),
  );
  await database.pool.query('insert into mails.lane (account_id, next_at) values ($1, now())', [
    world.accountId,
  ]);
  const owner = await openDashboard(service, world);
  await connect(service, owner);
  // A trusted browser, which is asked for no code, as better-auth stores it.
  await database.pool.query(
    `insert into accounts.verification ("id", "identifier", "value", "expiresAt")
     values ('trusted', 'trust-device-1', $1, now() + interval '30 days')`,
    [world.userId],
  );
  await database.pool.query(
    `insert into accounts.mail_link (user_id, kind, token_hash, expires_at) values ($1, 'reset', 'hash', now() + interval '1 hour')`,
    [world.userId],
  );

  expect(await afterRestore(service, { keys: 'revoke' })).toEqual({
    accountsWithStoppedWebhooks: 2,
    accountsWithStoppedMails: 1,
    endedSessions: expect.any(Number),
    endedGrants: 1,
    revokedKeys: 2,
  });
  expect((await callRest(service, 'GET /me', { key: world.key })).status).toBe(401);
  await expect(owner.query('webinars.list', {})).rejects.toThrow();
  for (const table of ['keys.access_token', 'accounts.verification', 'accounts.mail_link'])
    expect((await database.pool.query(`select from ${table}`)).rowCount, table).toBe(0);

  await using _worker = await testWorker(service.db.url);
  const parked = async (): Promise<number> =>
    (await database.pool.query(`select from deliveries.due where due_at = 'infinity'`)).rows.length;
  await eventually('both deliveries to be parked', async () => (await parked()) === 2);
  expect(receiver.received).toEqual([]);

  expect(await afterRestore(service, { resume: true })).toEqual({
    accountsWithResumedWebhooks: 1,
    accountsWithResumedMails: 1,
  });
  await eventually('the webhook', () => receiver.received.length === 1);
  expect(await parked()).toBe(1);
});

test('after-restore leaves API keys only if the operator says so', async () => {
  await using service = await testApi();
  const { key } = await createTestWorld(service);
  await expect(afterRestore(service, {})).rejects.toThrow('--keys keep if no API key was revoked');
  await expect(afterRestore(service, { keys: 'keep', resume: true })).rejects.toThrow('either --resume');
  await afterRestore(service, { keys: 'keep' });
  expect((await callRest(service, 'GET /me', { key })).status).toBe(200);
});
