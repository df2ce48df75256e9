import { column, nullable, selectList, statement } from '@service/database';
import type { AccountQueries, RowWith } from '@service/database';
import { nothingConsidered, type Considered, type Credit, type PurchaseFacts } from '../credit.ts';
import { creditColumns, creditRow, joinCredit, takeCredit } from '../ledger/stored-credit.sql.ts';

/** A purchase of the ledger with its credit until now. */
export interface StoredPurchase extends PurchaseFacts {
  previous: Credit;
  currency: string;
  amountMinor: number;
  /** The amount without what was refunded and charged back. */
  netMinor: number;
}

const purchase = {
  id: column.id,
  email: nullable(column.text),
  occurredAt: column.time,
  clickId: nullable(column.text),
  purchaseRegistrationId: nullable(column.text),
  currency: column.text,
  amountMinor: column.digits,
  netMinor: column.digits,
  considered: nullable(column.json<Considered>()),
};

const row = { ...purchase, ...creditRow };

const others = {
  purchaseRegistrationId: 'p.registration_id',
  netMinor: 'p.amount_minor - p.refunded_minor - p.charged_back_minor',
  considered: 'c.considered',
};

const columns = `${selectList(purchase, { of: 'p', others })}, ${creditColumns}`;

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

const selectOne = statement({
  name: 'revenue.select_purchase',
  text: `select ${columns} from revenue.payment p ${ofCredit} where p.account_id = $1 and p.id = $2`,
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

/** First payments in the order of their ids, after `after` and up to `until`. */
export const readPurchases = async (
  { query, accountId }: AccountQueries,
  { after, until, limit }: { after: string; until: string; limit: number },
): Promise<StoredPurchase[]> => {
  const rows = await query(selectPage, [accountId, after, until, limit]);
  return rows.map(toPurchase);
};

/** The newest purchases by the time at which they occurred. */
export const readNewestPurchases = async (
  { query, accountId }: AccountQueries,
  limit: number,
): Promise<StoredPurchase[]> => {
  const rows = await query(selectNewest, [accountId, limit]);
  return rows.map(toPurchase);
};

/** Undefined for a payment that does not exist. */
export const readPurchase = async (
  { query, accountId }: AccountQueries,
  id: string,
): Promise<StoredPurchase | undefined> => {
  const [found] = await query(selectOne, [accountId, id]);
  return found && toPurchase(found);
};

/** Those of these purchases that have no credit and are no renewals. */
export const readUnattributed = async (
  { query, accountId }: AccountQueries,
  ids: readonly string[],
): Promise<StoredPurchase[]> => {
  const rows = await query(selectUnattributed, [accountId, ids]);
  return rows.map(toPurchase);
};

function toPurchase({ purchaseRegistrationId, considered, ...read }: RowWith<typeof row>): StoredPurchase {
  const { credit, others: facts } = takeCredit(read);
  return {
    ...facts,
    registrationId: purchaseRegistrationId,
    amountMinor: Number(facts.amountMinor),
    netMinor: Number(facts.netMinor),
    previous: { ...credit, windowDays: credit.windowDays ?? 0, considered: considered ?? nothingConsidered },
  };
}
