// Events of the ledger with their credits. Every list is bounded, so that one call never reads a ledger as a whole. For
// the missing names of the statements and for `|| ''` see `find-known.ts`.
import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import type { Pairing } from './entities/event-credit.ts';
import { textKey, type LedgerRow } from './ledger-row.ts';
import type { RevenueEventType } from './revenue-fact.ts';
import { creditColumns, creditRow, joinCredit } from './stored-credit.sql.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

/** Adjustments that are paired again because of one name, or of one e-mail address and currency. */
export const adjustmentsMax = 1000;

const columns = `
  e.id, e.provider, e.event_id as "eventId", e.object_id as "objectId", e.type, e.email, e.amount_minor as "amountMinor",
  e.currency, e.is_difference as "isDifference", e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.payment_keys as "paymentKeys",
  e.reverses_object_id as "reversesObjectId", e.click_id as "clickId", e.registration_id as "sentRegistrationId",
  c.payment_id as "paymentId", c.pairing, c.credited_at as "creditedAt",
  c.buyer_email as "buyerEmail", c.occurred_at as "countedAt", c.counted_minor as "countedMinor", ${creditColumns}`;

const row = {
  id: column.id,
  provider: column.text,
  eventId: column.text,
  objectId: column.text,
  type: column.textOf<RevenueEventType>(),
  email: nullable(column.text),
  amountMinor: column.digits,
  currency: column.text,
  isDifference: column.boolean,
  occurredAt: column.time,
  receivedAt: column.time,
  paymentKeys: column.texts,
  reversesObjectId: nullable(column.text),
  clickId: nullable(column.text),
  sentRegistrationId: nullable(column.text),
  paymentId: nullable(column.id),
  pairing: column.textOf<Pairing>(),
  creditedAt: nullable(column.time),
  buyerEmail: nullable(column.text),
  countedAt: column.time,
  countedMinor: nullable(column.digits),
  ...creditRow,
};

const ofCredit = joinCredit('e.id');
const ofEvent = (id: string): string =>
  `cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = ${id} limit 1) e`;

const selectByPayments = statement({
  text: `
    select ${columns} from revenue.credit c ${ofEvent('c.id')}
    where c.account_id = $1 and c.payment_id = any($2::uuid[])`,
  row,
});

/** The most payments that one invoice joins. */
const partsMax = 1000;

/** The payments of groups, by the first payment of each, which is in a column `lead_id` of `wanted`. */
export const paymentsOfLeads = `
  cross join lateral (
    select wanted.lead_id as id
    union all
    select id from revenue.payment where account_id = $1 and lead_id = wanted.lead_id limit ${partsMax}
  ) own`;

const selectByLeads = statement({
  text: `
    select ${columns} from unnest($2::uuid[]) as wanted (lead_id) ${paymentsOfLeads}
    cross join lateral (
      select * from revenue.credit where account_id = $1 and payment_id = own.id offset 0
    ) c
    ${ofEvent('c.id')}`,
  row,
});

// $2 providers, $3 names.
const selectByKeys = statement({
  text: `
    select ${columns} from unnest($2::text[], $3::text[]) as wanted (provider, key)
    cross join lateral (
      select revenue_event_id as id from revenue.event_key k
      where k.account_id = $1 and k.provider = wanted.provider and k.key = wanted.key and k.kind = 'adjustment'
      order by revenue_event_id desc limit ${adjustmentsMax}
    ) named
    ${ofEvent('named.id')} ${ofCredit}`,
  row,
});

// $2 providers, $3 types, $4 object ids.
const selectByObjects = statement({
  text: `
    select ${columns} from unnest($2::text[], $3::text[], $4::text[]) as wanted (provider, type, object_id)
    cross join lateral (
      select * from revenue.revenue_event
      where account_id = $1 and object_id = wanted.object_id and provider || '' = wanted.provider and type || '' = wanted.type
      limit 1
    ) e ${ofCredit}`,
  row,
});

// $2 providers, $3 types of the reversals, $4 object ids of what they take back.
const selectReversals = statement({
  text: `
    select ${columns} from unnest($2::text[], $3::text[], $4::text[]) as wanted (provider, type, object_id)
    cross join lateral (
      select * from revenue.revenue_event
      where account_id = $1 and reverses_object_id = wanted.object_id and provider || '' = wanted.provider
        and type || '' = wanted.type
      order by id desc limit ${adjustmentsMax}
    ) e ${ofCredit}`,
  row,
});

// $2 providers, $3 e-mail addresses, $4 currencies. Only adjustments that no name has paired.
const selectInferred = statement({
  text: `
    select ${columns} from unnest($2::text[], $3::text[], $4::text[]) as wanted (provider, email, currency)
    cross join lateral (
      select * from revenue.revenue_event
      where account_id = $1 and email = wanted.email and provider || '' = wanted.provider
        and currency || '' = wanted.currency and type in ('refund', 'chargeback')
      order by id desc limit ${adjustmentsMax}
    ) e ${ofCredit} where c.pairing in ('inferred', 'unpaired')`,
  row,
});

const readRow = ({
  id,
  provider,
  eventId,
  objectId,
  type,
  email,
  amountMinor,
  currency,
  isDifference,
  occurredAt,
  receivedAt,
  paymentKeys,
  reversesObjectId,
  clickId,
  sentRegistrationId,
  countedMinor,
  ...stored
}: RowsOf<typeof selectByPayments>): LedgerRow => ({
  id,
  provider,
  eventId,
  objectId,
  type,
  email,
  amountMinor: Number(amountMinor),
  currency,
  isDifference,
  occurredAt,
  receivedAt,
  paymentKeys,
  reversesObjectId,
  clickId,
  registrationId: sentRegistrationId,
  stored: { ...stored, countedMinor: countedMinor === null ? null : Number(countedMinor) },
});

type Rows = Promise<LedgerRow[]>;

/** Columns of the distinct `tuples`, for unnest. Hundreds of adjustments may have the same name or buyer, which is read once. */
export function unzip(tuples: readonly (readonly string[])[], width: number): string[][] {
  const distinct = [...new Map(tuples.map((tuple) => [textKey(...tuple), tuple])).values()];
  return Array.from({ length: width }, (_, index) => distinct.map((tuple) => tuple[index]!));
}

/** Runs a statement with the tuples, or none for an empty list. */
const readBy =
  (wanted: typeof selectByKeys, width: number) =>
  async ({ query, accountId }: Reader, tuples: readonly (readonly string[])[]): Rows => {
    if (tuples.length === 0) return [];
    return (await query(wanted, [accountId, ...unzip(tuples, width)])).map(readRow);
  };

/** All events of these payments. */
export async function readRowsOfPayments({ query, accountId }: Reader, ids: readonly string[]): Rows {
  if (ids.length === 0) return [];
  return (await query(selectByPayments, [accountId, ids])).map(readRow);
}

/** All events of the groups of payments with these first payments. */
export async function readRowsOfGroups({ query, accountId }: Reader, leadIds: readonly string[]): Rows {
  if (leadIds.length === 0) return [];
  return (await query(selectByLeads, [accountId, leadIds])).map(readRow);
}

/** Adjustments with one of the names: `[provider, name]`. */
export const readAdjustmentsByKeys = readBy(selectByKeys, 2);

/** Events with these objects: `[provider, type, objectId]`. */
export const readRowsByObjects = readBy(selectByObjects, 3);

/** Reversals of these objects: `[provider, type of the reversal, objectId]`. */
export const readReversals = readBy(selectReversals, 3);

/** Refunds and chargebacks that no name has paired: `[provider, email, currency]`. */
export const readInferred = readBy(selectInferred, 3);
