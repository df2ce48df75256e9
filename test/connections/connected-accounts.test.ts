// The accounts with a marketing tool as a process remembers them.
import { createConnectedAccounts } from '@service/connections';
import { createLog } from '@service/log';
import { credentialOf } from '@service/marketing-providers/testing';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allInStep } from '../contacts/contacts-world.ts';
import { eventually } from '../support/eventually.ts';
import { insertMarketingConnection } from '../support/marketing-connections.ts';
import { createWorld, type World } from '../support/world.ts';

test('a change of a connection makes a process read the connections of its account, and no others', async () => {
  await using world = await createWorld();
  const other = await world.neighbour();
  const { database } = world.service.db;
  const insert = ({ accountId }: World) =>
    insertMarketingConnection(database, world.service.api.service.connections, {
      accountId,
      provider: 'klaviyo',
      credential: credentialOf('klaviyo'),
      baseUrl: 'http://127.0.0.1',
      sync: allInStep,
    });
  const [connectionId, otherId] = [await insert(world), await insert(other)];
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
        const query = (text: string) => listen(text).finally(listened.resolve);
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
    await database.pool.query(
      `with gone as (delete from connections.connection where id = $1 returning account_id)
       select pg_notify('connections_marketing', account_id::text) from gone`,
      [connectionId],
    );
    await eventually('the change', async () => (await idsOf(world.accountId)).length === 0);
    expect(await idsOf(other.accountId)).toEqual([otherId]);
    expect(statements).toEqual(['connections.select_sync_targets_of_account']);
  } finally {
    await accounts.close();
  }
});
