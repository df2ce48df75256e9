// The part of this module in erasures: the money stays in the ledger, and the address of the buyer goes with the ids that lead to them.
import { column, statement, type AccountWriter } from '@service/database';
import { addressPattern, type ErasePerson } from '@service/module';
import type { SecretBox } from '@service/secrets';
import { eraseRefused } from './refused-events.ts';
import { lockLedger } from '../ledger/ledger.ts';

/** Rows of each table in one transaction. The intake of the account waits for it. */
const rowsMax = 500;

// The rows of a purchase have the id of its event. A correction, a merge or a refund that came after the request may have got the address from
// an erased payment. $3: at most, $4: received at that time or earlier.
const eraseEmail = statement({
  name: 'revenue.erase_buyer',
  text: `
    with event as materialized (
      select e.id from revenue.revenue_event e where e.account_id = $1 and e.email = $2 and e.received_at <= $4::timestamptz limit $3
    ), payment as materialized (
      select p.id from revenue.payment p join revenue.revenue_event paid on paid.account_id = $1 and paid.id = p.id
      where p.account_id = $1 and p.email = $2 and paid.received_at <= $4::timestamptz limit $3
    ), credit as materialized (
      select c.id from revenue.credit c join revenue.revenue_event credited on credited.account_id = $1 and credited.id = c.id
      where c.account_id = $1 and c.buyer_email = $2 and credited.received_at <= $4::timestamptz limit $3
    ), later as materialized (
      select g.id, d.email = $2 and d.event_id ~ '^(corrected|merged):' as is_derived
      from payment join revenue.credit g on g.account_id = $1 and g.payment_id = payment.id
      join revenue.revenue_event d on d.account_id = $1 and d.id = g.id
      where g.buyer_email = $2 and d.received_at > $4::timestamptz
    ), events as (
      update revenue.revenue_event a set email = null, click_id = null, registration_id = null
      from (select id from event union all select id from later where is_derived) named where a.account_id = $1 and a.id = named.id
    ), payments as (
      update revenue.payment b set email = null, click_id = null, registration_id = null
      from payment where b.account_id = $1 and b.id = payment.id
    ), descriptions as (
      update revenue.purchase_description d set email = null, click_id = null, registration_id = null
      from payment where d.account_id = $1 and d.payment_id = payment.id and d.received_at <= $4::timestamptz
    ), credits as (
      update revenue.credit f set buyer_email = null
      from (select id from credit union all select id from later) bought where f.account_id = $1 and f.id = bought.id
    )
    select greatest((select count(*) from event), (select count(*) from payment), (select count(*) from credit))::int as count`,
  row: { count: column.integer },
});

// Owners may name a person in the reason of a decision.
const eraseFromDecisions = statement({
  name: 'revenue.erase_from_credit_decisions',
  text: `
    update revenue.credit_decision set why = regexp_replace(why, $2, '[erased]', 'gi') where account_id = $1 and why ~* $2`,
});

export const createBuyerEraser = ({ secretBox }: { secretBox: SecretBox }): ErasePerson =>
  async function eraseBuyer(tx: AccountWriter, { email, until }, cursor) {
    await lockLedger(tx);
    const [erased] = await tx.query(eraseEmail, [tx.accountId, email, rowsMax, until]);
    if (erased!.count === rowsMax) return '';
    await tx.query(eraseFromDecisions, [tx.accountId, addressPattern(email)]);
    return eraseRefused(tx, { email, until, after: cursor || undefined }, secretBox);
  };
