// The accounts with a marketing tool as a process remembers them.
import { createConnectedAccounts } from '@service/connections';
import { createLog } from '@service/log';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createContactsWorld } from './contacts-world.ts';

test('a change of a connection makes a process read the connections of its account, and no others', async () => {
  await using contacts = await createContactsWorld();
  await using others = await createContactsWorld({ world: await contacts.world.neighbour() });
  const { world, connectionId } = contacts;
  const { database } = world.service.db;
  const statements: string[] = [];
  const listened = Promise.withResolvers<void>();
  const accounts = createConnectedAccounts({
    database: {
      query(...call) {
        statements.push(String(call[0].name));
        return database.query(...call);
      },
      async connect() {
        const connection = await database.connect();
        const listen = connection.query.bind(connection) as (text: string) => Promise<unknown>;
        const query = async (text: string) => {
          const answer = await listen(text);
          listened.resolve();
          return answer;
        };
        return Object.assign(connection, { query });
      },
    },
    log: createLog('test', { level: 'silent' }),
  });
  const idsOf = async (accountId: string): Promise<string[]> =>
    (await accounts.targetsOf(accountId)).map((target) => target.connectionId);
  try {
    await idsOf(world.accountId);
    await listened.promise;
    await setImmediate();
    expect(await idsOf(world.accountId)).toEqual([connectionId]);
    statements.length = 0;

    // As another process does it: this one knows the change from the notification only.
    await contacts.sql(
      `with gone as (delete from connections.connection where id = $1 returning account_id)
       select pg_notify('connections_marketing', account_id::text) from gone`,
      [connectionId],
    );
    await eventually('the change', async () => (await idsOf(world.accountId)).length === 0);
    expect(await idsOf(others.world.accountId)).toEqual([others.connectionId]);
    expect(new Set(statements)).toEqual(new Set(['connections.select_sync_targets_of_account']));
    expect(statements).toHaveLength(1);
  } finally {
    await accounts.close();
  }
});

test('a person who registers before the notification of a new tool has arrived is sent to it', async () => {
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  const enable = (enabled: boolean) =>
    sql(`update connections.connection set settings = jsonb_set(settings, '{sync,enabled}', $1)`, [
      String(enabled),
    ]);
  await enable(false);
  const id = await world.register('ada@example.com');
  await world.call(`POST /registrations/${id}/cancel`);
  await eventually('the listening', async () => {
    const listening = await sql(
      `select from pg_stat_activity where datname = current_database() and query ilike 'listen%connections_marketing%'`,
    );
    return listening.length > 0;
  });
  const other = await world.register('carl@example.com');
  await world.call(`POST /registrations/${other}/cancel`);
  await enable(true);
  await world.register('bob@example.com');
  expect((await contacts.changes()).map(({ contact }) => contact)).toEqual(['bob@example.com']);
});
