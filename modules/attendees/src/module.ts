import type { ChangeAnnouncer } from '@service/changes';
import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import type { SecretBox } from '@service/secrets';
import type { SessionSubscriber } from '@service/webinars';
import type { ClockSubscriber } from './clock/round.ts';
import { type ClockCounts, hasClockWork, runSessionClock } from './clock/run-session-clock.ts';
import { createAnalyticsRouter } from './analytics/router.ts';
import { Attendance } from './entities/attendance.ts';
import { AttendeeEventRow, Click, PollCount, ResponseCount } from './entities/attendee-event.ts';
import { Registration, StatusCount } from './entities/registration.ts';
import { HiddenMessage, PresenterMessage } from './entities/session-message.ts';
import { eraseAttendee } from './erasure/erase-attendee.ts';
import {
  continueErasures,
  deleteOldErasures,
  Erasure,
  hasDueErasure,
  sealedErasures,
  type Erasers,
} from './erasure/erasures.ts';
import { attendeeErrors } from './errors.ts';
import type { EventSubscriber } from './event/event-subscriber.ts';
import { createSlugLookup } from './http/page-admission.ts';
import { createPageApi, type PageApiParts } from './http/page-api.ts';
import { createRoomApi, type RoomApiParts } from './http/room-api.ts';
import { attendeeMigrations, attendeePartitionedTables } from './migrations/index.ts';
import { createPeopleRouter } from './people/router.ts';
import type { JoinLinks } from './registration/join-token.ts';
import type { RevenueReader } from './registration/revenue-reader.ts';
import { createRegistrationsRouter } from './registration/router.ts';
import { deleteTestAttendees } from './registration/test-attendee.ts';
import { createResponsesRouter } from './response/router.ts';
import type { Announce } from './room/feed.ts';

interface RouterParts {
  subscriber: EventSubscriber & SessionSubscriber;
  joinLinks: JoinLinks;
  readRevenue: RevenueReader;
  announce: Announce;
  secretBox: SecretBox;
}

interface HttpParts extends Omit<RoomApiParts & PageApiParts, 'lookUpSlug'> {
  database: Database;
}

interface WorkerParts {
  database: Database;
  subscriber: ClockSubscriber;
  changes: Pick<ChangeAnnouncer, 'announce'>;
  erasers: Erasers;
  secretBox: SecretBox;
  countSessionClock: (counts: ClockCounts) => void;
}

/** A round ends after this time, so that 100,000 no-shows of one session do not delay the start of other sessions. */
const roundMs = 2000;

export const attendeesModule = defineModule({
  name: 'attendees',
  entities: [
    Registration,
    StatusCount,
    Attendance,
    AttendeeEventRow,
    Click,
    PollCount,
    ResponseCount,
    PresenterMessage,
    HiddenMessage,
    Erasure,
  ],
  migrations: attendeeMigrations,
  partitions: attendeePartitionedTables,
  sealed: [sealedErasures],
  subscribers: { erasure: () => eraseAttendee },
  errors: attendeeErrors,
  router: ({ announce, ...parts }: RouterParts) => ({
    registrations: createRegistrationsRouter(parts),
    people: createPeopleRouter(parts),
    responses: createResponsesRouter({ announce }),
    analytics: createAnalyticsRouter(parts),
  }),
  http: ({ database, ...parts }: HttpParts) => {
    const lookUpSlug = createSlugLookup(database.query);
    const rooms = createRoomApi({ ...parts, database, lookUpSlug });
    const pages = createPageApi({ ...parts, database, lookUpSlug });
    return {
      mount(routes) {
        rooms.mount(routes);
        pages.mount(routes);
      },
      close: () => rooms.close?.(),
    };
  },
  repeats: ({ database, subscriber, changes, erasers, secretBox, countSessionClock }: WorkerParts) => [
    {
      name: 'session_clock',
      everyMs: 1000,
      async run(now, { signal, onFailure }) {
        const roundEnd = AbortSignal.any([signal, AbortSignal.timeout(roundMs)]);
        const onStarted = (accountId: string, webinarId: string): void =>
          changes.announce(accountId, 'sessions', webinarId);
        const options = { now, subscriber, onStarted, signal: roundEnd, onFailure };
        countSessionClock(await runSessionClock(database, options));
      },
    },
    {
      name: 'erasures',
      everyMs: 1000,
      run: (now, context) => continueErasures(database, { ...context, now, erasers, secretBox }),
    },
  ],
  workConditions: { session_clock: hasClockWork, erasures: hasDueErasure },
  jobs: ({ database }: Pick<WorkerParts, 'database'>) => ({
    crons: [
      {
        name: 'attendees.delete_test_attendees',
        pattern: '27 * * * *',
        run: (now) => deleteTestAttendees(database.query, now),
      },
      {
        name: 'attendees.delete_old_erasures',
        pattern: '29 3 * * *',
        run: async (now) => void (await deleteOldErasures(database.query, now)),
      },
    ],
  }),
});
