// An API process dies between the receipt of events and their answers, and the sender repeats them.
import { expect } from 'vitest';
import { startApiProcess } from '../support/api-process.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { signatureOf, postToDoor } from '../support/shop.ts';
import { purchase, test } from './sender.ts';

// Two API processes are started.
const timeoutMs = 180_000;

test(
  'events that were received by a killed process and repeated are in the ledger once',
  { timeout: timeoutMs },
  async ({ shop }) => {
    const { service } = shop;
    const { pool } = service.db.database;
    const events = Array.from({ length: 30 }, () => purchase());
    const sendTo = (to: { baseUrl: string }): Promise<number>[] =>
      events.map(async (event) => {
        const body = JSON.stringify(event);
        const headers = signatureOf(shop.secrets, { provider: 'generic', body });
        return (await postToDoor(to, shop.paths.generic, { body, headers })).status;
      });

    // Dies before it can store anything.
    await using first = await startApiProcess(service.db.url);
    const lock = await lockRows(pool, 'lock table revenue.revenue_event in exclusive mode', []);
    const sent = Promise.allSettled(sendTo(first));
    await eventually('the process waits for the table', async () => (await countWaiting(pool)) > 0);
    await first.kill();
    expect((await sent).every(({ status }) => status === 'rejected')).toBe(true);
    await lock.release();

    // Dies while it answers.
    await using second = await startApiProcess(service.db.url);
    const answering = sendTo(second);
    const all = Promise.allSettled(answering);
    expect(await Promise.any(answering)).toBeLessThan(300);
    await second.kill();
    await all;

    for (const status of await Promise.all(sendTo(service))) expect([200, 202]).toContain(status);
    const rows = await shop.ledger();
    expect(rows.map((row) => row.event_id).toSorted()).toEqual(
      events.map((event) => event.event_id).toSorted(),
    );
  },
);
