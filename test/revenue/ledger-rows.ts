// Rows of the ledger that a test writes itself, for lists over many events with every combination of values.
import { createId } from '@service/database';
import type { TestDatabase } from '../support/database.ts';

export interface LedgerRow {
  id: string;
  type: string;
  provider: string;
  email: string | null;
  amountMinor: number;
  currency: string;
  occurredAt: Date;
  /** Only of purchases. Null for others. */
  state: string | null;
  level: string;
  webinarId: string | null;
  interactionId: string | null;
  registrationId: string | null;
}

/** A paid purchase of 10 EUR that nothing is credited with. */
export const ledgerRow = (fields: Partial<LedgerRow> = {}): LedgerRow => ({
  id: createId(),
  type: 'purchase',
  provider: 'generic',
  email: null,
  amountMinor: 1000,
  currency: 'EUR',
  occurredAt: new Date(),
  state: (fields.type ?? 'purchase') === 'purchase' ? 'paid' : null,
  level: 'unattributed',
  webinarId: null,
  interactionId: null,
  registrationId: null,
  ...fields,
});

/** Inserts events with their credits, and a payment for each purchase. Totals are not changed. */
export async function insertLedgerRows(
  { database }: TestDatabase,
  accountId: string,
  rows: readonly LedgerRow[],
): Promise<void> {
  await database.pool.query(insertRows, [accountId, JSON.stringify(rows)]);
}

const insertRows = `
  with r as (
    select * from jsonb_to_recordset($2::jsonb) as r (id uuid, type text, provider text, email text, "amountMinor" bigint,
      currency text, "occurredAt" timestamptz, state text, level text, "webinarId" uuid, "interactionId" uuid,
      "registrationId" uuid)
  ), events as (
    insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
      occurred_at, received_at, payment_keys)
    select $1, id, provider, id, id, type, email, "amountMinor", currency, "occurredAt", "occurredAt", '{}' from r
  ), payments as (
    insert into revenue.payment (account_id, id, provider, email, currency, amount_minor, refunded_minor, charged_back_minor,
      state, over_refunded, occurred_at, first_key)
    select $1, id, provider, email, currency, "amountMinor", 0, 0, state, false, "occurredAt", id from r where type = 'purchase'
  )
  insert into revenue.credit (account_id, id, payment_id, pairing, buyer_email, webinar_id, interaction_id, registration_id, level,
    reason, occurred_at)
  select $1, id, case when type = 'purchase' then id end, case when type = 'purchase' then 'own' else 'unpaired' end,
    email, "webinarId", "interactionId", "registrationId", level, case when level = 'unattributed' then 'no_match' end, "occurredAt"
  from r`;
