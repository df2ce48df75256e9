import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import type { EventKeyKind } from './entities/event-key.ts';
import type { PurchaseDescription } from './join-descriptions.ts';
import { textKey, type LedgerPayment } from './ledger-row.ts';
import type { PurchaseKind } from './revenue-fact.ts';
import { paymentsOfLeads, unzip } from './read-rows.sql.ts';
import { creditColumns, creditRow, joinCredit } from './stored-credit.sql.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

/** Payments of one e-mail address and currency, or with one shared name, that an adjustment is compared with, the newest first. */
export const paymentsMax = 1000;

const columns = `
  p.id, p.provider, p.email, p.currency, p.amount_minor as "amountMinor", p.refunded_minor as "refundedMinor",
  p.charged_back_minor as "chargedBackMinor", p.occurred_at as "occurredAt", p.first_key as "firstKey", p.click_id as "clickId",
  p.registration_id as "sentRegistrationId", coalesce(p.lead_id, p.id) as "leadId",
  p.joinable_until as "joinableUntil", ${creditColumns}`;

const row = {
  id: column.id,
  provider: column.text,
  email: nullable(column.text),
  currency: column.text,
  amountMinor: column.digits,
  refundedMinor: column.digits,
  chargedBackMinor: column.digits,
  occurredAt: column.time,
  firstKey: column.text,
  clickId: nullable(column.text),
  sentRegistrationId: nullable(column.text),
  leadId: column.id,
  joinableUntil: nullable(column.time),
  ...creditRow,
};

// Without a name, like most statements here: see `find-known.ts`.
const selectByIds = statement({
  text: `
    select ${columns} from revenue.payment p ${joinCredit('p.id')}
    where p.account_id = $1 and p.id = any($2::uuid[])`,
  row,
});

const selectByLeads = statement({
  text: `
    select ${columns} from unnest($2::uuid[]) as wanted (lead_id) ${paymentsOfLeads}
    cross join lateral (select * from revenue.payment where account_id = $1 and id = own.id limit 1) p ${joinCredit('p.id')}`,
  row,
});

// $2 providers, $3 e-mail addresses, $4 currencies.
const selectByEmails = statement({
  text: `
    select ${columns} from unnest($2::text[], $3::text[], $4::text[]) as wanted (provider, email, currency)
    cross join lateral (
      select * from revenue.payment
      where account_id = $1 and provider = wanted.provider and email = wanted.email and currency = wanted.currency
      order by occurred_at desc limit ${paymentsMax}
    ) p ${joinCredit('p.id')}`,
  row,
});

const readPayment = ({
  id,
  provider,
  email,
  currency,
  amountMinor,
  refundedMinor,
  chargedBackMinor,
  occurredAt,
  firstKey,
  clickId,
  sentRegistrationId,
  leadId,
  joinableUntil,
  ...credit
}: RowsOf<typeof selectByIds>): LedgerPayment => ({
  id,
  provider,
  email,
  currency,
  amountMinor: Number(amountMinor),
  refundedMinor: Number(refundedMinor),
  chargedBackMinor: Number(chargedBackMinor),
  occurredAt,
  firstKey,
  clickId,
  registrationId: sentRegistrationId,
  leadId,
  joinableUntil,
  credit,
});

export async function readPayments(
  { query, accountId }: Reader,
  ids: readonly string[],
): Promise<LedgerPayment[]> {
  if (ids.length === 0) return [];
  return (await query(selectByIds, [accountId, ids])).map(readPayment);
}

/** The payments of the groups with these first payments. */
export async function readGroups(
  { query, accountId }: Reader,
  leadIds: readonly string[],
): Promise<LedgerPayment[]> {
  if (leadIds.length === 0) return [];
  return (await query(selectByLeads, [accountId, leadIds])).map(readPayment);
}

/** The newest payments of each `[provider, email, currency]`. */
export async function readPaymentsByEmails(
  { query, accountId }: Reader,
  groups: readonly (readonly string[])[],
): Promise<LedgerPayment[]> {
  if (groups.length === 0) return [];
  return (await query(selectByEmails, [accountId, ...unzip(groups, 3)])).map(readPayment);
}

// $2 providers, $3 names. One payment at most has a name of the kind `payment`.
const selectOwners = statement({
  text: `
    select wanted.provider, wanted.key, k.revenue_event_id, k.kind
    from unnest($2::text[], $3::text[]) as wanted (provider, key)
    cross join lateral (
      select revenue_event_id, kind from revenue.event_key
      where account_id = $1 and provider = wanted.provider and key = wanted.key and kind <> 'adjustment'
      order by revenue_event_id desc limit ${paymentsMax}
    ) k`,
  row: {
    provider: column.text,
    key: column.text,
    revenue_event_id: column.id,
    kind: column.textOf<EventKeyKind>(),
  },
});

/** A payment with a name. */
export interface KeyOwner {
  paymentId: string;
  /** Several payments may have the same shared name. */
  isShared: boolean;
}

/** The payments with the names `[provider, name]`, by both. */
export async function readKeyOwners(
  { query, accountId }: Reader,
  keys: readonly (readonly string[])[],
): Promise<Map<string, KeyOwner[]>> {
  const owners = new Map<string, KeyOwner[]>();
  if (keys.length === 0) return owners;
  for (const read of await query(selectOwners, [accountId, ...unzip(keys, 2)])) {
    const name = textKey(read.provider, read.key);
    const found = owners.get(name) ?? [];
    found.push({ paymentId: read.revenue_event_id, isShared: read.kind === 'shared' });
    owners.set(name, found);
  }
  return owners;
}

const selectLeads = statement({
  text: `
    select wanted.provider, wanted.key, p.lead_id
    from unnest($2::text[], $3::text[]) as wanted (provider, key)
    cross join lateral (
      select revenue_event_id as id from revenue.event_key
      where account_id = $1 and provider = wanted.provider and key = wanted.key and kind = 'payment' limit 1
    ) k
    cross join lateral (
      select coalesce(lead_id, id) as lead_id from revenue.payment where account_id = $1 and id = k.id limit 1
    ) p`,
  row: { provider: column.text, key: column.text, lead_id: column.id },
});

/** The first payment of the group with each of the names `[provider, name]`, by both. */
export async function readLeads(
  { query, accountId }: Reader,
  keys: readonly (readonly string[])[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectLeads, [accountId, ...unzip(keys, 2)]);
  return new Map(rows.map((read) => [textKey(read.provider, read.key), read.lead_id]));
}

/** The most descriptions of a group of payments that are read. */
const descriptionsMax = 1000;

const selectDescriptions = statement({
  text: `
    select d.payment_id as "paymentId", d.provider, d.event_id as "eventId", d.object_id as "objectId", d.kind,
      d.amount_minor as "amountMinor", d.currency, d.own_keys as "ownKeys", d.joined_keys as "joinedKeys",
      d.shared_keys as "sharedKeys", d.may_be_joined as "mayBeJoined", d.email,
      d.click_id as "clickId", d.registration_id as "registrationId", d.occurred_at as "occurredAt"
    from unnest($2::uuid[]) as wanted (lead_id) ${paymentsOfLeads}
    cross join lateral (
      select * from revenue.purchase_description where account_id = $1 and payment_id = own.id limit ${descriptionsMax}
    ) d`,
  row: {
    paymentId: column.id,
    provider: column.text,
    eventId: column.text,
    objectId: column.text,
    kind: column.textOf<PurchaseKind>(),
    amountMinor: nullable(column.digits),
    currency: nullable(column.text),
    ownKeys: column.texts,
    joinedKeys: column.texts,
    sharedKeys: column.texts,
    mayBeJoined: column.boolean,
    email: nullable(column.text),
    clickId: nullable(column.text),
    registrationId: nullable(column.text),
    occurredAt: column.time,
  },
});

/** A description with the payment that it belongs to. */
export interface StoredDescription extends PurchaseDescription {
  paymentId: string;
}

/** The descriptions of the groups with these first payments. */
export async function readDescriptions(
  { query, accountId }: Reader,
  leadIds: readonly string[],
): Promise<StoredDescription[]> {
  if (leadIds.length === 0) return [];
  const rows = await query(selectDescriptions, [accountId, leadIds]);
  return rows.map(({ amountMinor, ...description }) => ({
    ...description,
    amountMinor: amountMinor === null ? null : Number(amountMinor),
  }));
}
