// The statements of searches through the ledger. A walk reads rows of one index, newest first, up to a limit; a search keeps those
// that match the other filters. So a page costs the same with ten events and with ten million.
import { column, nullable, statement } from '@service/database';

/** The most rows that are searched for one page. */
export const searchedMax = 5000;

/** $2 is the value of the filter that the walk follows. Each walk has an index that begins with its condition. */
const walks = {
  email: { table: 'credit', condition: 'buyer_email = $2::text' },
  interaction: { table: 'credit', condition: 'interaction_id = $2::text::uuid' },
  webinar: { table: 'credit', condition: 'webinar_id = $2::text::uuid' },
  // Nearly all events of a webinar or an offer are purchases, so a page of its refunds would search through hundreds of them.
  interactionAdjustments: {
    table: 'credit',
    condition: `interaction_id = $2::text::uuid and pairing <> 'own'`,
  },
  webinarAdjustments: { table: 'credit', condition: `webinar_id = $2::text::uuid and pairing <> 'own'` },
  state: { table: 'payment', condition: 'state = $2::text' },
  // Purchases have no index by type: nearly all events are purchases.
  otherType: { table: 'revenue_event', condition: `type = $2::text and type <> 'purchase'` },
  unattributed: { table: 'credit', condition: `level = 'unattributed' and $2::text is null` },
  attributed: { table: 'credit', condition: `level <> 'unattributed' and $2::text is null` },
  source: { table: 'revenue_event', condition: 'provider = $2::text' },
  all: { table: 'credit', condition: '$2::text is null' },
} as const;

export type WalkKind = keyof typeof walks;

// $1 account, $2 value, $3 since this time, $4 and $5 before this time and id. The limit is a constant, because for a parameter the
// planner expects a tenth of all rows and may not walk the index.
const walkText = ({ table, condition }: (typeof walks)[WalkKind]): string => `
  select id, occurred_at from revenue.${table}
  where account_id = $1 and ${condition} and occurred_at >= $3 and (occurred_at, id) < ($4, $5::uuid)
  order by occurred_at desc, id desc limit ${searchedMax}`;

/**
 * $7 type, $8 source, $9 e-mail, $10 state, $11 attributed, $12 webinar, $13 interaction; null for any. Each condition is a scalar
 * subquery, which is one look-up for each row. For `exists` the planner may read all rows of the account into a hash table.
 */
const matches = `
  (($7::text is null and $8::text is null) or (
    select ($7 is null or e.type = $7) and ($8 is null or e.provider = $8)
    from revenue.revenue_event e where e.account_id = $1 and e.id = walked.id))
  and ($10::text is null or (
    select p.state from revenue.payment p where p.account_id = $1 and p.id = walked.id) = $10)
  and (($9::text is null and $11::boolean is null and $12::uuid is null and $13::uuid is null) or (
    select ($9 is null or c.buyer_email is not distinct from $9)
      and ($11 is null or (c.level <> 'unattributed') = $11) and ($12 is null or c.webinar_id is not distinct from $12)
      and ($13 is null or c.interaction_id is not distinct from $13)
    from revenue.credit c where c.account_id = $1 and c.id = walked.id))`;

// Without names: a plan from the time when the ledger was empty would read and sort all of it.
const statementsOf = (kind: WalkKind) => ({
  /** $6 is how many are wanted. */
  search: statement({
    text: `
      select id from (${walkText(walks[kind])}) walked where ${matches}
      order by occurred_at desc, id desc limit $6`,
    row: { id: column.id },
  }),
  /** The row at the limit of the walk. No row when the walk reads everything. */
  last: statement({
    text: `select id from (${walkText(walks[kind])}) walked order by occurred_at desc, id desc limit 1 offset ${searchedMax - 1}`,
    row: { id: column.id },
  }),
  /** The time of a row in the order of the walk. */
  time: times[walks[kind].table],
});

// A purchase counts at the time of its payment, which may be seconds before that of its event.
const timeText = {
  revenue_event: 'e.occurred_at',
  credit: `(select c.occurred_at from revenue.credit c where c.account_id = e.account_id and c.id = e.id)`,
  payment: `coalesce((
    select p.occurred_at from revenue.payment p where p.account_id = e.account_id and p.id = e.id), e.occurred_at)`,
};

const timeOf = (table: keyof typeof timeText) =>
  statement({
    text: `select ${timeText[table]} as at from revenue.revenue_event e where e.account_id = $1 and e.id = $2`,
    row: { at: nullable(column.time) },
  });

const times = {
  revenue_event: timeOf('revenue_event'),
  credit: timeOf('credit'),
  payment: timeOf('payment'),
};

const kinds = Object.keys(walks) as WalkKind[];

export const walkStatements = Object.fromEntries(kinds.map((kind) => [kind, statementsOf(kind)])) as Record<
  WalkKind,
  ReturnType<typeof statementsOf>
>;
