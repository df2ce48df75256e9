import type { AccountWriter } from '@service/database';
import type { Attribution } from './attribution.ts';
import type { RevenueFact } from './revenue-fact.ts';

export interface Recorded {
  /** The id of the revenue event, or of the one that the fact repeats. */
  id: string;
  isNew: boolean;
}

/**
 * Records facts of one account, at most 500, in the transaction of the caller, and returns an answer for each, in their order.
 * Locks the ledger of the account until the transaction ends, so other processes wait.
 */
export function recordFacts(
  _tx: AccountWriter,
  _facts: readonly RevenueFact[],
  _attribution: Attribution,
): Promise<Recorded[]> {
  throw new Error('Not written yet.');
}
