// The statements of searches through history. A walk reads deliveries newest first, up to a limit; a search keeps those that match.
import { column, nullable, statement } from '@service/database';

/** The most deliveries that are searched for one page. */
export const searchedMax = 5000;

/** Walks over the deliveries of an endpoint, of several endpoints side by side, of an account, or of a registration. */
export type WalkKind = 'endpoint' | 'endpoints' | 'account' | 'registration';

/** The part of the status filter that has an index: null for all. */
export type SearchedStatus = 'failure' | 'cancelled' | null;

/**
 * The last window may include every partition, and planning them takes milliseconds. A connection plans a named statement once.
 * Postgres keeps such a plan only if a plan for the values would not be better
 * (https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES), so the bounds are hidden from the planner.
 */
const plannings = {
  plannedOnce: { before: '(select $3::uuid)', since: '(select $4::uuid)' },
  plannedEachTime: { before: '$3', since: '$4' },
};

type Planning = keyof typeof plannings;

interface Search {
  kind: WalkKind;
  endedAs: SearchedStatus;
  readsAttempts: boolean;
  planning: Planning;
}

type Walk = Omit<Search, 'readsAttempts'>;

/** $2 is an endpoint, endpoints, null or a registration. */
const scopes: Record<WalkKind, string> = {
  endpoint: 'endpoint_id = $2::uuid',
  endpoints: 'endpoint_id = wanted.wanted_id',
  account: '$2::uuid is null',
  registration: 'registration_id = $2::uuid',
};

// $1 account, $2 scope, $3 before this id, $4 since this id, $5 how many are searched, of each endpoint.
// With a constant limit the planner walks the index; for a parameter it expects a tenth of all rows. Each level has the order,
// because otherwise all rows within the limit are read and sorted before the first one is returned.
const oneWalk = ({ kind, endedAs, planning }: Walk): string => {
  const { before, since } = plannings[planning];
  return `
    select * from (
      select id, account_id, endpoint_id, event_type, ended_as from deliveries.delivery
      where account_id = $1 and ${scopes[kind]} and id < ${before} and id >= ${since} ${endedAs ? `and ended_as = '${endedAs}'` : ''}
      order by id desc limit ${searchedMax}
    ) newest order by id desc limit $5`;
};

const walkText = (walk: Walk): string =>
  walk.kind === 'endpoints'
    ? `select newest.* from unnest($2::uuid[]) as wanted (wanted_id) cross join lateral (${oneWalk(walk)}) newest`
    : oneWalk(walk);

const nameOf = (words: string, { kind, endedAs, planning }: Walk): string | undefined =>
  planning === 'plannedOnce' ? `${words}_of_${kind}_${endedAs ?? 'all'}` : undefined;

// A success does not wait, has not failed and was not cancelled, and its last attempt has no failure. One look-up for each
// delivery, so that the walk ends when the page is full. The bounds keep the partitions of other days out of the plan.
// $9 true for successes only, $10 and $11 the lowest and the highest code or null.
const matchesAttempt = ({ before, since }: { before: string; since: string }): string => `
  and (not $9::boolean or (ended_as is null
    and (select due.delivery_id from deliveries.due
         where due.delivery_id = searched.id and due.account_id = searched.account_id) is null))
  and (select (not $9::boolean or failure is null)
         and ($10::integer is null or coalesce(response_code, 0) between $10 and $11)
       from deliveries.attempt
       where attempt.delivery_id = searched.id and attempt.account_id = searched.account_id
         and attempt.delivery_id < ${before} and attempt.delivery_id >= ${since}
       order by number desc limit 1)`;

/** $6 how many are wanted, $7 event type or null, $8 endpoints or null. */
const searchStatement = ({ readsAttempts, ...walk }: Search) =>
  statement({
    name: nameOf(`search_deliveries${readsAttempts ? '_by_attempt' : ''}`, walk),
    text: `
      select id from (${walkText(walk)}) searched
      where ($7::text is null or event_type = $7) and ($8::uuid[] is null or endpoint_id = any($8))
        ${readsAttempts ? matchesAttempt(plannings[walk.planning]) : ''}
      order by id desc limit $6`,
    row: { id: column.id },
  });

/** The number of deliveries that a walk reads. `fullAt` is null unless it ends at its limit; it is complete down to this id. */
const countStatement = (walk: Walk) =>
  statement({
    name: nameOf('count_deliveries', walk),
    text: `
      with searched as materialized (${walkText(walk)}),
      walked as (
        select count(*)::integer as count, (array_agg(id order by id))[1] as last_id from searched
        group by ${walk.kind === 'endpoints' ? 'endpoint_id' : 'account_id'}
      )
      select (select count(*)::integer from searched) as "searchedCount",
        (select last_id from walked where count = $5 order by last_id desc limit 1) as "fullAt"`,
    row: { searchedCount: column.integer, fullAt: nullable(column.id) },
  });

const keyOf = ({ kind, endedAs, planning }: Walk): string => `${planning} ${kind} ${endedAs}`;

const searches = new Map<string, ReturnType<typeof searchStatement>>();
const counts = new Map<string, ReturnType<typeof countStatement>>();
for (const planning of ['plannedOnce', 'plannedEachTime'] as const) {
  for (const kind of ['endpoint', 'endpoints', 'account', 'registration'] as const) {
    for (const endedAs of ['failure', 'cancelled', null] as const) {
      const walk = { planning, kind, endedAs };
      for (const readsAttempts of [false, true])
        searches.set(`${keyOf(walk)} ${readsAttempts}`, searchStatement({ ...walk, readsAttempts }));
      counts.set(keyOf(walk), countStatement(walk));
    }
  }
}

export const findStatements = ({ readsAttempts, ...walk }: Search) => ({
  searched: searches.get(`${keyOf(walk)} ${readsAttempts}`)!,
  counted: counts.get(keyOf(walk))!,
});
