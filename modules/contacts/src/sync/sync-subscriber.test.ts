import type { AccountWriter } from '@service/database';
import type { Log } from '@service/log';
import { expect, test } from 'vitest';
import { createSyncSubscriber } from './sync-subscriber.ts';

/** A subscriber whose installation has no marketing tool, with the number of its statements. */
function subscriberWithoutTools() {
  let statements = 0;
  const subscriber = createSyncSubscriber({
    database: {
      query: async () => {
        statements += 1;
        return [];
      },
      connect: () => new Promise(() => undefined),
    },
    log: { warn: () => undefined } as unknown as Log,
  });
  return { subscriber, statements: () => statements };
}

test('accounts without a marketing tool cost one statement of the process, however many they are', async () => {
  const { subscriber, statements } = subscriberWithoutTools();
  const interests = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      subscriber.findInterest({ accountId: `account ${number}` } as AccountWriter, 'webinar'),
    ),
  );
  expect(statements()).toBe(1);
  expect(interests[0]).toMatchObject({ minutes: [], percents: [] });
  await interests[0]!.onEvents({} as AccountWriter, []);
  expect(statements()).toBe(1);
});
