// The room protocol of pages, the simulator and outside players. Unknown fields of a body are ignored.
import { id, instant, text } from '@service/trpc';
import { z } from 'zod';
import { sessionStatuses } from '../session/session.ts';

/** One day, as for the longest webinar. */
const secondsMax = 86_400;
const intervalsMax = 100;

const second = z.number().min(0).max(secondsMax);

export const HeartbeatInput = z.object({
  visitId: id('visit'),
  seq: z
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .describe('Number of the heartbeat in its visit: 1, 2, 3 and so on. Each number counts once.'),
  playheadSeconds: second.describe('Position of the player in the video.'),
  intervals: z
    .array(z.tuple([second, second]))
    .max(intervalsMax)
    .describe(
      'Parts of the video played since the previous heartbeat, as [from, to] in seconds. A heartbeat adds at most the time since the previous one, up to 90 seconds.',
    ),
  state: z.enum(['playing', 'paused', 'ended']),
  visible: z.boolean().default(true),
  segmentId: id('segment')
    .optional()
    .describe(
      'Segment that was played, for adaptive webinars. Defaults to the current segment of the viewer.',
    ),
});

export const AnswerInput = z.object({ optionId: text(100) });

export const MessageInput = z.object({ text: text(1000) });

const SessionState = z.object({
  status: z.enum(sessionStatuses),
  startsAt: instant(),
  endsAt: instant(),
  positionSeconds: z.number().describe('Position at which the video should play.'),
});

const Choice = z.object({
  branchId: z.uuid(),
  label: z.string(),
  promptText: z.string().nullable(),
  promptAtSeconds: z.number().nullable(),
  timeoutSeconds: z.number(),
});

/** The current segment of a viewer of an adaptive webinar, with the choices there. */
export const PathState = z.object({
  segmentId: z.uuid(),
  title: z.string(),
  videoUrl: z.string().nullable(),
  durationSeconds: z.number(),
  isTerminal: z.boolean(),
  inTransition: z.boolean().describe('True if the segment has ended and no branch is taken yet.'),
  choices: z.array(Choice),
  defaultBranchId: z.uuid().nullable().describe('Branch to take if the viewer does not choose in time.'),
});

export const PollResults = z.array(
  z.object({ optionId: z.string(), label: z.string(), count: z.number().int() }),
);

const RoomInteraction = z.object({
  id: z.uuid(),
  type: z.enum(['offer', 'cta', 'poll', 'handout']),
  headline: z.string(),
  body: z.string().nullable(),
  segmentId: z.uuid().nullable(),
  showAtSeconds: z.number(),
  hideAtSeconds: z.number().nullable(),
  display: z.string(),
  dismissible: z.boolean(),
  clickUrl: z
    .string()
    .optional()
    .describe('Link that records the click and redirects to the URL of the interaction.'),
  buttonLabel: z.string().optional(),
  priceMinor: z.number().nullable().optional(),
  currency: z.string().nullable().optional(),
  imageUrl: z.string().nullable().optional(),
  couponCode: z.string().nullable().optional(),
  countdownSeconds: z.number().nullable().optional(),
  fileName: z.string().optional(),
  options: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
  multiple: z.boolean().optional(),
  answered: z.array(z.string()).optional().describe('Options that this attendee has chosen.'),
});

export const VisitOutput = z.object({
  visitId: z.uuid(),
  serverNow: instant(),
  webinar: z.object({
    id: z.uuid(),
    title: z.string().describe('Title that attendees see.'),
    description: z.string().nullable(),
    kind: z.enum(['standard', 'adaptive']),
    durationSeconds: z.number(),
    video: z
      .object({
        source: z.string(),
        url: z.string(),
        posterUrl: z.string().nullable(),
        captionsUrl: z.string().nullable(),
      })
      .nullable(),
    seekAllowed: z.boolean(),
    chatMode: z.enum(['public', 'private', 'off']),
  }),
  attendee: z.object({ name: z.string() }),
  session: SessionState,
  interactions: z.array(RoomInteraction),
  path: PathState.nullable(),
});

export const HeartbeatOutput = z.object({
  serverNow: instant(),
  status: z.enum(sessionStatuses),
  positionSeconds: z.number(),
  watchedSeconds: z.number().int(),
  completionPercent: z.number().int(),
  path: PathState.nullable().optional().describe('Only for adaptive webinars.'),
});

export type HeartbeatInput = z.output<typeof HeartbeatInput>;
export type VisitOutput = z.output<typeof VisitOutput>;
export type HeartbeatOutput = z.output<typeof HeartbeatOutput>;
export type PathState = z.output<typeof PathState>;
export type PollResults = z.output<typeof PollResults>;
