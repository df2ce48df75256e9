import { takeConnectionNotices } from '@service/connections';
import { expect, test } from 'vitest';
import { createContactsWorld } from './contacts-world.ts';

test('people hear of a dead key at once, after a day and after a week, and the first success closes the notice', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, connectionId, clock } = contacts;
  const { database } = world.service.db;
  const noticesAfter = async (hours: number): Promise<number> => {
    const now = new Date(clock.now().getTime() + hours * 3_600_000);
    const notices = await database.transaction((tx) => takeConnectionNotices(tx, { limit: 10, now }));
    return notices.filter((notice) => notice.connectionId === connectionId).length;
  };
  const { key } = fake;
  const breakDown = async (): Promise<void> => {
    fake.key = undefined;
    await world.register(`${crypto.randomUUID()}@example.com`);
    clock.advance(30);
    await contacts.send();
  };
  const hours = [0, 1, 23, 25, 26, 7 * 24 - 1, 7 * 24 + 1, 30 * 24];
  await breakDown();
  const counts: number[] = [];
  for (const each of hours) counts.push(await noticesAfter(each));
  expect(counts).toEqual([1, 0, 0, 1, 0, 0, 1, 0]);

  const reconnect = async (): Promise<void> => {
    fake.key = key;
    await world.service.api.service.connections.marketing.verifyNow(world.accountId, connectionId);
  };
  await reconnect();
  await contacts.sql('update connections.connection set notified_at = null');
  await breakDown();
  await reconnect();
  expect(await noticesAfter(0)).toBe(0);
});
