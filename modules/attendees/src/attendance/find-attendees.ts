import { rowToEntity, type AccountReader } from '@service/database';
import { loadSessions, loadWebinars, type Session, type Webinar } from '@service/webinars';
import {
  factsOfAttendance,
  nothingDone,
  type Attendance,
  type AttendanceFacts,
} from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';

/** Somebody who registered for a session, cancelled or not, and what is known of them now. */
export interface Attendee {
  registration: Registration;
  session: Session;
  webinar: Pick<Webinar, 'id' | 'title' | 'status' | 'attendance'>;
  facts: AttendanceFacts;
  /** When they were last heard of in the room; null for somebody who was never there. */
  lastSeenAt: Date | null;
  /** When they left; null while they are there, and for somebody who never was. */
  leftAt: Date | null;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

const selectByIds = {
  name: 'attendees.select_attendees',
  text: `
    select * from attendees.registration where account_id = $1 and id = any($2::uuid[])
    order by id`,
};

/** What is known of some registrations, in the order of their ids; those that are not there, or not yours, are left out. */
export async function findAttendees(reader: Reader, registrationIds: readonly string[]): Promise<Attendee[]> {
  if (registrationIds.length === 0) return [];
  const rows = await reader.query(selectByIds, [reader.accountId, registrationIds]);
  return describeAttendees(
    reader,
    rows.map((row) => rowToEntity<Registration>(row)),
  );
}

// Without the seconds that were watched, which are most of a row.
const selectAttendances = {
  name: 'attendees.select_attendee_facts',
  text: `
    select registration_id, first_joined_at, last_seen_at, left_at, watched_seconds, completion_percent, completed_at,
      clicks, answers
    from attendees.attendance where account_id = $1 and registration_id = any($2::uuid[])`,
};

/** Adds to registrations what else is known of them: three statements in one breath, however many they are. */
export async function describeAttendees(
  { query, accountId }: Reader,
  registrations: readonly Registration[],
): Promise<Attendee[]> {
  if (registrations.length === 0) return [];
  const idsOf = (idOf: (registration: Registration) => string): string[] => [
    ...new Set(registrations.map((registration) => idOf(registration))),
  ];
  const [attendanceRows, sessions, webinars] = await Promise.all([
    query(selectAttendances, [accountId, idsOf(({ id }) => id)]),
    loadSessions(
      query,
      idsOf(({ sessionId }) => sessionId).map((id) => ({ accountId, id })),
    ),
    loadWebinars(
      query,
      idsOf(({ webinarId }) => webinarId).map((id) => ({ accountId, id })),
    ),
  ]);
  const attendances = new Map(
    attendanceRows.map((row) => [row['registration_id'], rowToEntity<Attendance>(row)]),
  );
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
