import { defineModule } from '@service/module';
import { sessionClock, type SessionClockParts } from './clock/session-clock.ts';
import { Attendance } from './entities/attendance.ts';
import { AttendeeEventRow } from './entities/attendee-event.ts';
import { PollCount } from './entities/poll-count.ts';
import { Registration } from './entities/registration.ts';
import { attendeeErrors } from './errors.ts';
import type { EventSubscriber } from './event/event-subscriber.ts';
import { createRoomApi, type RoomApiParts } from './http/room-api.ts';
import { attendeeMigrations, attendeePartitionedTables } from './migrations/index.ts';
import type { JoinLinks } from './registration/join-token.ts';
import { createRegistrationsRouter } from './registration/router.ts';
import { responsesRouter } from './response/router.ts';

export const attendeesModule = defineModule({
  name: 'attendees',
  entities: [Registration, Attendance, AttendeeEventRow, PollCount],
  migrations: attendeeMigrations,
  partitions: attendeePartitionedTables,
  errors: attendeeErrors,
  router: ({ subscriber, joinLinks }: { subscriber: EventSubscriber; joinLinks: JoinLinks }) => ({
    registrations: createRegistrationsRouter({ subscriber, joinLinks }),
    responses: responsesRouter,
  }),
  http: ({ room, feed, docsUrl, log, now }: RoomApiParts) => createRoomApi({ room, feed, docsUrl, log, now }),
  repeats: (parts: SessionClockParts) => [sessionClock(parts)],
});
