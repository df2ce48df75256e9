import type { AccountWriter } from '@service/database';
import type { Credit, CreditedEvent, PurchaseFacts, SettledPayment } from '../credit.ts';

/** Attribution as the ledger calls it, inside the transaction of its rows. */
export interface Attribution {
  /** A credit for each purchase, in their order. */
  creditPurchases(tx: AccountWriter, purchases: readonly PurchaseFacts[]): Promise<Credit[]>;
  /** Called when payments whose events may be postponed were described again. */
  settlePostponed(tx: AccountWriter, payments: readonly SettledPayment[]): Promise<void>;
  /** Called once for each event: when it gets a registration for the first time. */
  publishCredited(tx: AccountWriter, events: readonly CreditedEvent[]): Promise<void>;
}
