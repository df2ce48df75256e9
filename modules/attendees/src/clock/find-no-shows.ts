import {
  accountWriter,
  column,
  lowestId,
  statement,
  type AccountWriter,
  type Database,
  type Transaction,
} from '@service/database';
import {
  acceptsEvents,
  findNoShowSessions,
  finishNoShows,
  lockNoShowSession,
  type Session,
  type SessionKey,
} from '@service/webinars';
import { describeAttendees, type Attendee } from '../attendance/find-attendees.ts';
import { registrationRow, type Registration } from '../entities/registration.ts';
import type { EventInterest } from '../event/event-subscriber.ts';
import { publishEvents } from '../event/publish-events.ts';
import { attempt, type Round } from './round.ts';

const pageMax = 2000;

const selectPage = statement({
  name: 'attendees.select_no_show_page',
  text: `
    select id, status from attendees.registration where account_id = $1 and session_id = $2 and id > $3
    order by id limit ${pageMax}`,
  row: { id: column.id, status: column.textOf<Registration['status']>() },
});

// In the order in which other transactions lock several registrations of a session. By id only: with outdated statistics after
// a large import the planner would use the index on status for each row.
const lockRegistrations = statement({
  name: 'attendees.lock_no_show_registrations',
  text: `
    select * from attendees.registration where account_id = $1 and id = any($2::uuid[])
    order by email for no key update`,
  row: registrationRow.columns,
});

const markAbsent = statement({
  name: 'attendees.mark_no_shows',
  text: `update attendees.registration set status = 'no_show' where account_id = $1 and id = any($2::uuid[])`,
});

/** Finds the no-shows of sessions that ended a while ago, page by page of their registrations. Returns how many. */
export async function findNoShows(database: Database, round: Round): Promise<number> {
  const due = await findNoShowSessions(database.query, round.now);
  let found = 0;
  for (const session of due) {
    for (let after: string | undefined = lowestId; after !== undefined;) {
      const pageStart: string = after;
      const page = await attempt(round, () =>
        database.transaction((tx) => findOfPage(tx, round, { ...session, after: pageStart })),
      );
      found += page?.found ?? 0;
      after = page?.last;
      if (round.signal?.aborted) return found;
    }
  }
  return found;
}

interface Page {
  found: number;
  /** The last registration of a full page. Undefined if this was the last page. */
  last?: string;
}

/** Does nothing when another worker has the session's turn, or has found them all. */
async function findOfPage(
  tx: Transaction,
  { now, subscriber }: Round,
  { accountId, id, after }: SessionKey & { after: string },
): Promise<Page> {
  const locked = await lockNoShowSession(tx, { accountId, id }, now);
  if (!locked) return { found: 0 };
  const { session, webinarStatus, minSeconds } = locked;
  if (!acceptsEvents({ status: webinarStatus })) {
    finishNoShows(tx, session);
    return { found: 0 };
  }
  const writer = accountWriter(tx, { accountId, now });
  const [interest, page] = await Promise.all([
    subscriber.findInterest(writer, session.webinarId, 'no_show'),
    tx.query(selectPage, [accountId, id, after]),
  ]);
  const absent = await lockAbsent(writer, page, minSeconds);
  await publishNoShows(writer, { session, absent, interest });
  if (page.length === pageMax) return { found: absent.length, last: page.at(-1)!.id };
  finishNoShows(tx, session);
  return { found: absent.length };
}

type Listed = Pick<Registration, 'id' | 'status'>;

/** Locks the registrations whose attendees did not come, or not for long enough. Cancelled ones are left out. */
async function lockAbsent(
  writer: AccountWriter,
  listed: readonly Listed[],
  minSeconds: number,
): Promise<Attendee[]> {
  const mayBeAbsent = ({ status }: Listed): boolean =>
    status === 'registered' || (minSeconds > 0 && (status === 'attending' || status === 'attended'));
  const ids = listed.filter(mayBeAbsent).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await writer.query(lockRegistrations, [writer.accountId, ids]);
  const attendees = await describeAttendees(
    writer.query,
    rows.map(registrationRow.toEntity).filter(mayBeAbsent),
  );
  return attendees.filter(
    ({ registration, facts }) => registration.status === 'registered' || facts.watchedSeconds < minSeconds,
  );
}

interface NoShows {
  session: Session;
  absent: readonly Attendee[];
  interest: EventInterest;
}

async function publishNoShows(writer: AccountWriter, { session, absent, interest }: NoShows): Promise<void> {
  if (absent.length === 0) return;
  const { accountId, now } = writer;
  const sessionStartedAt = (session.actualStartedAt ?? session.startsAt).toISOString();
  const happened = {
    type: 'no_show',
    occurredAt: now,
    data: { detectedAt: now.toISOString(), sessionStartedAt },
  } as const;
  writer.defer(markAbsent, [accountId, absent.map(({ registration }) => registration.id)]);
  const events = absent.map(({ webinar, registration, facts }) => ({
    ...happened,
    webinar,
    registration: { ...registration, status: 'no_show' as const },
    session,
    facts,
  }));
  await publishEvents(writer, events, interest);
}
