import { createEventSubscriber } from '@service/automations';
import type { Database } from '@service/database';
import { createLog } from '@service/log';
import { createJoinLinks, createRoom, type JoinToken } from '@service/attendees';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

/** A second room for the same world, whose transactions `spoil` makes fail. */
function createSpoiltRoom(world: World, spoil: (database: Database) => Database['transaction']) {
  const { database } = world.service.db;
  const joinLinks = createJoinLinks({ key: 'test', baseUrl: 'http://localhost' });
  const subscriber = createEventSubscriber({
    deliveries: {
      enqueue: async () => [],
      requireRoom: async () => undefined,
      deleteEndpoints: async () => undefined,
    },
    database,
    log: createLog('test', { level: 'silent' }),
  });
  const room = createRoom({
    database: {
      query: database.query,
      ofAccount: (accountId) => ({ ...database.ofAccount(accountId), transaction: spoil(database) }),
    },
    joinLinks,
    subscriber,
    announce: () => undefined,
    now: world.clock.now,
  });
  const tokenOf = (registrationId: string): JoinToken => ({
    accountId: world.accountId,
    registrationId,
    tokenVersion: 1,
  });
  return { room, tokenOf, close: () => subscriber.close() };
}

async function clickTogether(world: World, spoil: (database: Database) => Database['transaction']) {
  const offer = await world.interaction({ type: 'offer', url: 'https://example.com', buttonLabel: 'Buy' });
  const people = [await world.attend('ada@example.com'), await world.attend('bob@example.com')];
  world.startSession();
  const { room, tokenOf, close } = createSpoiltRoom(world, spoil);
  const clicks = people.map(({ registrationId }) => room.click(tokenOf(registrationId), offer));
  const outcomes = (await Promise.allSettled(clicks)).map(({ status }) => status);
  await close();
  const { rows } = await world.service.db.database.pool.query(
    `select count(*)::int as count from attendees.attendee_event where type = 'cta_click'`,
  );
  return { outcomes, recorded: rows[0].count as number };
}

test('calls of a batch that may have been committed are not repeated', async () => {
  await using world = await createWorld();
  const spoilt = await clickTogether(world, (database) => async (work) => {
    await database.transaction(work);
    throw new Error('Connection terminated unexpectedly');
  });
  expect(spoilt).toEqual({ outcomes: ['rejected', 'rejected'], recorded: 2 });
});

test('calls of a batch that was rolled back are each tried alone', async () => {
  await using world = await createWorld();
  let tries = 0;
  const spoilt = await clickTogether(world, (database) => async (work) => {
    tries += 1;
    return database.transaction(async (tx) => {
      const result = await work(tx);
      if (tries === 1) await tx.query({ text: 'select 1 / 0' }, []);
      return result;
    });
  });
  expect(spoilt).toEqual({ outcomes: ['fulfilled', 'fulfilled'], recorded: 2 });
  expect(tries).toBe(3);
});
