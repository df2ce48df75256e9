// An owner credits a payment by hand, or takes its credit away. The decision is kept beside the ledger and wins over the rule whenever
// a credit is derived: after another description of the payment, a change of a window, or a retry.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { attendeeErrors, findAddresses, findHistories } from '@service/attendees';
import { column, nullable, statement } from '@service/database';
import type { AccountQueries, AccountWriter } from '@service/database';
import { nothingConsidered, type Credit, type TouchLevel } from '../credit.ts';
import { revenueErrors } from '../errors.ts';
import { lockLedger, replaceCredits } from '../ledger/ledger.ts';
import { compareTouches, lastTouchTime, unattributed } from './attribute.ts';
import { creditPurchases, historyToTouches } from './credit-purchases.ts';
import { readPurchase } from './stored-purchases.ts';
import { defaultWindow } from './windows.ts';

/** The touch that an owner chose, as it was then. */
interface DecidedTouch {
  level: TouchLevel;
  registrationId: string;
  sessionId: string;
  webinarId: string;
  interactionId: string | null;
  utmSource: string | null;
  /** ISO 8601, UTC. */
  at: string;
  /** The window of the workspace at that time. */
  windowDays: number;
}

/** The last decision of an owner about the credit of a payment and its renewals. */
export const CreditDecision = defineEntity({
  name: 'CreditDecision',
  tableName: 'credit_decision',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    /** A first payment. Its renewals have its credit. */
    paymentId: p.uuid().primary(),
    /** Null: the payment has no credit. */
    touch: p.json<DecidedTouch>().nullable(),
    why: p.text(),
    madeBy: p.uuid(),
    /** The name of the owner at that time. */
    madeByName: p.text(),
    madeAt: p.datetime(3),
  },
});

const decisionRow = {
  paymentId: column.id,
  touch: nullable(column.json<DecidedTouch>()),
  why: column.text,
  madeByName: column.text,
  madeAt: column.time,
};

const selectDecisions = statement({
  name: 'revenue.select_credit_decisions',
  text: `
    select payment_id as "paymentId", touch, why, made_by_name as "madeByName", made_at as "madeAt"
    from revenue.credit_decision where account_id = $1 and payment_id = any($2::uuid[])`,
  row: decisionRow,
});

export interface Decision {
  paymentId: string;
  touch: DecidedTouch | null;
  why: string;
  madeByName: string;
  madeAt: Date;
}

/** The decisions about these payments, by the id of the payment. */
export async function findDecisions(
  { query, accountId }: AccountQueries,
  paymentIds: readonly string[],
): Promise<Map<string, Decision>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await query(selectDecisions, [accountId, [...new Set(paymentIds)]]);
  return new Map(rows.map((row) => [row.paymentId, row]));
}

/** Credits purchases as their owners decided, and the others by the rule. Like `creditPurchases`. */
export const creditDecided: typeof creditPurchases = async (reader, purchases) => {
  if (purchases.length === 0) return [];
  const [credits, decisions] = await Promise.all([
    creditPurchases(reader, purchases),
    findDecisions(
      reader,
      purchases.map(({ id }) => id),
    ),
  ]);
  return credits.map((credit, index) => {
    const decision = decisions.get(purchases[index]!.id);
    return decision ? decisionToCredit(decision, credit.windowDays) : credit;
  });
};

function decisionToCredit({ touch }: Decision, windowDays: number): Credit {
  // Reports name the decision instead of the reason.
  if (touch === null) return unattributed('no_match', windowDays, nothingConsidered);
  const { at, ...decided } = touch;
  return {
    ...decided,
    matchedBy: null,
    reason: null,
    touchAt: new Date(at),
    renewalOf: null,
    considered: nothingConsidered,
  };
}

interface DecideOptions {
  /** An event of the payment. */
  revenueEventId: string;
  /** Null takes the credit away. Undefined ends the decision: the rule credits the payment again. */
  registrationId: string | null | undefined;
  why: string;
  by: { userId: string; name: string };
}

/**
 * Credits the payment of an event, with its refunds and renewals, to a registration, takes its credit away, or leaves it to the rule
 * again. Rules of webinars do not fire for it, nor for later refunds and renewals while the credit is by hand. Throws
 * revenue_event_not_found, registration_not_found, payment_unknown.
 */
export async function decideCredit(
  tx: AccountWriter,
  { revenueEventId, registrationId, why, by }: DecideOptions,
): Promise<void> {
  const { query, accountId, now } = tx;
  await lockLedger(tx);
  const [event] = await query(selectPaymentOf, [accountId, revenueEventId]);
  if (!event) throw revenueErrors.revenue_event_not_found();
  const purchase = event.paymentId === null ? undefined : await readPurchase(tx, event.paymentId);
  if (!purchase) throw revenueErrors.payment_unknown();
  if (registrationId === undefined) {
    await query(deleteDecision, [accountId, purchase.id]);
  } else {
    const touch = registrationId === null ? null : await findTouch(tx, registrationId, purchase.occurredAt);
    const values = [accountId, purchase.id, touch && JSON.stringify(touch), why, by.userId, by.name, now];
    await query(upsertDecision, values);
  }
  // Without the credit until now: touches of a person whom an owner chose are no touches of the buyer.
  const [credit] = await creditDecided(tx, [{ ...purchase, previous: undefined }]);
  await replaceCredits(tx, [{ paymentId: purchase.id, credit: credit! }]);
}

/** The strongest touch of a registration, the newest of several. */
async function findTouch(
  tx: AccountWriter,
  registrationId: string,
  purchasedAt: Date,
): Promise<DecidedTouch> {
  const email = (await findAddresses(tx, [registrationId])).get(registrationId);
  if (email === undefined) throw attendeeErrors.registration_not_found();
  const until = tx.now > purchasedAt ? tx.now : lastTouchTime(purchasedAt);
  const [history] = await findHistories(tx, [{ email, until }]);
  const [touch] = historyToTouches(history!, { named: undefined, occurredAt: until })
    .filter((each) => each.registrationId === registrationId)
    .toSorted(compareTouches);
  if (!touch) throw attendeeErrors.registration_not_found();
  const { at, isNamed: _isNamed, isCancelled: _isCancelled, ...decided } = touch;
  return { ...decided, at: at.toISOString(), windowDays: await defaultWindow(tx) };
}

// A renewal has the credit of its first payment.
const selectPaymentOf = statement({
  name: 'revenue.select_payment_of_event',
  text: `
    select coalesce(renewal_of, payment_id) as "paymentId" from revenue.credit where account_id = $1 and id = $2`,
  row: { paymentId: nullable(column.id) },
});

const upsertDecision = statement({
  name: 'revenue.upsert_credit_decision',
  text: `
    insert into revenue.credit_decision (account_id, payment_id, touch, why, made_by, made_by_name, made_at)
    values ($1, $2, $3::jsonb, $4, $5, $6, $7)
    on conflict (account_id, payment_id) do update set touch = excluded.touch, why = excluded.why,
      made_by = excluded.made_by, made_by_name = excluded.made_by_name, made_at = excluded.made_at`,
});

const deleteDecision = statement({
  name: 'revenue.delete_credit_decision',
  text: 'delete from revenue.credit_decision where account_id = $1 and payment_id = $2',
});

const moveDecision = statement({
  name: 'revenue.move_credit_decisions',
  text: `
    with merged as materialized (
      select * from unnest($2::uuid[], $3::uuid[]) as merged (former_id, payment_id)
    ), taken as (
      delete from revenue.credit_decision former using merged
      where former.account_id = $1 and former.payment_id = merged.former_id
      returning merged.payment_id as remaining, former.touch, former.why, former.made_by, former.made_by_name, former.made_at
    )
    insert into revenue.credit_decision as decision (account_id, payment_id, touch, why, made_by, made_by_name, made_at)
    select distinct on (remaining) $1, * from taken order by remaining, made_at desc
    on conflict (account_id, payment_id) do update set touch = excluded.touch, why = excluded.why,
      made_by = excluded.made_by, made_by_name = excluded.made_by_name, made_at = excluded.made_at
    where decision.made_at < excluded.made_at
    returning payment_id as "paymentId"`,
  row: { paymentId: column.id },
});

/**
 * Moves decisions about payments that turned out to be another one or a renewal. `paymentIds` has their new payments by the id of the
 * former one. Returns the payments that got a decision.
 */
export async function moveDecisions(
  { query, accountId }: AccountQueries,
  paymentIds: ReadonlyMap<string, string>,
): Promise<string[]> {
  const rows = await query(moveDecision, [accountId, [...paymentIds.keys()], [...paymentIds.values()]]);
  return rows.map(({ paymentId }) => paymentId);
}
