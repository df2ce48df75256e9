import { rowToEntity, type AccountReader } from '@service/database';
import type { Registration } from '../registration/registration.ts';
import type { Session } from '../session/session.ts';
import type { Webinar } from '../webinar/webinar.ts';
import { factsOfAttendance, nothingDone, type Attendance, type AttendanceFacts } from './attendance.ts';

/** A registration, cancelled or not, with the current facts of its attendee. */
export interface Attendee {
  registration: Registration;
  session: Session;
  webinar: Pick<Webinar, 'id' | 'title' | 'status' | 'attendance'>;
  facts: AttendanceFacts;
  /** Time of the last heartbeat. Null if there was none. */
  lastSeenAt: Date | null;
  /** Null while the attendee is in the room, and if they never were. */
  leftAt: Date | null;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

const selectByIds = {
  name: 'webinars.select_attendees',
  text: `
    select * from webinars.registration where account_id = $1 and id = any($2::uuid[])
    order by id`,
};

/** Finds attendees by registration id, in the order of the ids. Unknown and foreign ids are left out. */
export async function findAttendees(reader: Reader, registrationIds: readonly string[]): Promise<Attendee[]> {
  if (registrationIds.length === 0) return [];
  const rows = await reader.query(selectByIds, [reader.accountId, registrationIds]);
  return describeAttendees(
    reader,
    rows.map((row) => rowToEntity<Registration>(row)),
  );
}

// Leaves out `watched`, the largest column.
const selectAttendances = {
  name: 'webinars.select_attendee_facts',
  text: `
    select registration_id, first_joined_at, last_seen_at, left_at, watched_seconds, completion_percent, completed_at,
      clicks, answers
    from webinars.attendance where account_id = $1 and registration_id = any($2::uuid[])`,
};

const selectSessions = {
  name: 'webinars.select_attendee_sessions',
  text: 'select * from webinars.session where account_id = $1 and id = any($2::uuid[])',
};

const selectWebinars = {
  name: 'webinars.select_attendee_webinars',
  text: 'select id, title, status, attendance from webinars.webinar where account_id = $1 and id = any($2::uuid[])',
};

/** Loads session, webinar and attendance of registrations, in three concurrent statements. */
export async function describeAttendees(
  { query, accountId }: Reader,
  registrations: readonly Registration[],
): Promise<Attendee[]> {
  if (registrations.length === 0) return [];
  const idsOf = (idOf: (registration: Registration) => string): string[] => [
    ...new Set(registrations.map((registration) => idOf(registration))),
  ];
  const [attendanceRows, sessionRows, webinarRows] = await Promise.all([
    query(selectAttendances, [accountId, idsOf(({ id }) => id)]),
    query(selectSessions, [accountId, idsOf(({ sessionId }) => sessionId)]),
    query(selectWebinars, [accountId, idsOf(({ webinarId }) => webinarId)]),
  ]);
  const attendances = new Map(
    attendanceRows.map((row) => [row['registration_id'], rowToEntity<Attendance>(row)]),
  );
  const sessions = new Map(sessionRows.map((row) => [row['id'], rowToEntity<Session>(row)]));
  const webinars = new Map(webinarRows.map((row) => [row['id'], rowToEntity<Attendee['webinar']>(row)]));
  return registrations.map((registration) => {
    const attendance = attendances.get(registration.id);
    return {
      registration,
      session: sessions.get(registration.sessionId)!,
      webinar: webinars.get(registration.webinarId)!,
      facts: attendance ? factsOfAttendance(attendance) : nothingDone,
      lastSeenAt: attendance?.lastSeenAt ?? null,
      leftAt: attendance?.leftAt ?? null,
    };
  });
}
