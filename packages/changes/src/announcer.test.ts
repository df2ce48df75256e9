import type { Log } from '@service/log';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createChangeAnnouncer } from './announcer.ts';
import { changesIn, type AccountChanges } from './changed.ts';

/** An announcer whose notifications are collected. The first `failing` of them fail. */
function announcerOf({ gapMs = 1, failing = 0 } = {}) {
  const sent: AccountChanges[] = [];
  let left = failing;
  const query = async (_statement: unknown, [payloads]: readonly unknown[]): Promise<never[]> => {
    if (left-- > 0) throw new Error('The database is away');
    for (const payload of payloads as string[]) sent.push(changesIn(payload));
    return [];
  };
  const log = { warn: () => undefined } as unknown as Log;
  return { sent, announcer: createChangeAnnouncer({ database: { query }, log, gapMs }) };
}

test('a thousand changes within the gap are one notification, and the last of them is sent at the close', async () => {
  const { sent, announcer } = announcerOf({ gapMs: 60_000 });
  announcer.announce('one', 'keys');
  while (sent.length === 0) await delay(1);
  for (let count = 0; count < 1000; count += 1) announcer.announce('one', 'deliveries');
  announcer.announce('two', 'members');
  await announcer.close();
  expect(sent).toEqual([
    new Map([['one', { keys: [] }]]),
    new Map([
      ['one', { deliveries: [] }],
      ['two', { members: [] }],
    ]),
  ]);
});

test('changes of a failed notification are sent with the later ones', async () => {
  const { sent, announcer } = announcerOf({ failing: 1 });
  announcer.announce('one', 'keys');
  await delay(50);
  announcer.announce('one', 'activity');
  await announcer.close();
  expect(sent).toEqual([new Map([['one', { keys: [], activity: [] }]])]);
});

test('the changes of too many accounts become everything', async () => {
  const { sent, announcer } = announcerOf({ gapMs: 60_000 });
  for (let account = 0; account <= 5000; account += 1) announcer.announce(`account ${account}`, 'keys');
  await announcer.close();
  expect(sent).toEqual(['everything']);
});
