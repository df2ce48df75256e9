// The accounts with a marketing tool as a process remembers them.
import { createConnectedAccounts } from '@service/connections';
import { createLog } from '@service/log';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
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

    const owner = await openDashboard(world.service, world);
    await owner.mutate('connections.disconnect', { connectionId });
    await eventually('the change', async () => (await idsOf(world.accountId)).length === 0);
    expect(await idsOf(others.world.accountId)).toEqual([others.connectionId]);
    expect(new Set(statements)).toEqual(new Set(['connections.select_sync_targets_of_account']));
    // The change is known from this process, and from its notification.
    expect(statements.length).toBeLessThanOrEqual(2);
  } finally {
    await accounts.close();
  }
});
