import { accountWriter, rowToEntity, type Database } from '@service/database';
import { closingSeconds } from '../session/session-end.ts';
import type { Session } from '../session/session.ts';
import { attempt, type Round } from './round.ts';

/** Sessions per round. */
const sessionsMax = 1000;

const selectDue = {
  name: 'webinars.select_ending_sessions',
  text: `
    select account_id, id from webinars.session
    where control = 'clock' and status = 'live' and ends_at <= $1
    order by ends_at limit ${sessionsMax}`,
};

// Sets the same times as clearingAfter does for sessions that a call ends. Skips sessions that another worker is ending.
const end = {
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
};

interface Due {
  account_id: string;
  id: string;
}

/** Ends live sessions with control `clock` whose end has come, and calls the subscriber. Returns their number. */
export async function endSessions(database: Database, round: Round): Promise<number> {
  const due = await database.query<Due>(selectDue, [round.now]);
  let ended = 0;
  for (const [accountId, own] of Map.groupBy(due, (session) => session.account_id)) {
    const ids = own.map(({ id }) => id);
    ended += (await attempt(round, () => endOfAccount(database, round, { accountId, ids }))) ?? 0;
    if (round.signal?.aborted) break;
  }
  return ended;
}

const endOfAccount = (
  database: Database,
  { now, subscriber }: Round,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<number> =>
  database.transaction(async (tx) => {
    const rows = await tx.query(end, [accountId, ids, now]);
    const changes = rows.map((row) => ({ change: 'ended', session: rowToEntity<Session>(row) }) as const);
    if (changes.length > 0) await subscriber.onSessions(accountWriter(tx, { accountId, now }), changes);
    return changes.length;
  });
