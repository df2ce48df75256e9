// The room protocol: the bodies that pages, the simulator and other players send and receive. Bodies may have further fields.
import { instant, text } from '@service/trpc';
import { PathState, sessionStatuses } from '@service/webinars';
import { z } from 'zod';

export const AnswerInput = z.object({ optionId: text(100) });

export const MessageInput = z.object({ text: text(1000) });

const SessionState = z.object({
  status: z.enum(sessionStatuses),
  startsAt: instant(),
  endsAt: instant(),
  positionSeconds: z.number().describe('Position at which the video should play.'),
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

export type VisitOutput = z.output<typeof VisitOutput>;
export type HeartbeatOutput = z.output<typeof HeartbeatOutput>;
export type PollResults = z.output<typeof PollResults>;
