// Events of the ledger with their credits. Every list is bounded, so that one call never reads a ledger as a whole. For
// the missing names of the statements and for `|| ''` see `identify-facts.ts`.
import type { RevenueEventType } from '@service/catalogue';
import { column, nullable, selectList, statement } from '@service/database';
import type { AccountQueries, RowWith, Statement } from '@service/database';
import { textKey, type LedgerRow } from './ledger-row.ts';
import type { Pairing } from './revenue-event.ts';
import { creditColumns, creditRow, joinCredit, takeCredit } from './stored-credit.sql.ts';

/** Adjustments that are paired again because of one name, or of one e-mail address and currency. */
export const adjustmentsMax = 1000;

const event = {
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
};

const stored = {
  paymentId: nullable(column.id),
  pairing: column.textOf<Pairing>(),
  creditedAt: nullable(column.time),
  buyerEmail: nullable(column.text),
  countedAt: column.time,
  countedMinor: nullable(column.digits),
};

const row = { ...event, ...stored, ...creditRow };

const columns = `
  ${selectList(event, { of: 'e', others: { sentRegistrationId: 'e.registration_id' } })},
  ${selectList(stored, { of: 'c', others: { countedAt: 'c.occurred_at' } })}, ${creditColumns}`;

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

const toRow = ({
  sentRegistrationId: registrationId,
  paymentId,
  pairing,
  creditedAt,
  buyerEmail,
  countedAt,
  countedMinor: counted,
  ...read
}: RowWith<typeof row>): LedgerRow => {
  const { credit, others } = takeCredit(read);
  const countedMinor = counted === null ? null : Number(counted);
  return {
    ...others,
    amountMinor: Number(read.amountMinor),
    registrationId,
    stored: { ...credit, paymentId, pairing, creditedAt, buyerEmail, countedAt, countedMinor },
  };
};

type Keys = readonly (string | readonly string[])[];

/**
 * Makes the function that reads records by ids, or by tuples of texts. Nothing is read for no keys, and equal tuples once: hundreds
 * of adjustments may have the same name or buyer.
 */
export const readerBy =
  <Row extends object, Item>(wanted: Statement<Row>, toItem: (row: Row) => Item) =>
  async ({ query, accountId }: AccountQueries, keys: Keys): Promise<Item[]> =>
    keys.length === 0 ? [] : (await query(wanted, [accountId, ...toColumns(keys)])).map(toItem);

/** The keys as parameters of `unnest`. */
function toColumns(keys: Keys): unknown[] {
  if (typeof keys[0] === 'string') return [keys];
  const tuples = keys as readonly (readonly string[])[];
  const distinct = [...new Map(tuples.map((tuple) => [textKey(...tuple), tuple])).values()];
  return distinct[0]!.map((_, index) => distinct.map((tuple) => tuple[index]!));
}

/** All events of these payments. */
export const readRowsOfPayments = readerBy(selectByPayments, toRow);

/** All events of the groups of payments with these first payments. */
export const readRowsOfGroups = readerBy(selectByLeads, toRow);

/** Adjustments with one of the names: `[provider, name]`. */
export const readAdjustmentsByKeys = readerBy(selectByKeys, toRow);

/** Events with these objects: `[provider, type, objectId]`. */
export const readRowsByObjects = readerBy(selectByObjects, toRow);

/** Reversals of these objects: `[provider, type of the reversal, objectId]`. */
export const readReversals = readerBy(selectReversals, toRow);

/** Refunds and chargebacks that no name has paired: `[provider, email, currency]`. */
export const readInferred = readerBy(selectInferred, toRow);
