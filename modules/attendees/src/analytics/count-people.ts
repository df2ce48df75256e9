// Counts the registrations of a webinar or a session together with what their attendees did. They are read newest first in pages, so
// that each statement is short and other work of the account runs between them.
import { type AccountReader, column, highestId, nullable, statement } from '@service/database';
import type { RegistrationRevenue, Revenues } from '../registration/revenue-reader.ts';
import type { z } from 'zod';
import type { CurveSteps } from './curve.ts';

/** Registrations that one result counts. */
const countedMax = 100_000;

/** Registrations that one statement reads. */
export const pageRows = 5000;

const countNames = [
  'registered',
  'cancelled',
  'joined',
  'attended',
  'noShow',
  'completed',
  'engaged',
  'clicked',
  'watchedReplay',
  'attendedBuyers',
  'watchedSeconds',
  'watchedPercent',
] as const;

/** Numbers of registrations. `watchedSeconds` and `watchedPercent` are sums over those who attended. */
export type Counts = Record<(typeof countNames)[number], number>;

export const noCounts = (): Counts =>
  Object.fromEntries(countNames.map((name) => [name, 0])) as unknown as Counts;

interface ResponseCounts {
  seen: number;
  clicked: number;
  /** Answers by option id. */
  answers: Map<string, number>;
  answered: number;
}

/** Each map has at most one entry for each counted registration: 100,000 take about 20 MB until the result is made. */
export interface People {
  /** Registrations that were read. */
  counted: number;
  /** False when it ended at 100,000 registrations. */
  isComplete: boolean;
  bySession: Map<string, Counts>;
  /** By `utm_source`, null for none. */
  bySource: Map<string | null, Pick<Counts, 'registered' | 'attended'>>;
  byInteraction: Map<string, ResponseCounts>;
  /** Attendees who saw the middle of each part of the video. */
  viewers: number[];
  /** Net revenue by currency, and the number of registrations with a purchase. Undefined if the caller may not read revenue. */
  revenue: { buyers: number; sums: Map<string, number> } | undefined;
}

interface Page {
  sessions: ({ id: string } & Counts)[];
  sources: { source: string | null; registered: number; attended: number }[];
  seen: { id: string; count: number }[];
  clicked: { id: string; count: number }[];
  answered: { id: string; count: number }[];
  answers: { id: string; option: string; count: number }[];
  viewers: { point: number; count: number }[];
}

// $1 account, $2 webinar or session, $3 id before which the page begins, $4 rows, $5 seconds between points of the curve, $6 points.
// A point is the second in the middle of its part: nearly everyone joins some seconds late, so second 0 has no viewers. The bits of
// `watched` have the order of get_bit. Cancelled registrations count only as cancelled and for revenue.
const countPage = (name: string, where: string) =>
  statement({
    name,
    text: `
      with person as materialized (
        select r.id, r.session_id, r.status, r.utm_source, r.purchased, a.*,
          r.status in ('attending', 'attended') as attended
        from (
          select id, session_id, status, utm_source, purchased from attendees.registration
          where account_id = $1 and ${where} and id < $3 and status <> 'test'
          order by id desc limit $4
        ) r
        left join lateral (
          select first_joined_at, completed_at, replay_watched_at, watched_seconds, completion_percent, watched, clicks, answers, views
          from attendees.attendance where account_id = $1 and registration_id = r.id limit 1
        ) a on true
      ), live as (select * from person where status <> 'cancelled')
      select (select count(*)::int from person) as "rowCount",
        (select id from person order by id limit 1) as "lastId",
        array(select id from person where purchased) as buyers,
        json_build_object(
          'sessions', (select coalesce(json_agg(s), '[]') from (
            select session_id as id, count(*) filter (where status <> 'cancelled') as registered,
              count(*) filter (where status = 'cancelled') as cancelled,
              count(first_joined_at) filter (where status <> 'cancelled') as joined,
              count(*) filter (where attended) as attended,
              count(*) filter (where status = 'no_show') as "noShow",
              count(completed_at) filter (where attended) as completed,
              count(*) filter (where attended and (clicks <> '{}' or answers <> '{}')) as engaged,
              count(*) filter (where attended and jsonb_path_exists(clicks, '$.* ? (@ == "offer" || @ == "cta")')) as clicked,
              count(replay_watched_at) filter (where status <> 'cancelled') as "watchedReplay",
              count(*) filter (where attended and purchased) as "attendedBuyers",
              coalesce(sum(watched_seconds) filter (where attended), 0) as "watchedSeconds",
              coalesce(sum(completion_percent) filter (where attended), 0) as "watchedPercent"
            from person group by session_id) s),
          'sources', (select coalesce(json_agg(s), '[]') from (
            select utm_source as source, count(*) as registered, count(*) filter (where attended) as attended
            from live group by utm_source) s),
          'seen', (select coalesce(json_agg(s), '[]') from (
            select v.id, count(*) as count from live cross join jsonb_array_elements_text(views) v (id) group by v.id) s),
          'clicked', (select coalesce(json_agg(s), '[]') from (
            select c.id, count(*) as count from live cross join jsonb_object_keys(clicks) c (id) group by c.id) s),
          'answered', (select coalesce(json_agg(s), '[]') from (
            select p.id, count(*) as count from live cross join jsonb_object_keys(answers) p (id) group by p.id) s),
          'answers', (select coalesce(json_agg(s), '[]') from (
            select p.id, o.option, count(*) as count
            from live cross join jsonb_each(answers) p (id, options) cross join jsonb_array_elements_text(p.options) o (option)
            group by p.id, o.option) s),
          'viewers', (select coalesce(json_agg(s), '[]') from (
            select point, count(*) as count
            from live cross join generate_series(0, least($6::int, (length(watched) * 8 + $5::int / 2 - 1) / $5::int) - 1) point
            where first_joined_at is not null and get_bit(watched, point * $5::int + $5::int / 2) = 1
            group by point) s)
        ) as page`,
    row: {
      rowCount: column.integer,
      lastId: nullable(column.id),
      buyers: column.ids,
      page: column.json<Page>(),
    },
  });

const pages = {
  webinar: countPage('attendees.count_people_of_webinar', 'webinar_id = $2'),
  session: countPage('attendees.count_people_of_session', 'session_id = $2'),
};

export interface CountOptions {
  of: keyof typeof pages;
  /** Of the webinar or the session. */
  id: string;
  curve: CurveSteps;
  /** Undefined for a caller who may not read revenue. */
  readRevenue: ((registrationIds: readonly string[]) => Promise<Revenues | undefined>) | undefined;
}

/** Counts the newest registrations of a webinar or a session, at most 100,000. */
export async function countPeopleOf(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { of, id, curve, readRevenue }: CountOptions,
): Promise<People> {
  const people: People = {
    counted: 0,
    isComplete: true,
    bySession: new Map(),
    bySource: new Map(),
    byInteraction: new Map(),
    viewers: Array.from({ length: curve.count }, () => 0),
    revenue: readRevenue && { buyers: 0, sums: new Map() },
  };
  let before = highestId;
  let isRead = false;
  while (!isRead) {
    const limit = Math.min(pageRows, countedMax - people.counted);
    const values = [accountId, id, before, limit, curve.stepSeconds, curve.count];
    const { rowCount, lastId, buyers, page } = (await query(pages[of], values))[0]!;
    people.counted += rowCount;
    addPage(people, page);
    if (people.revenue && buyers.length > 0) {
      people.revenue.buyers += buyers.length;
      for (const sums of (await readRevenue!(buyers))?.values() ?? []) addSums(people.revenue.sums, sums);
    }
    people.isComplete = people.counted < countedMax;
    isRead = rowCount < limit || !people.isComplete;
    before = lastId ?? before;
  }
  return people;
}

function addPage({ bySession, bySource, byInteraction, viewers }: People, page: Page): void {
  for (const { id, ...counts } of page.sessions) addCounts(entryOf(bySession, id, noCounts), counts);
  for (const { source, ...counts } of page.sources)
    addCounts(
      entryOf(bySource, source, () => ({ registered: 0, attended: 0 })),
      counts,
    );
  const responsesOf = (id: string): ResponseCounts =>
    entryOf(byInteraction, id, () => ({ seen: 0, clicked: 0, answered: 0, answers: new Map() }));
  for (const name of ['seen', 'clicked', 'answered'] as const)
    for (const { id, count } of page[name]) responsesOf(id)[name] += count;
  for (const { id, option, count } of page.answers) {
    const { answers } = responsesOf(id);
    answers.set(option, (answers.get(option) ?? 0) + count);
  }
  for (const { point, count } of page.viewers) viewers[point]! += count;
}

/** Adds numbers to those with the same names. */
export function addCounts<Name extends string>(
  to: Record<Name, number>,
  counts: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(counts) as Name[]) to[name] += counts[name];
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

function addSums(to: Map<string, number>, sums: readonly z.input<typeof RegistrationRevenue>[]): void {
  for (const { currency, netMinor } of sums) to.set(currency, (to.get(currency) ?? 0) + netMinor);
}
