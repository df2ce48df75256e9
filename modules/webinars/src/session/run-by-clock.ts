// The session clock's part in sessions: find those of every account that are due, and move them on. Any number of processes
// may call these at once; sessions that another one has locked are left for the next round.
import {
  type AccountWriter,
  anyOf,
  column,
  isFirstDue,
  type Query,
  type RowsOf,
  statement,
  type Transaction,
} from '@service/database';
import { closingSeconds, type Session, sessionRow } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';
import type { SessionSubscriber } from './change-session.ts';

export type SessionKey = Pick<Session, 'accountId' | 'id'>;

const sessionKey = { accountId: column.id, id: column.id };

/** Sessions that one round ends, and whose no-shows it finds. The others wait for the next round. */
const roundMax = 1000;

const table = 'webinars.session';

/** True if a function below may find a session. */
export const hasDueSession = anyOf([
  isFirstDue({ table, time: 'starts_at', where: `control = 'clock' and status = 'scheduled'` }),
  isFirstDue({ table, time: 'ends_at', where: `control = 'clock' and status = 'live'` }),
  isFirstDue({ table, time: 'closing_at', where: 'closing_at is not null' }),
  isFirstDue({ table, time: 'no_show_at', where: 'no_show_at is not null' }),
]);

// A session whose whole time has passed starts as well, and ends in the same round.
const start = statement({
  name: 'webinars.start_sessions',
  text: `
    with due as (
      select account_id, id from webinars.session
      where control = 'clock' and status = 'scheduled' and starts_at <= $1
      order by starts_at limit $2 for no key update skip locked
    )
    update webinars.session s set status = 'live', actual_started_at = s.starts_at
    from due where s.account_id = due.account_id and s.id = due.id
    returning s.account_id as "accountId", s.webinar_id as "webinarId"`,
  allAccounts: 'The session clock serves every account.',
  row: { accountId: column.id, webinarId: column.id },
});

/** Starts sessions whose time has come, at most `limit`. Returns the webinar of each. */
export const startSessions = (query: Query, now: Date, limit: number): Promise<RowsOf<typeof start>[]> =>
  query(start, [now, limit]);

const selectEnding = statement({
  name: 'webinars.select_ending_sessions',
  text: `
    select account_id as "accountId", id from webinars.session
    where control = 'clock' and status = 'live' and ends_at <= $1
    order by ends_at limit ${roundMax}`,
  allAccounts: 'The session clock serves every account.',
  row: sessionKey,
});

/** Live sessions whose time is over, in every account. */
export const findEndingSessions = (query: Query, now: Date): Promise<SessionKey[]> =>
  query(selectEnding, [now]);

// The same times as clearingAfter gives to a session that a call ends.
const end = statement({
  name: 'webinars.end_sessions',
  text: `
    with due as (
      select id from webinars.session
      where account_id = $1 and id = any($2::uuid[]) and control = 'clock' and status = 'live' and ends_at <= $3
      for no key update skip locked
    )
    update webinars.session s set
      status = 'ended', actual_ended_at = s.ends_at, closing_at = s.ends_at + interval '${closingSeconds} seconds',
      no_show_at = case when s.kind <> 'on_demand'
        then s.ends_at + make_interval(mins => (w.attendance ->> 'noShowGraceMinutes')::int) end
    from due, webinars.webinar w
    where s.account_id = $1 and s.id = due.id and w.account_id = $1 and w.id = s.webinar_id
    returning s.*`,
  row: sessionRow.columns,
});

/** Ends sessions of an account whose time is over, and calls the subscriber. Returns how many. */
export async function endSessions(
  tx: AccountWriter,
  ids: readonly string[],
  subscriber: SessionSubscriber,
): Promise<number> {
  const rows = await tx.query(end, [tx.accountId, ids, tx.now]);
  const changes = rows.map((row) => ({ change: 'ended', session: sessionRow.toEntity(row) }) as const);
  if (changes.length > 0) await subscriber.onSessions(tx, changes);
  return changes.length;
}

const lockClosing = statement({
  name: 'webinars.lock_closing_sessions',
  text: `
    select account_id as "accountId", id from webinars.session where closing_at <= $1
    order by closing_at limit $2 for no key update skip locked`,
  allAccounts: 'The session clock serves every account.',
  row: sessionKey,
});

/** Locks ended sessions whose attendees are to be checked out, at most `limit`. */
export const lockClosingSessions = (
  { query }: Pick<Transaction, 'query'>,
  now: Date,
  limit: number,
): Promise<SessionKey[]> => query(lockClosing, [now, limit]);

const markClosed = statement({
  name: 'webinars.mark_sessions_closed',
  text: `
    update webinars.session s set closing_at = null from unnest($1::uuid[], $2::uuid[]) as k (account_id, id)
    where s.account_id = k.account_id and s.id = k.id`,
});

/** Records that the attendees of locked sessions were checked out. */
export async function markSessionsClosed(
  { query }: Pick<Transaction, 'query'>,
  keys: readonly SessionKey[],
): Promise<void> {
  await query(markClosed, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
}

const selectNoShow = statement({
  name: 'webinars.select_no_show_sessions',
  text: `
    select account_id as "accountId", id from webinars.session where no_show_at <= $1 and closing_at is null
    order by no_show_at limit ${roundMax}`,
  allAccounts: 'The session clock serves every account.',
  row: sessionKey,
});

/** Ended sessions whose no-shows are to be found. Not before all attendees were checked out. */
export const findNoShowSessions = (query: Query, now: Date): Promise<SessionKey[]> =>
  query(selectNoShow, [now]);

/** A session whose no-shows this transaction finds. */
export interface NoShowSession {
  session: Session;
  webinarStatus: Webinar['status'];
  minSeconds: number;
}

// The turn is an advisory lock: a transaction locks registrations before it locks their session's row; see places.ts.
const lockNoShow = statement({
  name: 'webinars.lock_no_show_session',
  text: `
    with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended($2::text, 7216340557)) as is_ours)
    select s.*, w.status as webinar_status, (w.attendance ->> 'minSeconds')::int as min_seconds
    from turn, webinars.session s join webinars.webinar w on w.account_id = s.account_id and w.id = s.webinar_id
    where turn.is_ours and s.account_id = $1 and s.id = $2::uuid and s.no_show_at <= $3`,
  row: {
    ...sessionRow.columns,
    webinar_status: column.textOf<Webinar['status']>(),
    min_seconds: column.integer,
  },
});

/** Takes the turn to find a session's no-shows. Undefined when another process has it, or has found them all. */
export async function lockNoShowSession(
  { query }: Pick<Transaction, 'query'>,
  { accountId, id }: SessionKey,
  now: Date,
): Promise<NoShowSession | undefined> {
  const [row] = await query(lockNoShow, [accountId, id, now]);
  if (!row) return undefined;
  const { webinar_status: webinarStatus, min_seconds: minSeconds } = row;
  return { session: sessionRow.toEntity(row), webinarStatus, minSeconds };
}

// A session that was reset and ended again meanwhile has another time.
const markNoShowsFound = statement({
  name: 'webinars.mark_no_shows_found',
  text: 'update webinars.session set no_show_at = null where account_id = $1 and id = $2 and no_show_at = $3',
});

/** Records, with the commit, that all no-shows of a session were found. */
export const finishNoShows = (tx: Transaction, { accountId, id, noShowAt }: Session): void =>
  tx.defer(markNoShowsFound, [accountId, id, noShowAt]);
