import { id, instant, pageInput } from '@service/trpc';
import { z } from 'zod';
import { sessionControls, sessionKinds, sessionStatuses } from '../entities/session.ts';
import { moment, timezone } from '../field-inputs.ts';

const place = { webinarId: id('webinar'), sessionId: id('session') };

export const SessionInput = z.strictObject(place);

export const ListSessionsInput = z.strictObject({
  webinarId: id('webinar'),
  status: z.enum(sessionStatuses).optional(),
  kind: z.enum(sessionKinds).optional(),
  from: moment.optional().describe('Only sessions that start at this time or later.'),
  to: moment.optional().describe('Only sessions that start before this time.'),
  ...pageInput,
});

export const ListSlotsInput = z.strictObject({
  webinarId: id('webinar'),
  timezone: timezone.optional().describe('Time zone of `localTime`. Default: the time zone of the webinar.'),
  limit: z.number().int().min(1).max(50).optional().describe('Default: `slotsShown` of the schedule.'),
});

export const CreateSessionInput = z.strictObject({
  webinarId: id('webinar'),
  startsAt: moment.describe('Announced start. Must be in the future.'),
  control: z
    .literal('api')
    .describe('Clock-controlled sessions come from the schedule and cannot be created.'),
});

export const UpdateSessionInput = z.strictObject({
  ...place,
  startsAt: moment.describe('New start. Must be in the future. The duration stays the same.'),
});

export const ProgressSessionInput = z
  .strictObject({
    ...place,
    action: z
      .enum(['start', 'seek', 'advance', 'end'])
      .describe(
        '`start` a scheduled session, `seek` to `positionSeconds`, `advance` to `segmentId`, or `end` a live session.',
      ),
    positionSeconds: z
      .number()
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .describe('Required for `seek`. At most the duration.'),
    segmentId: z.uuid().optional().describe('Required for `advance`.'),
  })
  .superRefine(({ action, positionSeconds, segmentId }, { addIssue }) => {
    const requireFor = (wanted: typeof action, path: string, value: unknown): void => {
      if (action === wanted && value === undefined)
        addIssue({ code: 'custom', path: [path], message: `Required to ${wanted}.` });
      if (action !== wanted && value !== undefined)
        addIssue({ code: 'custom', path: [path], message: `Only allowed to ${wanted}.` });
    };
    requireFor('seek', 'positionSeconds', positionSeconds);
    requireFor('advance', 'segmentId', segmentId);
  });

export const SessionOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  kind: z.enum(sessionKinds),
  control: z
    .enum(sessionControls)
    .describe('`clock`: starts and ends at its times. `api`: starts and ends by API calls.'),
  status: z.enum(sessionStatuses),
  startsAt: instant(),
  endsAt: instant(),
  actualStartedAt: instant().nullable().describe('Time of the actual start.'),
  actualEndedAt: instant()
    .nullable()
    .describe('Time of the actual end, or of the cancellation of a live session.'),
  timezone: z.string(),
  recurrenceKey: z
    .string()
    .nullable()
    .describe('The recurrence that the session comes from. Null if it was created in another way.'),
  positionSeconds: z
    .number()
    .int()
    .describe(
      'Current position of the video: the time since the start, or the position last set by a call. 0 for on-demand sessions, ' +
        'where each viewer has their own position.',
    ),
  currentSegmentId: z.uuid().nullable().describe('The segment of an adaptive session last set by `advance`.'),
  registrationCount: z.number().int().describe('Number of registrations, cancelled ones not counted.'),
  createdAt: instant(),
});

export const SlotOutput = z.object({
  startsAt: instant().describe('Use it as `sessionTime` of a registration.'),
  endsAt: instant(),
  kind: z.enum(sessionKinds),
  localTime: z.string().describe('The start in the requested time zone, with its UTC offset.'),
  sessionId: z.uuid().nullable().describe('Null until the first registration creates the session.'),
});
