import { lockLimit, type AccountWriter } from '@service/database';

/**
 * Locks the ledger of the account until the transaction ends, before anything of it is read. So each transaction sees all that the
 * former ones have written, two never wait for each other in a circle, and other accounts do not wait. A transaction may call it
 * several times.
 */
export const lockLedger = (tx: Pick<AccountWriter, 'query' | 'accountId'>): Promise<void> =>
  lockLimit(tx, 'revenue ledger');
