// Facts of a ledger in both orders of their arrival, and the payments and pairs that they must become.
import type { RevenueFact } from '@service/revenue';
import { expect } from 'vitest';
import { clearLedger, expectSums, pairsOf, statesOf } from './ledger-reads.ts';
import { createLedgerWorld } from './ledger-world.ts';

export interface Case {
  what: string;
  facts: RevenueFact[];
  states: Record<string, string>;
  pairs: Record<string, string>;
}

/** Records the facts of each case in their order, in the reverse order, and at once. The result must be the same. */
export async function expectCases(cases: readonly Case[]): Promise<void> {
  await using world = await createLedgerWorld();
  for (const { what, facts, states, pairs } of cases) {
    for (const order of [facts, facts.toReversed()]) {
      await clearLedger(world);
      await world.recordEach(order);
      const ended = { states: await statesOf(world), pairs: await pairsOf(world) };
      expect(ended, `${what}, ${order === facts ? 'in order' : 'reversed'}`).toEqual({ states, pairs });
      await expectSums(world);
    }
    await clearLedger(world);
    await world.record(facts.toReversed());
    expect(await statesOf(world), `${what}, at once`).toEqual(states);
  }
}
