import { accountWriter, type Transaction } from '@service/database';
import { acceptsEvents, loadSessions, loadWebinars, type Session, type Webinar } from '@service/webinars';
import { checkDeparture } from '../attendance/departure.ts';
import { factsOfAttendance, type Presence } from '../entities/attendance.ts';
import { registrationRow, type Registration } from '../entities/registration.ts';
import type { EventInterest } from '../event/event-subscriber.ts';
import { publishEvents, type EventDraft } from '../event/publish-events.ts';
import { lockRegistrations, markAttended, updateAttendances } from './departures.sql.ts';
import type { Round } from './round.ts';

/** An attendee who was in the room at the last check. */
interface Attendee {
  attendance: Presence;
  registration: Registration;
  session: Session;
  webinar: Webinar;
}

interface Leaver extends Attendee {
  left: EventDraft;
}

/**
 * Checks the presence of attendees whose rows this transaction has locked, and publishes `left`. Returns the number of those who
 * left.
 */
export async function recordDepartures(
  tx: Transaction,
  { now, subscriber }: Round,
  attendances: readonly Presence[],
): Promise<number> {
  if (attendances.length === 0) return 0;
  const attendees = await describe(tx, attendances);
  const checked = attendees.map((attendee) => ({
    ...attendee,
    ...checkDeparture(attendee.attendance, { session: attendee.session, now }),
  }));
  const leavers = checked.filter((one): one is typeof one & Leaver => one.left !== undefined);
  const published = leavers.filter(
    ({ webinar, registration }) => acceptsEvents(webinar) && registration.status !== 'cancelled',
  );
  const groups = await Promise.all(
    [...Map.groupBy(published, ({ webinar }) => webinar.id)].map(async ([webinarId, own]) => {
      const writer = accountWriter(tx, { accountId: own[0]!.webinar.accountId, now });
      return { own, writer, interest: await subscriber.findInterest(writer, webinarId, 'left') };
    }),
  );
  await write(tx, checked, leavers);
  for (const { own, writer, interest } of groups) await publish(writer, own, interest);
  return leavers.length;
}

async function describe({ query }: Transaction, attendances: readonly Presence[]): Promise<Attendee[]> {
  const keysOf = (idOf: (attendance: Presence) => string) => {
    const accountById = new Map(attendances.map((one) => [idOf(one), one.accountId]));
    return [...accountById].map(([id, accountId]) => ({ id, accountId }));
  };
  const registrationKeys = keysOf(({ registrationId }) => registrationId);
  const [rows, sessions, webinars] = await Promise.all([
    query(lockRegistrations, [
      registrationKeys.map(({ accountId }) => accountId),
      registrationKeys.map(({ id }) => id),
    ]),
    loadSessions(
      query,
      keysOf(({ sessionId }) => sessionId),
    ),
    loadWebinars(
      query,
      keysOf(({ webinarId }) => webinarId),
    ),
  ]);
  const registrations = new Map(rows.map((row) => [row.id, registrationRow.toEntity(row)]));
  return attendances.map((attendance) => ({
    attendance,
    registration: registrations.get(attendance.registrationId)!,
    session: sessions.get(attendance.sessionId)!,
    webinar: webinars.get(attendance.webinarId)!,
  }));
}

async function write(
  { query }: Transaction,
  checked: readonly Attendee[],
  leavers: readonly Leaver[],
): Promise<void> {
  const attendances = checked.map(({ attendance }) => attendance);
  const attended = leavers.filter(isAttending).map(({ registration }) => registration);
  await Promise.all([
    query(updateAttendances, [
      attendances.map(({ accountId }) => accountId),
      attendances.map(({ registrationId }) => registrationId),
      attendances.map(({ checkAt }) => checkAt),
      attendances.map(({ leavingAt }) => leavingAt),
      attendances.map(({ leftAt }) => leftAt),
    ]),
    attended.length > 0 &&
      query(markAttended, [
        attended.map((registration) => registration.accountId),
        attended.map((registration) => registration.id),
      ]),
  ]);
}

const isAttending = ({ registration }: Attendee): boolean => registration.status === 'attending';

const publish = (
  writer: Parameters<typeof publishEvents>[0],
  leavers: readonly Leaver[],
  interest: EventInterest,
): Promise<void> =>
  publishEvents(
    writer,
    leavers.map(({ left, ...leaver }) => ({
      ...left,
      webinar: leaver.webinar,
      registration: isAttending(leaver)
        ? { ...leaver.registration, status: 'attended' as const }
        : leaver.registration,
      session: leaver.session,
      facts: factsOfAttendance(leaver.attendance),
    })),
    interest,
  );
