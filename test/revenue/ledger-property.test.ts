// Order, repetition and concurrency of what providers send do not change the ledger.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryFacts, arbitraryOrder, arrange, namesNothingKnown } from './ledger-facts.ts';
import { clearLedger, expectSums, pairsOf, readLedger } from './ledger-reads.ts';
import { createLedgerWorld } from './ledger-world.ts';

/** About 25 s for both on a quiet machine. */
const timeoutMs = 180_000;

test(
  'every order, repetition and batching of facts ends in the same payments, states and credits',
  async () => {
    await using world = await createLedgerWorld();
    const [, bob] = await world.registerAll('ada', 'bob');
    await fc.assert(
      fc.asyncProperty(arbitraryFacts(bob!), arbitraryOrder, async (facts, numbers) => {
        await clearLedger(world);
        await world.recordEach(facts);
        await expectSums(world);
        const expected = await readLedger(world);
        const pairs = await pairsOf(world);
        for (const { objectId } of facts.filter(namesNothingKnown)) expect(pairs[objectId]).toBe('unpaired');

        await clearLedger(world);
        for (const batch of arrange(facts, numbers)) {
          await world.record(batch);
          await expectSums(world);
        }
        expect(await readLedger(world)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  },
  timeoutMs,
);

test(
  'facts over two connections at once end in the same payments, states and credits',
  async () => {
    await using world = await createLedgerWorld();
    const [, bob] = await world.registerAll('ada', 'bob');
    await fc.assert(
      fc.asyncProperty(arbitraryFacts(bob!), arbitraryOrder, async (facts, numbers) => {
        await clearLedger(world);
        await world.recordEach(facts);
        const expected = await readLedger(world);

        await clearLedger(world);
        const databases = [world.database, world.second];
        await Promise.all(
          arrange(facts, numbers).map((batch, index) =>
            world.record(batch, { database: databases[index % 2]! }),
          ),
        );
        await expectSums(world);
        expect(await readLedger(world)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  },
  timeoutMs,
);
