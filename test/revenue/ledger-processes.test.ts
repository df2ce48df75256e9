// Webhooks to two API processes at once. SEED=n tries others, FUZZ_SCALE=n more.
import fc from 'fast-check';
import type { RevenueFact } from '@service/revenue';
import { expect, test } from 'vitest';
import { requestsFor, seed } from '../fuzz/judge.ts';
import { startApiProcess } from '../support/api-process.ts';
import { openShop } from '../support/shop.ts';
import { createWorld } from '../support/world.ts';
import { arbitraryFacts, arbitraryOrder, arrange } from './ledger-facts.ts';
import { clearLedger, expectSums, readLedger } from './ledger-reads.ts';
import { sendWebhook, webhookOf } from './ledger-webhooks.ts';
import { registeredAt } from './ledger-world.ts';

const cases = requestsFor(5);

/** The registrations are this old, so that no purchase is in the future. */
const ageDays = 45;

test(
  `${cases} shops whose webhooks reach two API processes at once, in any order and repeated, have the same payments and credits`,
  { timeout: 120_000 + cases * 10_000 },
  async () => {
    await using world = await createWorld();
    const { accountId, service } = world;
    const { pool } = service.db.database;
    const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
    const ledger = { accountId, query };
    await world.register('ada@example.com');
    const bob = await world.register('bob@example.com');
    const [{ at: agedTo }] = await query(
      `update attendees.registration set registered_at = date_trunc('second', now() - make_interval(days => $2))
       where account_id = $1 returning registered_at as at`,
      [accountId, ageDays],
    );
    const shiftMs = agedTo.getTime() - Date.parse(registeredAt);
    const { secrets } = await openShop(service, world);
    const starting = [startApiProcess(service.db.url), startApiProcess(service.db.url)];
    await using first = await starting[0]!;
    await using second = await starting[1]!;
    const processes = [first, second];
    const sendTo = (index: number, webhook: NonNullable<ReturnType<typeof webhookOf>>) =>
      sendWebhook(processes[index % 2]!, { accountId, secrets }, webhook);
    const toWebhooks = (facts: readonly RevenueFact[]) =>
      facts.flatMap((fact) => webhookOf(fact, shiftMs) ?? []);

    await fc.assert(
      fc.asyncProperty(arbitraryFacts(bob), arbitraryOrder, async (facts, numbers) => {
        await clearLedger(ledger);
        for (const webhook of toWebhooks(facts)) expect([200, 202]).toContain(await sendTo(0, webhook));
        await expectSums(ledger);
        const expected = await readLedger(ledger);
        expect(expected.payments).not.toEqual([]);

        await clearLedger(ledger);
        const statuses = await Promise.all(
          toWebhooks(arrange(facts, numbers).flat()).map((webhook, index) => sendTo(index, webhook)),
        );
        expect(statuses.filter((status) => status !== 200 && status !== 202)).toEqual([]);
        await expectSums(ledger);
        expect(await readLedger(ledger)).toEqual(expected);
      }),
      { numRuns: cases, seed },
    );
  },
);
