import type { AccountWriter } from '@service/database';
import type { Credit, CreditedEvent } from '../credit.ts';

export interface NewCredit {
  paymentId: string;
  credit: Credit;
}

/**
 * Replaces the credits of payments and of everything paired with them, and moves their totals. Returns the events that got a
 * registration for the first time, which are not published here. Locks the ledger of the account until the transaction ends.
 */
export function replaceCredits(
  _tx: AccountWriter,
  _credits: readonly NewCredit[],
): Promise<CreditedEvent[]> {
  throw new Error('Not written yet.');
}
