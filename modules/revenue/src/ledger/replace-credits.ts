import type { AccountWriter } from '@service/database';
import type { Credit, CreditedEvent } from '../credit.ts';
import { giveCredit } from './ledger-row.ts';
import type { LedgerGroup } from './load-group.ts';
import { lockLedger } from './lock-ledger.ts';
import { readPayments } from './read-payments.sql.ts';
import { readRowsOfPayments } from './read-rows.sql.ts';
import { inheritCredits, loadRenewals } from './renewals.ts';
import { writeGroup } from './write-group.ts';

export interface NewCredit {
  paymentId: string;
  credit: Credit;
}

/**
 * Replaces the credits of payments, of their renewals and of everything paired with them, and moves their totals. Leaves out payments
 * that do not exist any more, and renewals, which have the credit of their first payment. Returns the events that got a registration for the first time; they are not published here. Locks the ledger of
 * the account until the transaction ends: derive the credits after `lockLedger`, so that they belong to the payments as they are.
 */
export async function replaceCredits(
  tx: AccountWriter,
  credits: readonly NewCredit[],
): Promise<CreditedEvent[]> {
  await lockLedger(tx);
  const ids = credits.map(({ paymentId }) => paymentId);
  const [payments, rows] = await Promise.all([readPayments(tx, ids), readRowsOfPayments(tx, ids)]);
  const group: LedgerGroup = {
    rows: new Map(rows.map((row) => [row.id, row])),
    payments: new Map(payments.map((payment) => [payment.id, payment])),
    merged: new Map(),
    names: [],
  };
  for (const { paymentId, credit } of credits) {
    const payment = group.payments.get(paymentId);
    if (payment?.credit.renewalOf === null) giveCredit(payment, credit);
  }
  inheritCredits(await loadRenewals(tx, group, [...group.payments.keys()]));
  const pairs = new Map([...group.rows.values()].map(({ id, stored }) => [id, stored!]));
  return writeGroup(tx, group, { pairs, changed: [] });
}
