import type { AttendeeFacts } from '@service/conditions';
import { type AccountReader, lowestId, type Query, statement } from '@service/database';
import { keysIn, loadSessions, loadWebinars, type Session, type Webinar } from '@service/webinars';
import {
  type AttendanceFacts,
  attendanceFactsRow,
  factsOfAttendance,
  nothingDone,
} from '../entities/attendance.ts';
import { type Registration, registrationRow, utmOf } from '../entities/registration.ts';

/** A registration, cancelled or not, with the current facts of its attendee. */
export interface Attendee {
  registration: Registration;
  session: Session;
  webinar: Webinar;
  facts: AttendanceFacts;
  /** Time of the last heartbeat. Null if there was none. */
  lastSeenAt: Date | null;
  /** Null while the attendee is in the room, and if they never were. */
  leftAt: Date | null;
}

interface WatchTime extends Pick<Attendee, 'facts'> {
  webinar: Pick<Webinar, 'attendance'>;
}

/** True if an attendee joined and watched for the minimum time of the webinar. */
export const hasAttended = ({ facts, webinar }: WatchTime): boolean =>
  facts.joined && facts.watchedSeconds >= webinar.attendance.minSeconds;

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

const selectByIds = statement({
  name: 'attendees.select_attendees',
  text: `
    select r.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id) join attendees.registration r using (account_id, id)
    order by r.id`,
  row: registrationRow.columns,
});

/** Finds attendees by registration id, in the order of the ids. Unknown and foreign ids are left out. */
export const findAttendees = (
  { query, accountId }: Reader,
  registrationIds: readonly string[],
): Promise<Attendee[]> => loadAttendees(query, keysIn(accountId, registrationIds));

/** Like findAttendees. `keys` may be of several accounts; each registration is named once. */
export async function loadAttendees(
  query: Query,
  keys: readonly Pick<Registration, 'accountId' | 'id'>[],
): Promise<Attendee[]> {
  if (keys.length === 0) return [];
  const rows = await query(selectByIds, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return describeAttendees(query, rows.map(registrationRow.toEntity));
}

const selectByEmail = statement({
  name: 'attendees.select_attendees_by_email',
  text: `
    select r.* from unnest($2::text[]) as person (email) cross join lateral (
      select * from attendees.registration own
      where own.account_id = $1 and own.email = person.email and own.status <> 'test'
      order by own.id desc limit $3
    ) r
    order by r.id`,
  row: registrationRow.columns,
});

/**
 * The newest registrations of people, `countMax` of each, in the order in which they were made. `emails` are in lower case, as registrations store
 * them.
 */
export async function findAttendeesByEmail(
  { query, accountId }: Reader,
  emails: readonly string[],
  countMax: number,
): Promise<Attendee[]> {
  if (emails.length === 0) return [];
  const rows = await query(selectByEmail, [accountId, emails, countMax]);
  return describeAttendees(query, rows.map(registrationRow.toEntity));
}

const selectAttendances = statement({
  name: 'attendees.select_attendee_facts',
  text: `
    select ${Object.keys(attendanceFactsRow.columns).join(', ')} from unnest($1::uuid[], $2::uuid[]) as k (account_id, registration_id)
    join attendees.attendance using (account_id, registration_id)`,
  row: attendanceFactsRow.columns,
});

/** Loads session, webinar and attendance of registrations, in three concurrent statements. */
export async function describeAttendees(
  query: Query,
  registrations: readonly Registration[],
): Promise<Attendee[]> {
  if (registrations.length === 0) return [];
  const keysOf = (name: 'sessionId' | 'webinarId') => [
    ...new Map(registrations.map(({ accountId, [name]: id }) => [id, { accountId, id }] as const)).values(),
  ];
  const [attendanceRows, sessions, webinars] = await Promise.all([
    query(selectAttendances, [
      registrations.map(({ accountId }) => accountId),
      registrations.map(({ id }) => id),
    ]),
    loadSessions(query, keysOf('sessionId')),
    loadWebinars(query, keysOf('webinarId')),
  ]);
  const attendances = new Map(
    attendanceRows.map((row) => [row.registration_id, attendanceFactsRow.toEntity(row)]),
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

interface RosterQuery {
  sessionId: string;
  /** The last registration of the previous page. Undefined for the first page. */
  after: string | undefined;
  limit: number;
}

const selectPage = statement({
  name: 'attendees.select_roster',
  text: `
    select * from attendees.registration where account_id = $1 and session_id = $2 and id > $3 and status <> 'test'
    order by id limit $4`,
  row: registrationRow.columns,
});

/** A page of the attendees of a session, also cancelled ones but no test attendees, in the order of registration. */
export async function listRoster(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  { sessionId, after = lowestId, limit }: RosterQuery,
): Promise<Attendee[]> {
  const rows = await reader.query(selectPage, [reader.accountId, sessionId, after, limit]);
  return describeAttendees(reader.query, rows.map(registrationRow.toEntity));
}

interface FactSources {
  registration: Registration;
  session: Pick<Session, 'kind'>;
  facts: AttendanceFacts;
  chatMessages?: readonly string[];
}

/** The facts that conditions compare, from a registration and its attendance. */
export function factsOf({ registration, session, facts, chatMessages = [] }: FactSources): AttendeeFacts {
  const clicked = Object.entries(facts.clicks);
  const utm = utmOf(registration);
  return {
    watchedPercent: facts.watchedPercent,
    watchedMinutes: Math.floor(facts.watchedSeconds / 60),
    joined: facts.joined,
    completed: facts.completed,
    purchased: registration.purchased,
    clickedOffer: clicked.filter(([, type]) => type === 'offer').map(([id]) => id),
    clickedInteraction: clicked.map(([id]) => id),
    pollAnswer: Object.entries(facts.answers).flatMap(([interactionId, optionIds]) =>
      optionIds.map((optionId) => ({ interactionId, optionId })),
    ),
    chatMessage: chatMessages,
    'utm.source': utm.source,
    'utm.medium': utm.medium,
    'utm.campaign': utm.campaign,
    'utm.term': utm.term,
    'utm.content': utm.content,
    customFields: registration.customFields,
    sessionKind: session.kind,
    registrationSource: registration.source,
  };
}
