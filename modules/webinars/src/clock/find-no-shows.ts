import {
  accountWriter,
  rowToEntity,
  type AccountWriter,
  type Database,
  type Transaction,
} from '@service/database';
import { describeAttendees, type Attendee } from '../attendance/find-attendees.ts';
import { publishEvents } from '../event/attendee-event.ts';
import type { EventInterest } from '../event/event-subscriber.ts';
import type { Registration } from '../registration/registration.ts';
import type { Session } from '../session/session.ts';
import {
  lockRegistrations,
  lockSession,
  markAbsent,
  markFinished,
  pageMax,
  selectDueSessions,
  selectPage,
} from './no-shows.sql.ts';
import { attempt, type Round } from './round.ts';

interface Due {
  account_id: string;
  id: string;
}

const nil = '00000000-0000-0000-0000-000000000000';

/** Marks absent attendees of ended sessions as no-shows after the grace time, and publishes `no_show`. Returns their number. */
export async function findNoShows(database: Database, round: Round): Promise<number> {
  const due = await database.query<Due>(selectDueSessions, [round.now]);
  let found = 0;
  for (const session of due) {
    for (let after: string | undefined = nil; after !== undefined;) {
      const place: string = after;
      const page = await attempt(round, () =>
        database.transaction((tx) => findOfPage(tx, round, { ...session, after: place })),
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

interface LockedSession extends Due {
  webinar_status: string;
  min_seconds: number;
}

/** Does nothing if another worker has locked the session or has finished it. */
async function findOfPage(
  tx: Transaction,
  { now, subscriber }: Round,
  { account_id: accountId, id, after }: Due & { after: string },
): Promise<Page> {
  const [row] = await tx.query<LockedSession>(lockSession, [accountId, id, now]);
  if (!row) return { found: 0 };
  if (row.webinar_status !== 'published') {
    tx.defer(markFinished, [accountId, id]);
    return { found: 0 };
  }
  const session = rowToEntity<Session>(row);
  const writer = accountWriter(tx, { accountId, now });
  const [interest, page] = await Promise.all([
    subscriber.findInterest(writer, session.webinarId, 'no_show'),
    tx.query<Listed>(selectPage, [accountId, id, after]),
  ]);
  const absent = await holdAbsent(writer, page, row.min_seconds);
  await publishNoShows(writer, { session, absent, interest });
  if (page.length === pageMax) return { found: absent.length, last: page.at(-1)!.id };
  tx.defer(markFinished, [accountId, id]);
  return { found: absent.length };
}

type Listed = Pick<Registration, 'id' | 'status'>;

/** Locks and returns the registrations of a page that did not attend, or not for `minSeconds`, and are not cancelled. */
async function holdAbsent(
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
    writer,
    rows.map((row) => rowToEntity<Registration>(row)).filter(mayBeAbsent),
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
