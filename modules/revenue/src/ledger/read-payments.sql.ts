import { column, nullable, selectList, statement } from '@service/database';
import type { AccountQueries, RowWith } from '@service/database';
import type { PurchaseDescription } from './join-descriptions.ts';
import { textKey, type LedgerPayment } from './ledger-row.ts';
import type { EventKeyKind } from './payment.ts';
import { paymentsOfLeads, readerBy } from './read-rows.sql.ts';
import type { PurchaseKind } from './revenue-fact.ts';
import { creditColumns, creditRow, joinCredit, takeCredit } from './stored-credit.sql.ts';

type Keys = readonly (readonly string[])[];

/** Payments of one e-mail address and currency, or with one shared name, that an adjustment is compared with, the newest first. */
export const paymentsMax = 1000;

const payment = {
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
};

const row = { ...payment, ...creditRow };

const others = { sentRegistrationId: 'p.registration_id', leadId: 'coalesce(p.lead_id, p.id)' };

const columns = `${selectList(payment, { of: 'p', others })}, ${creditColumns}`;

// Without a name, like most statements here: see `identify-facts.ts`.
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

function toPayment({ sentRegistrationId, ...read }: RowWith<typeof row>): LedgerPayment {
  const { credit, others: facts } = takeCredit(read);
  return {
    ...facts,
    registrationId: sentRegistrationId,
    amountMinor: Number(facts.amountMinor),
    refundedMinor: Number(facts.refundedMinor),
    chargedBackMinor: Number(facts.chargedBackMinor),
    credit,
  };
}

export const readPayments = readerBy(selectByIds, toPayment);

/** The payments of the groups with these first payments. */
export const readGroups = readerBy(selectByLeads, toPayment);

/** The newest payments of each `[provider, email, currency]`. */
export const readPaymentsByEmails = readerBy(selectByEmails, toPayment);

// $2 providers, $3 names. One payment at most has a name of the kind `payment`.
const selectOwners = statement({
  text: `
    select wanted.provider, wanted.key, k.revenue_event_id as "paymentId", k.kind
    from unnest($2::text[], $3::text[]) as wanted (provider, key)
    cross join lateral (
      select revenue_event_id, kind from revenue.event_key
      where account_id = $1 and provider = wanted.provider and key = wanted.key and kind <> 'adjustment'
      order by revenue_event_id desc limit ${paymentsMax}
    ) k`,
  row: { provider: column.text, key: column.text, paymentId: column.id, kind: column.textOf<EventKeyKind>() },
});

/** A payment with a name. */
export interface KeyOwner {
  paymentId: string;
  /** Several payments may have the same shared name. */
  isShared: boolean;
}

const readOwners = readerBy(selectOwners, (owner) => owner);

/** The payments with the names `[provider, name]`, by both. */
export async function readKeyOwners(reader: AccountQueries, keys: Keys): Promise<Map<string, KeyOwner[]>> {
  const owners = new Map<string, KeyOwner[]>();
  for (const { provider, key, paymentId, kind } of await readOwners(reader, keys)) {
    const name = textKey(provider, key);
    const found = owners.get(name) ?? [];
    found.push({ paymentId, isShared: kind === 'shared' });
    owners.set(name, found);
  }
  return owners;
}

const selectLeads = statement({
  text: `
    select wanted.provider, wanted.key, p.lead_id as "leadId"
    from unnest($2::text[], $3::text[]) as wanted (provider, key)
    cross join lateral (
      select revenue_event_id as id from revenue.event_key
      where account_id = $1 and provider = wanted.provider and key = wanted.key and kind = 'payment' limit 1
    ) k
    cross join lateral (
      select coalesce(lead_id, id) as lead_id from revenue.payment where account_id = $1 and id = k.id limit 1
    ) p`,
  row: { provider: column.text, key: column.text, leadId: column.id },
});

const readLeadsByKeys = readerBy(
  selectLeads,
  ({ provider, key, leadId }) => [textKey(provider, key), leadId] as const,
);

/** The first payment of the group with each of the names `[provider, name]`, by both. */
export const readLeads = async (reader: AccountQueries, keys: Keys): Promise<Map<string, string>> =>
  new Map(await readLeadsByKeys(reader, keys));

/** The most descriptions of a group of payments that are read. */
const descriptionsMax = 1000;

const description = {
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
};

const selectDescriptions = statement({
  text: `
    select ${selectList(description, { of: 'd' })} from unnest($2::uuid[]) as wanted (lead_id) ${paymentsOfLeads}
    cross join lateral (
      select * from revenue.purchase_description where account_id = $1 and payment_id = own.id limit ${descriptionsMax}
    ) d`,
  row: description,
});

/** A description with the payment that it belongs to. */
export interface StoredDescription extends PurchaseDescription {
  paymentId: string;
}

/** The descriptions of the groups with these first payments. */
export const readDescriptions = readerBy(
  selectDescriptions,
  ({ amountMinor, ...read }): StoredDescription => ({
    ...read,
    amountMinor: amountMinor === null ? null : Number(amountMinor),
  }),
);
