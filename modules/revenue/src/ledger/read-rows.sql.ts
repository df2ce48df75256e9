// Events of the ledger with their credits. Every list is bounded, so that one call never reads a ledger as a whole. For
// the missing names of the statements and for `|| ''` see `find-known.ts`.
import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import type { CreditLevel, MatchKind, UnattributedReason } from '../credit.ts';
import type { Pairing } from './entities/event-credit.ts';
import type { LedgerRow } from './ledger-row.ts';
import type { RevenueEventType } from './revenue-fact.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

/** Adjustments that are paired again because of one name, or of one e-mail address and currency. */
export const adjustmentsMax = 1000;

const columns = `
  e.id, e.provider, e.event_id, e.object_id, e.type, e.email, e.amount_minor, e.currency, e.occurred_at, e.received_at, e.payment_keys,
  e.reverses_object_id, e.click_id, e.registration_id as sent_registration_id, c.payment_id, c.pairing, c.level, c.matched_by,
  c.reason, c.registration_id, c.session_id, c.webinar_id, c.interaction_id, c.utm_source, c.touch_at, c.window_days, c.credited_at`;

const row = {
  id: column.id,
  provider: column.text,
  event_id: column.text,
  object_id: column.text,
  type: column.textOf<RevenueEventType>(),
  email: nullable(column.text),
  amount_minor: column.digits,
  currency: column.text,
  occurred_at: column.time,
  received_at: column.time,
  payment_keys: column.texts,
  reverses_object_id: nullable(column.text),
  click_id: nullable(column.text),
  sent_registration_id: nullable(column.text),
  payment_id: nullable(column.id),
  pairing: column.textOf<Pairing>(),
  level: column.textOf<CreditLevel>(),
  matched_by: nullable(column.textOf<MatchKind>()),
  reason: nullable(column.textOf<UnattributedReason>()),
  registration_id: nullable(column.id),
  session_id: nullable(column.id),
  webinar_id: nullable(column.id),
  interaction_id: nullable(column.id),
  utm_source: nullable(column.text),
  touch_at: nullable(column.time),
  window_days: nullable(column.integer),
  credited_at: nullable(column.time),
};

// With a limit, Postgres reads one row by its key, also while it knows nothing about the size of the tables.
const ofCredit =
  'cross join lateral (select * from revenue.credit where account_id = $1 and id = e.id limit 1) c';
const ofEvent = (id: string): string =>
  `cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = ${id} limit 1) e`;

const selectByPayments = statement({
  text: `
    select ${columns} from revenue.credit c ${ofEvent('c.id')}
    where c.account_id = $1 and c.payment_id = any($2::uuid[])`,
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

const readRow = ({ sent_registration_id, ...read }: RowsOf<typeof selectByPayments>): LedgerRow => ({
  id: read.id,
  provider: read.provider,
  eventId: read.event_id,
  objectId: read.object_id,
  type: read.type,
  email: read.email,
  amountMinor: Number(read.amount_minor),
  currency: read.currency,
  occurredAt: read.occurred_at,
  receivedAt: read.received_at,
  paymentKeys: read.payment_keys,
  reversesObjectId: read.reverses_object_id,
  clickId: read.click_id,
  registrationId: sent_registration_id,
  stored: {
    paymentId: read.payment_id,
    pairing: read.pairing,
    level: read.level,
    matchedBy: read.matched_by,
    reason: read.reason,
    registrationId: read.registration_id,
    sessionId: read.session_id,
    webinarId: read.webinar_id,
    interactionId: read.interaction_id,
    utmSource: read.utm_source,
    touchAt: read.touch_at,
    windowDays: read.window_days,
    creditedAt: read.credited_at,
  },
});

type Rows = Promise<LedgerRow[]>;

/** Columns of `tuples`, for unnest. */
export const unzip = (tuples: readonly (readonly string[])[], width: number): string[][] =>
  Array.from({ length: width }, (_, index) => tuples.map((tuple) => tuple[index]!));

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

/** Adjustments with one of the names: `[provider, name]`. */
export const readAdjustmentsByKeys = readBy(selectByKeys, 2);

/** Events with these objects: `[provider, type, objectId]`. */
export const readRowsByObjects = readBy(selectByObjects, 3);

/** Reversals of these objects: `[provider, type of the reversal, objectId]`. */
export const readReversals = readBy(selectReversals, 3);

/** Refunds and chargebacks that no name has paired: `[provider, email, currency]`. */
export const readInferred = readBy(selectInferred, 3);
