import type { AccountWriter, Transaction } from './account-work.ts';

/** A transaction as one account's work sees it; several accounts may share one. There is no unit of work until somebody asks. */
export const accountWriter = (
  tx: Transaction,
  { accountId, now }: Pick<AccountWriter, 'accountId' | 'now'>,
): AccountWriter => ({
  get em() {
    return tx.em;
  },
  query: tx.query,
  defer: (...write) => tx.defer(...write),
  afterCommit: (callback) => tx.afterCommit(callback),
  charge: (cpuMs) => tx.charge(cpuMs),
  accountId,
  now,
});
