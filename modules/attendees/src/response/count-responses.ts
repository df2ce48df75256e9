// Counts of responses. A count of all events of an interaction would take longer with each event. So the older ones are counted once, and
// `response_count` keeps the result; a read adds the events after them. The writers of events do not know of it.
import {
  column,
  idAt,
  lockLimit,
  lowestIdSince,
  nullable,
  statement,
  type AccountDatabase,
  type AccountReader,
  type RowsOf,
} from '@service/database';
import type { Log } from '@service/log';
import { listInteractionIds } from '@service/webinars';
import type { z } from 'zod';
import type { ResponseCountsOutput } from './schemas.ts';

type CountedKind = 'interaction_view' | 'click' | 'poll_response';

/**
 * The events of an interaction that its kept counts `s` lack, before `end`. A registration that is in the counts is not counted again. No
 * event is older than its registration. The comparisons with $3 alone leave earlier months out of the plan.
 */
const countSince = ({ id, end }: { id: string; end: string }): string => `
  select e.kind, e.option_id, count(*)::int as events, (count(*) filter (where e.id < $4))::int as uncounted,
    (count(distinct e.registration_id) filter (where coalesce(s.counted_before, $3::uuid) <= $3 or (
      select true from attendees.attendee_event earlier
      where earlier.account_id = $1 and earlier.registration_id = e.registration_id
        and earlier.id >= greatest($3, e.registration_id) and earlier.id >= $3 and earlier.id < s.counted_before
        and earlier.type in ('cta_click', 'handout_download') and earlier.data -> 'interactionId' = to_jsonb(${id})
      limit 1) is not true))::int as registrations
  from (
    select case r.type when 'cta_click' then 'click' else r.type end as kind, r.data ->> 'optionId' as option_id, r.registration_id, r.id
    from attendees.attendee_event r
    where r.account_id = $1 and r.data ->> 'interactionId' = ${id}
      and r.type in ('interaction_view', 'cta_click', 'poll_response') and r.id >= $3 and r.id >= coalesce(s.counted_before, $3)
      and r.id < ${end}
    union all
    select 'click', null, d.registration_id, d.id
    from attendees.attendee_event d
    where d.account_id = $1 and d.data ->> 'interactionId' = ${id} and d.type = 'handout_download'
      and d.id >= $3 and d.id >= coalesce(s.counted_before, $3) and d.id < ${end}
  ) e
  group by e.kind, e.option_id`;

const columnsOfCounts = '(kind text, option_id text, events integer, registrations integer)';

// $1 account, $2 interactions, $3 the first id of their events, $4 the end of those that can be counted once. Each interaction reads its
// own part of the index.
const selectCounts = statement({
  name: 'attendees.count_responses_of_each',
  text: `
    select i.id::uuid as "interactionId", c.kind, c.option_id as "optionId", sum(c.events)::int as events,
      sum(c.registrations)::int as registrations, sum(c.uncounted)::int as uncounted
    from unnest($2::text[]) as i (id)
    left join attendees.response_count s on s.account_id = $1 and s.interaction_id = i.id::uuid
    cross join lateral (
      select k.kind, k.option_id, k.events, k.registrations, 0 as uncounted from jsonb_to_recordset(s.counts) as k ${columnsOfCounts}
      union all
      select t.kind, t.option_id, t.events, t.registrations, t.uncounted from (${countSince({ id: 'i.id', end: `'ffffffff-ffff-ffff-ffff-ffffffffffff'` })}) t
    ) c
    group by i.id, c.kind, c.option_id`,
  row: {
    interactionId: column.id,
    kind: column.textOf<CountedKind>(),
    optionId: nullable(column.text),
    events: column.integer,
    registrations: column.integer,
    uncounted: column.integer,
  },
});

/** A row for each kind and option of the responses to some interactions. */
export type ResponseCounts = RowsOf<typeof selectCounts>[];

const insertEmpty = statement({
  text: `
    insert into attendees.response_count (account_id, interaction_id, counted_before, counts) values ($1, $2, $3, '[]')
    on conflict do nothing`,
});

const countOlder = statement({
  text: `
    update attendees.response_count s set counted_before = $4, counts = (
      select coalesce(jsonb_agg(c), '[]') from (
        select kind, option_id, sum(events)::int as events, sum(registrations)::int as registrations
        from (
          select k.kind, k.option_id, k.events, k.registrations from jsonb_to_recordset(s.counts) as k ${columnsOfCounts}
          union all
          select t.kind, t.option_id, t.events, t.registrations from (${countSince({ id: '$2::text', end: '$4::uuid' })}) t
        ) added
        group by kind, option_id
      ) c)
    where s.account_id = $1 and s.interaction_id = $2::text::uuid and s.counted_before < $4`,
});

/**
 * Erasures take this lock too. Otherwise an erasure that is not yet committed would not see the row of a first count, whose events it
 * deletes.
 */
export const lockResponseCounts = (tx: Pick<AccountReader, 'query' | 'accountId'>): Promise<void> =>
  lockLimit(tx, 'attendees.response_count');

/** A transaction commits within this time, so no event with an older id appears later. */
const openMaxMs = 10 * 60_000;

/** A read that finds more events of an interaction keeps their count. */
const uncountedMax = 1000;

/** The part of a call that counts. */
export interface CountParts {
  reader: AccountReader;
  /** For the counts that are kept. A database that takes no writes keeps none. */
  database: Pick<AccountDatabase, 'transaction'>;
  log: Log;
}

interface Counted extends Omit<CountParts, 'reader'> {
  /** At least one. */
  interactionIds: readonly string[];
}

/** Counts the responses to some interactions. An interaction without responses has no row. */
export async function countResponses(
  { query, accountId, now }: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  { interactionIds, database, log }: Counted,
): Promise<ResponseCounts> {
  const oldest = interactionIds.reduce((one, other) => (one < other ? one : other));
  const [first, end] = [lowestIdSince(oldest), idAt(new Date(now.getTime() - openMaxMs))];
  const rows = await query(selectCounts, [accountId, interactionIds, first, end]);
  for (const [interactionId, own] of Map.groupBy(rows, (row) => row.interactionId)) {
    if (own.reduce((sum, { uncounted }) => sum + uncounted, 0) <= uncountedMax) continue;
    try {
      await database.transaction(async (tx) => {
        await lockResponseCounts({ query: tx.query, accountId });
        await tx.query(insertEmpty, [accountId, interactionId, first]);
        await tx.query(countOlder, [accountId, interactionId, first, end]);
      });
    } catch (error) {
      log.warn({ err: error, accountId, interactionId }, 'Counts of responses could not be kept');
    }
  }
  return rows;
}

export const sumOf = (
  rows: ResponseCounts,
  kind: CountedKind,
  count: 'events' | 'registrations' = 'events',
): number => rows.filter((row) => row.kind === kind).reduce((total, row) => total + row[count], 0);

/** Counts views, clicks and answers of all interactions of a webinar. Throws webinar_not_found. */
export async function countEachInteraction(
  { reader, ...parts }: CountParts,
  webinarId: string,
): Promise<z.input<typeof ResponseCountsOutput>[]> {
  const interactionIds = await listInteractionIds(reader, webinarId);
  if (interactionIds.length === 0) return [];
  const counts = await countResponses(reader, { ...parts, interactionIds });
  const countsOf = Map.groupBy(counts, (row) => row.interactionId);
  return interactionIds.map((interactionId) => {
    const rows = countsOf.get(interactionId) ?? [];
    return {
      interactionId,
      views: sumOf(rows, 'interaction_view'),
      clicks: sumOf(rows, 'click'),
      clickers: sumOf(rows, 'click', 'registrations'),
      answers: sumOf(rows, 'poll_response'),
    };
  });
}
