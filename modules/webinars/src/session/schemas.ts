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
  from: moment.optional().describe('Starts at this time or later.'),
  to: moment.optional().describe('Starts before this time.'),
  ...pageInput,
});

export const ListSlotsInput = z.strictObject({
  webinarId: id('webinar'),
  timezone: timezone.optional().describe('Of `localTime`; left out: that of the webinar.'),
  limit: z.number().int().min(1).max(50).optional().describe('Left out: `slotsShown` of the schedule.'),
});

export const CreateSessionInput = z.strictObject({
  webinarId: id('webinar'),
  startsAt: moment.describe('When it is announced for. Must be in the future.'),
  control: z.literal('api').describe('Sessions that run by the clock come from the schedule.'),
});

export const UpdateSessionInput = z.strictObject({
  ...place,
  startsAt: moment.describe('Must be in the future. The session lasts as long as before.'),
});

export const ProgressSessionInput = z
  .strictObject({
    ...place,
    action: z
      .enum(['start', 'seek', 'advance', 'end'])
      .describe(
        '`start` a scheduled session; `seek` to positionSeconds; `advance` to segmentId; `end` a live one.',
      ),
    positionSeconds: z
      .number()
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .describe('For seek: inside the duration.'),
    segmentId: z.uuid().optional().describe('For advance.'),
  })
  .superRefine(({ action, positionSeconds, segmentId }, { addIssue }) => {
    const requireFor = (wanted: typeof action, path: string, value: unknown): void => {
      if (action === wanted && value === undefined)
        addIssue({ code: 'custom', path: [path], message: `Needed to ${wanted}.` });
      if (action !== wanted && value !== undefined)
        addIssue({ code: 'custom', path: [path], message: `Only to ${wanted}.` });
    };
    requireFor('seek', 'positionSeconds', positionSeconds);
    requireFor('advance', 'segmentId', segmentId);
  });

export const SessionOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  kind: z.enum(sessionKinds),
  control: z.enum(sessionControls).describe('`clock`: starts and ends by itself; `api`: by calls.'),
  status: z.enum(sessionStatuses),
  startsAt: instant(),
  endsAt: instant(),
  actualStartedAt: instant().nullable().describe('When the clock or a call started it.'),
  actualEndedAt: instant()
    .nullable()
    .describe('When the clock or a call ended it, or a call cancelled it while it was live.'),
  timezone: z.string(),
  recurrenceKey: z.string().nullable().describe('The recurrence that it comes from.'),
  positionSeconds: z
    .number()
    .int()
    .describe(
      'Where its video is: by the clock since its start, or where a call has put it. On demand each viewer has a place of ' +
        'their own, and it is 0.',
    ),
  currentSegmentId: z.uuid().nullable().describe('Where `advance` has put an adaptive one.'),
  registrationCount: z.number().int().describe('Registrations that are not cancelled.'),
  createdAt: instant(),
});

export const SlotOutput = z.object({
  startsAt: instant().describe('The sessionTime of a registration.'),
  endsAt: instant(),
  kind: z.enum(sessionKinds),
  localTime: z.string().describe('The start as the asked zone’s clock shows it, with its offset.'),
  sessionId: z.uuid().nullable().describe('Null until somebody registers for it.'),
});
