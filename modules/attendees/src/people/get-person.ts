import { type AccountReader, column, idAt, lowestIdSince, statement } from '@service/database';
import { cursorId, type Principal, recordToOutput, toPage } from '@service/trpc';
import { keysIn, loadSessions, loadWebinars } from '@service/webinars';
import type { z } from 'zod';
import { countSeconds } from '../attendance/watched.ts';
import { RegistrantAttendanceOutput } from '../attendance/read-attendances.ts';
import { Attendance } from '../entities/attendance.ts';
import type { AttendeeEventType } from '../entities/attendee-event.ts';
import { Registration, statusOf } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import { mayReadRevenue, purchaseEventTypes, type Revenues } from '../registration/revenue-reader.ts';
import {
  type ListPersonEventsInput,
  partsMax,
  type PersonDetailOutput,
  type PersonInput,
  PersonRegistrationOutput,
  registrationsMax,
} from './schemas.ts';

/** The fields of a registration without those that may be large. */
const fields = [
  'id',
  'webinarId',
  'sessionId',
  'name',
  'email',
  'phone',
  'status',
  'source',
  'registeredAt',
] as const;

/** The registrations of the person of one of them, newest first, and one more than are shown. Throws registration_not_found. */
async function findRegistrations(
  { em, accountId }: AccountReader,
  { registrationId }: z.output<typeof PersonInput>,
) {
  const where = { accountId, status: { $ne: 'test' as const } };
  const known = await em.findOne(Registration, { ...where, id: registrationId }, { fields: ['email'] });
  if (!known) throw attendeeErrors.registration_not_found();
  return em.find(
    Registration,
    { ...where, email: known.email },
    { fields, orderBy: { id: 'desc' }, limit: registrationsMax + 1 },
  );
}

type RevenuesOf = (
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  registrationIds: readonly string[],
) => Promise<Revenues | undefined>;

/** Everything about a person in one answer, without their events. Throws registration_not_found. */
export async function getPerson(
  reader: AccountReader,
  input: z.output<typeof PersonInput>,
  revenuesOf: RevenuesOf,
): Promise<z.input<typeof PersonDetailOutput>> {
  const { em, query, accountId } = reader;
  const all = await findRegistrations(reader, input);
  const registrations = all.slice(0, registrationsMax);
  const ids = registrations.map(({ id }) => id);
  const attendances = await em.find(
    Attendance,
    { accountId, registrationId: { $in: ids } },
    { exclude: ['visits', 'path', 'replayPath'] },
  );
  const attendanceOf = new Map(attendances.map((one) => [one.registrationId, one]));
  const [sessions, webinars, revenues] = await Promise.all([
    loadSessions(
      query,
      keysIn(
        accountId,
        registrations.map(({ sessionId }) => sessionId),
      ),
    ),
    loadWebinars(
      query,
      keysIn(
        accountId,
        registrations.map(({ webinarId }) => webinarId),
      ),
    ),
    revenuesOf(reader, ids),
  ]);
  return {
    email: registrations[0]!.email,
    names: [...new Set(registrations.map(({ name }) => name))],
    isMore: all.length > registrationsMax,
    registrations: registrations.map((registration) => {
      const attendance = attendanceOf.get(registration.id);
      const webinar = webinars.get(registration.webinarId)!;
      return {
        ...recordToOutput(PersonRegistrationOutput.omit({ revenue: true }), registration, {
          webinarTitle: webinar.title,
          webinarStatus: webinar.status === 'deleted' ? null : webinar.status,
          timezone: webinar.timezone,
          sessionTime: sessions.get(registration.sessionId)!.startsAt,
          status: statusOf(registration),
          attendance: attendance ? recordToOutput(RegistrantAttendanceOutput, attendance, {}) : null,
          watchedParts: attendance ? watchedParts(attendance.watched, webinar.durationSeconds) : [],
        }),
        ...(revenues && { revenue: revenues.get(registration.id) ?? [] }),
      };
    }),
  };
}

/** The percent that was watched of each part of a video. Empty without a watched second. */
export function watchedParts(watched: Uint8Array, durationSeconds: number): number[] {
  const lastSecond = watched.findLastIndex((byte) => byte !== 0) * 8 + 8;
  if (lastSecond <= 0) return [];
  const seconds = Math.max(durationSeconds, lastSecond);
  const parts = Math.min(partsMax, seconds);
  return Array.from({ length: parts }, (_, index) => {
    const from = Math.floor((index * seconds) / parts);
    const to = Math.floor(((index + 1) * seconds) / parts);
    return Math.round((100 * countSeconds(watched, from, to)) / (to - from));
  });
}

// Each registration has a walk of its own along its index. $1 account, $2 registrations, $3 their first ids, $4 before this id,
// $5 how many, $6 types that are left out.
const selectEvents = statement({
  name: 'attendees.select_events_of_person',
  text: `
    select e.id, e.type, e.occurred_at as "occurredAt", e.data, e.webinar_id as "webinarId", e.registration_id as "registrationId"
    from unnest($2::uuid[], $3::uuid[]) as of (registration_id, first_id)
    cross join lateral (
      select * from attendees.attendee_event
      where account_id = $1 and registration_id = of.registration_id and id >= of.first_id and id < $4
        and type <> all ($6::text[])
      order by id desc limit $5
    ) e
    order by e.id desc limit $5`,
  row: {
    id: column.id,
    type: column.textOf<AttendeeEventType>(),
    occurredAt: column.time,
    data: column.json<Record<string, unknown>>(),
    webinarId: column.id,
    registrationId: column.id,
  },
});

/** A page of the events of a person in all webinars, newest first. Throws registration_not_found. */
export async function listPersonEvents(
  reader: AccountReader,
  { limit, cursor, ...input }: z.output<typeof ListPersonEventsInput>,
  principal: Principal,
) {
  const { query, accountId, now } = reader;
  const scope = { list: 'person_events', accountId, filters: input };
  const registrations = (await findRegistrations(reader, input)).slice(0, registrationsMax);
  const rows = await query(selectEvents, [
    accountId,
    registrations.map(({ id }) => id),
    registrations.map(({ id }) => lowestIdSince(id)),
    cursorId(cursor, scope) ?? idAt(new Date(now.getTime() + 86_400_000)),
    limit + 1,
    mayReadRevenue(principal) ? [] : purchaseEventTypes,
  ]);
  return toPage(rows, {
    limit,
    scope,
    toItem: ({ occurredAt, ...event }) => ({ ...event, occurredAt: occurredAt.toISOString() }),
  });
}
