import { serviceEntities } from '@service/composition';
import { openDatabase } from '@service/database';
import { expect, test } from 'vitest';
import { openChaosPostgres } from '../chaos/chaos-postgres.ts';
import { createTestAccount, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createSender, purchase } from './sender.ts';

// PostgreSQL is made, stopped and started for it.
const timeoutMs = 180_000;

test(
  'while the database is away events are answered 503 with Retry-After, and every acknowledged one is stored',
  async () => {
    await using postgres = await openChaosPostgres();
    const url = await postgres.createDatabase('revenue');
    const database = await openDatabase({ url, entities: serviceEntities, name: 'test' });
    await using _database = { [Symbol.asyncDispose]: () => database.close() };
    const shared = { database, url, [Symbol.asyncDispose]: async () => undefined };
    await using service = await testApi({ shared });
    const account = await createTestAccount(service);
    const shop = await createSender(service, account);
    const acknowledged: string[] = [];
    const send = async () => {
      const event = purchase();
      const answer = await shop.send(JSON.stringify(event));
      if (answer.status < 300) acknowledged.push(event.event_id);
      return answer;
    };
    // Some of these are being stored when the database stops.
    const early = Array.from({ length: 50 }, send);
    await early[0];
    await postgres.stop();
    const answers = [...(await Promise.all(early)), await send(), await shop.post('generic', '{}')];
    expect(answers.map(({ status }) => status)).toContain(503);
    for (const { status, headers } of answers) {
      expect([202, 503]).toContain(status);
      if (status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await postgres.start();
    await eventually('events are stored again', async () => (await send()).status === 202);
    const stored = (await shop.ledger()).map((row) => row.event_id);
    // An event whose commit succeeded without an answer is stored too. Its sender repeats it.
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
  },
  timeoutMs,
);
