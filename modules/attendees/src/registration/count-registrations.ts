import {
  column,
  idAt,
  nullable,
  statement,
  type AccountQueries,
  type AccountReader,
} from '@service/database';
import { findWebinar, loadSessions } from '@service/webinars';
import type { z } from 'zod';
import type { SessionCountsInput, SessionCountsOutput } from './schemas.ts';

export interface PeopleCount {
  /** Registrations of the time range that are not cancelled. */
  registrants: number;
  /** Registrations of the time range whose attendee has joined. */
  attendees: number;
}

interface CountOptions {
  /** Undefined: all webinars. */
  webinarId?: string | undefined;
  /** Registrations made at this time or later. */
  from: Date;
  /** Registrations made before this time. */
  to: Date;
}

/** A count of one webinar ends here, after about 100 ms. */
const peopleMax = 1_000_000;

const selectEmails = statement({
  name: 'attendees.select_emails',
  text: `
    select email from attendees.registration where account_id = $1 and email > $2 and status <> 'test'
    group by email order by email limit $3`,
  row: { email: column.text },
});

/** A page of the e-mail addresses of an account, each once, in alphabetical order. */
export const listEmails = async (
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> => (await query(selectEmails, [accountId, after, limit])).map(({ email }) => email);

const selectEmailBefore = statement({
  name: 'attendees.select_email_before',
  text: `
    select email from attendees.registration where account_id = $1 and email < $2 order by email desc limit 1`,
  row: { email: column.text },
});

/** The e-mail address of an account before another one in alphabetical order. Empty: there is none. */
export const findEmailBefore = async (
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  email: string,
): Promise<string> => (await query(selectEmailBefore, [accountId, email]))[0]?.email ?? '';

const countOfEmails = statement({
  name: 'attendees.count_emails',
  text: `
    select count(*)::int as count from (
      select from attendees.registration where account_id = $1 and status <> 'test' group by email limit ${peopleMax}) people`,
  row: { count: column.integer },
});

/** The e-mail addresses of an account, at most a million. */
export const countEmails = async ({
  query,
  accountId,
}: Pick<AccountReader, 'query' | 'accountId'>): Promise<number> =>
  (await query(countOfEmails, [accountId]))[0]!.count;

/** Webinars that are counted. */
const countedWebinarsMax = 2000;

// An index has the answer of each count, so no row is read. $1 account, $2 first id, $3 id after the last one, $4 webinar or null.
const countByWebinar = statement({
  name: 'attendees.count_people',
  text: `
    with recursive webinar (id) as (
      (select webinar_id from attendees.registration
        where account_id = $1 and webinar_id >= coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
        order by webinar_id limit 1)
      union all
      select (
        select r.webinar_id from attendees.registration r where r.account_id = $1 and r.webinar_id > webinar.id
        order by r.webinar_id limit 1)
      from webinar where webinar.id is not null and $4 is null
    )
    select webinar.id as webinar_id,
      (select count(*)::int from (
        select from attendees.registration r
        where r.account_id = $1 and r.webinar_id = webinar.id and r.id >= $2 and r.id < $3
          and r.status in ('registered', 'attending', 'attended', 'no_show')
        limit ${peopleMax}) counted) as registrants,
      (select count(*)::int from (
        select from attendees.attendance a
        where a.account_id = $1 and a.webinar_id = webinar.id and a.registration_id >= $2 and a.registration_id < $3
          and a.first_joined_at is not null
        limit ${peopleMax}) counted) as attendees
    from webinar where webinar.id is not null and ($4 is null or webinar.id = $4)
    limit ${countedWebinarsMax}`,
  row: { webinar_id: nullable(column.id), registrants: column.integer, attendees: column.integer },
});

/**
 * Counts the people who registered in a time range, by webinar. Undefined when there are more than are counted: a million of one
 * webinar, or 2,000 webinars.
 */
export async function countPeople(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { webinarId, from, to }: CountOptions,
): Promise<Map<string, PeopleCount> | undefined> {
  const rows = await query(countByWebinar, [accountId, idAt(from), idAt(to), webinarId ?? null]);
  const isCut =
    rows.length === countedWebinarsMax || rows.some(({ registrants }) => registrants === peopleMax);
  if (isCut) return undefined;
  return new Map(rows.map(({ webinar_id: id, registrants, attendees }) => [id!, { registrants, attendees }]));
}

const readStatusCounts = statement({
  name: 'attendees.read_status_counts',
  text: `
    select session_id, sum(attending)::int as attending, sum(attended)::int as attended, sum(no_show)::int as "noShow",
      sum(cancelled)::int as cancelled
    from attendees.status_count where account_id = $1 and session_id = any($2::uuid[]) group by session_id`,
  row: {
    session_id: column.id,
    attending: column.integer,
    attended: column.integer,
    noShow: column.integer,
    cancelled: column.integer,
  },
});

const countPresent = statement({
  name: 'attendees.count_present',
  text: `
    select session_id, count(*)::int as present from attendees.attendance
    where account_id = $1 and session_id = any($2::uuid[]) and check_at is not null
    group by session_id`,
  row: { session_id: column.id, present: column.integer },
});

/**
 * Counts the registrations of sessions by status, and the attendees who are in the room now, for all sessions at once.
 * A session of another webinar has no registrations. Throws webinar_not_found.
 */
export async function countSessions(
  reader: AccountReader,
  { webinarId, sessionIds }: z.output<typeof SessionCountsInput>,
): Promise<z.input<typeof SessionCountsOutput>[]> {
  const { query, accountId } = reader;
  await findWebinar(reader, webinarId);
  const sessions = await loadSessions(
    query,
    sessionIds.map((id) => ({ accountId, id })),
  );
  const ids = sessionIds.filter((id) => sessions.get(id)?.webinarId === webinarId);
  const [statuses, presences] = await Promise.all([
    query(readStatusCounts, [accountId, ids]),
    query(countPresent, [accountId, ids]),
  ]);
  const present = new Map(presences.map((row) => [row.session_id, row.present]));
  const statusesOf = new Map(statuses.map(({ session_id: id, ...counts }) => [id, counts]));
  return sessionIds.map((sessionId) => {
    const counts = statusesOf.get(sessionId) ?? { attending: 0, attended: 0, noShow: 0, cancelled: 0 };
    const live = ids.includes(sessionId) ? sessions.get(sessionId)!.registeredCount : 0;
    // The session is read before its counts, so an attendee who registers and joins between both reads is in one of them only.
    const registered = Math.max(0, live - counts.attending - counts.attended - counts.noShow);
    return { sessionId, registered, ...counts, inRoom: live === 0 ? 0 : (present.get(sessionId) ?? 0) };
  });
}

/** A count of one time ends here, so that no page waits for it. */
const trendMax = 10_000;
const trendMs = 30 * 86_400_000;

// $1 account, $2 first id, $3 id after the last one.
const countOfTime = statement({
  name: 'attendees.count_registrations_of_time',
  text: `
    select count(*)::int as registrations,
      (count(*) filter (where c.status in ('attending', 'attended')))::int as attended,
      (count(*) filter (where c.status = 'no_show'))::int as "noShow"
    from (
      select status from attendees.registration
      where account_id = $1 and id >= $2 and id < $3 and status not in ('test', 'cancelled') limit ${trendMax}
    ) c`,
  row: { registrations: column.integer, attended: column.integer, noShow: column.integer },
});

interface Counted {
  /** At most 10,000. The others are counts of these. */
  registrations: number;
  attended: number;
  noShow: number;
}

interface Trend {
  /** Registrations of one time are counted up to this number. */
  countedMax: number;
  current: Counted;
  former: Counted;
}

/** The registrations of a time, without cancelled ones. */
export async function countRegistrationsBetween(
  { query, accountId }: AccountQueries,
  { from, to }: { from: Date; to: Date },
): Promise<Counted> {
  const [counted] = await query(countOfTime, [accountId, idAt(from), idAt(to)]);
  return counted!;
}

/** The registrations of the last 30 days and of the 30 days before, without cancelled ones. */
export async function readTrend(reader: AccountReader): Promise<Trend> {
  const at = (times: number): Date => new Date(reader.now.getTime() - times * trendMs);
  const [current, former] = await Promise.all([
    // The id of a registration is made a little after the time of its request.
    countRegistrationsBetween(reader, { from: at(1), to: at(-1) }),
    countRegistrationsBetween(reader, { from: at(2), to: at(1) }),
  ]);
  return { countedMax: trendMax, current, former };
}
