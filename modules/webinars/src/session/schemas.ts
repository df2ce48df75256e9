import { forwards, id, instant, pageInput, sortOrder, timezone } from '@service/trpc/fields';
import { z } from 'zod';
import { sessionControls, sessionKinds, sessionStatus } from '../entities/enums.ts';
import { durationSeconds, intBetween, moment } from '../field-inputs.ts';
import { ScheduleInput } from '../schedule/schedule.ts';

/** Of the schedule that made the session. */
export const sessionKind = z.enum(sessionKinds).meta({
  id: 'SessionKind',
  description:
    '`scheduled`: at a planned time. `just_in_time`: at the next start of a fixed interval. `on_demand`: at any time, and each ' +
    'viewer has their own position.',
});

const place = { webinarId: id('webinar'), sessionId: id('session') };

export const WebinarInput = z.strictObject({ webinarId: id('webinar') });

export const SessionInput = z.strictObject(place);

export const ListSessionsInput = forwards(
  z.strictObject({
    webinarId: id('webinar'),
    status: sessionStatus.optional().describe('Only sessions with this status.'),
    kind: sessionKind.optional().describe('Only sessions of this kind.'),
    from: moment.optional().describe('Only sessions that start at this time or later.'),
    to: moment.optional().describe('Only sessions that start before this time.'),
    sort: z
      .enum(['createdAt', 'startsAt'])
      .meta({
        id: 'SessionSort',
        description: 'The field that the list is sorted by. Defaults to `createdAt`.',
      })
      .optional(),
    order: sortOrder.optional(),
    ...pageInput,
  }),
);

export const ListSessionsByStartInput = z.strictObject({
  webinarId: id('webinar'),
  when: z
    .enum(['upcoming', 'live', 'past'])
    .describe('`past` includes cancelled sessions that have registrations.'),
  order: sortOrder.optional().describe('Of the start. By default the nearest to now is first.'),
  ...pageInput,
});

export const ListSlotsInput = z.strictObject({
  webinarId: id('webinar'),
  timezone: timezone
    .optional()
    .describe('Time zone of `localTime`. Defaults to the time zone of the webinar.'),
  limit: intBetween(1, 50)
    .optional()
    .describe('Maximum number of times. Defaults to `slotsShown` of the schedule.'),
});

/** A schedule that is not saved yet. */
export const PreviewSlotsInput = z.strictObject({ schedule: ScheduleInput, timezone, durationSeconds });

/** A time of a schedule that is not saved yet. */
export const PreviewSlotOutput = z.object({ startsAt: instant(), endsAt: instant(), kind: sessionKind });

export const OpenSessionsOutput = z.object({
  sessions: z.number().int().describe('Sessions that have not ended.'),
  registrations: z.number().int().describe('Their registrations, without cancelled ones.'),
});

export const CreateSessionInput = z
  .strictObject({
    webinarId: id('webinar'),
    startsAt: moment.describe('Announced start. Must be in the future.'),
    control: z
      .literal('api')
      .describe('Always `api`. Sessions that run by the clock come from the schedule.'),
  })
  .meta({ id: 'CreateSessionInput' });

export const UpdateSessionInput = z
  .strictObject({
    ...place,
    startsAt: moment.describe('New start. Must be in the future. The duration stays the same.'),
  })
  .meta({ id: 'UpdateSessionInput' });

export const ProgressSessionInput = z
  .strictObject({
    ...place,
    action: z.enum(['start', 'seek', 'advance', 'end']).meta({
      id: 'ProgressAction',
      description:
        '`start`: starts a scheduled session. `seek`: moves a live session to `positionSeconds`. `advance`: moves the viewers of a live adaptive session to `segmentId`. `end`: ends a live session.',
    }),
    positionSeconds: intBetween(0, 86_400)
      .optional()
      .describe('Position in the video, at most its duration. Required for `seek`, not allowed otherwise.'),
    segmentId: id('segment').optional().describe('Required for `advance`, not allowed otherwise.'),
  })
  .superRefine(({ action, positionSeconds, segmentId }, { addIssue }) => {
    const requireFor = (wanted: typeof action, path: string, value: unknown): void => {
      if (action === wanted && value === undefined)
        addIssue({ code: 'custom', path: [path], message: `Required for ${wanted}.` });
      if (action !== wanted && value !== undefined)
        addIssue({ code: 'custom', path: [path], message: `Only allowed for ${wanted}.` });
    };
    requireFor('seek', 'positionSeconds', positionSeconds);
    requireFor('advance', 'segmentId', segmentId);
  })
  .meta({ id: 'ProgressSessionInput' });

export const SessionOutput = z
  .object({
    id: id('session'),
    webinarId: id('webinar'),
    kind: sessionKind,
    control: z.enum(sessionControls).meta({
      id: 'SessionControl',
      description: '`clock`: starts and ends by the clock. `api`: starts and ends by progress calls.',
    }),
    status: sessionStatus,
    startsAt: instant(),
    endsAt: instant(),
    actualStartedAt: instant().nullable().describe('When the session started. Null before.'),
    actualEndedAt: instant()
      .nullable()
      .describe('When the session ended or was cancelled while live. Null before.'),
    timezone: z.string().describe('IANA time zone of the webinar.'),
    recurrenceKey: z
      .string()
      .nullable()
      .describe('Recurrence that the session comes from. Null for other sessions.'),
    positionSeconds: z
      .number()
      .int()
      .describe(
        'Position of the video: the time since the start, or the position set by the last `seek`. Always 0 for on-demand ' +
          'sessions, because each viewer has their own position.',
      ),
    currentSegmentId: z
      .uuid()
      .nullable()
      .describe('Segment set by the last `advance`. Null if there was none.'),
    registrationCount: z.number().int().describe('Number of registrations that are not cancelled.'),
    createdAt: instant(),
  })
  .meta({ id: 'Session' });

export const SlotOutput = z
  .object({
    startsAt: instant().describe('Start of the session. Pass it as `sessionTime` to register.'),
    endsAt: instant(),
    kind: sessionKind,
    localTime: z.string().describe('Start in the requested time zone, with its UTC offset.'),
    sessionId: z
      .uuid()
      .nullable()
      .describe('Null if the session does not exist yet. The first registration creates it.'),
  })
  .meta({ id: 'SessionSlot' });
