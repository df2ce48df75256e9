import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import { nothingConsidered, type Considered, type Credit, type PurchaseFacts } from '../credit.ts';
import { creditColumns, creditRow, joinCredit } from '../ledger/stored-credit.sql.ts';

/** A purchase of the ledger with its credit until now. */
export interface StoredPurchase extends PurchaseFacts {
  previous: Credit;
  currency: string;
  amountMinor: number;
  /** The amount without what was refunded and charged back. */
  netMinor: number;
}

const row = {
  id: column.id,
  email: nullable(column.text),
  occurredAt: column.time,
  clickId: nullable(column.text),
  purchaseRegistrationId: nullable(column.text),
  currency: column.text,
  amountMinor: column.digits,
  netMinor: column.digits,
  ...creditRow,
  considered: nullable(column.json<Considered>()),
};

const columns = `
  p.id, p.email, p.occurred_at as "occurredAt", p.click_id as "clickId", p.registration_id as "purchaseRegistrationId",
  p.currency, p.amount_minor as "amountMinor", p.amount_minor - p.refunded_minor - p.charged_back_minor as "netMinor",
  c.considered, ${creditColumns}`;

const ofCredit = joinCredit('p.id');

const selectPage = statement({
  name: 'revenue.select_purchases_page',
  text: `
    select ${columns} from revenue.payment p ${ofCredit}
    where p.account_id = $1 and p.id > $2 and p.id <= $3 and c.renewal_of is null order by p.id limit $4`,
  row,
});

const selectNewest = statement({
  name: 'revenue.select_newest_purchases',
  text: `
    select ${columns} from revenue.payment p ${ofCredit}
    where p.account_id = $1 order by p.occurred_at desc, p.id desc limit $2`,
  row,
});

const selectUnattributed = statement({
  name: 'revenue.select_unattributed_purchases',
  text: `
    select ${columns} from unnest($2::uuid[]) as wanted (id)
    cross join lateral (select * from revenue.payment where account_id = $1 and id = wanted.id limit 1) p ${ofCredit}
    where c.level = 'unattributed' and c.renewal_of is null order by p.id`,
  row,
});

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

/** First payments in the order of their ids, after `after` and up to `until`. */
export const readPurchases = async (
  { query, accountId }: Reader,
  { after, until, limit }: { after: string; until: string; limit: number },
): Promise<StoredPurchase[]> => {
  const rows = await query(selectPage, [accountId, after, until, limit]);
  return rows.map(toPurchase);
};

/** The newest purchases by the time at which they occurred. */
export const readNewestPurchases = async (
  { query, accountId }: Reader,
  limit: number,
): Promise<StoredPurchase[]> => {
  const rows = await query(selectNewest, [accountId, limit]);
  return rows.map(toPurchase);
};

/** Those of these purchases that have no credit and are no renewals. */
export const readUnattributed = async (
  { query, accountId }: Reader,
  ids: readonly string[],
): Promise<StoredPurchase[]> => {
  const rows = await query(selectUnattributed, [accountId, ids]);
  return rows.map(toPurchase);
};

const toPurchase = ({
  purchaseRegistrationId,
  id,
  email,
  occurredAt,
  clickId,
  currency,
  amountMinor,
  netMinor,
  windowDays,
  considered,
  ...credit
}: RowsOf<typeof selectPage>): StoredPurchase => ({
  id,
  email,
  occurredAt,
  clickId,
  registrationId: purchaseRegistrationId,
  currency,
  amountMinor: Number(amountMinor),
  netMinor: Number(netMinor),
  previous: { ...credit, windowDays: windowDays ?? 0, considered: considered ?? nothingConsidered },
});
