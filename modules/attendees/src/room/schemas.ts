// The room protocol: the bodies that pages, the simulator and other players send and receive. Bodies may have further fields.
import { id, instant, text } from '@service/trpc';
import {
  moment,
  PathState,
  pollResults,
  RegistrationPageSettingsOutput,
  sessionKinds,
  sessionStatuses,
} from '@service/webinars';
import { z } from 'zod';
import { BrandingOutput, CalendarLinks, OfferedSlot, pageLocales } from '../page/schemas.ts';
import { email } from '../registration/registrant-input.ts';

export const AnswerInput = z.object({ optionId: text(100) });

export const MessageInput = z.object({
  text: text(1000),
  replyTo: id('message').optional().describe('Message of the same session that this one answers.'),
});

export const TakeBranchInput = z.object({
  visitId: id('visit')
    .optional()
    .describe('The visit that the page opened. Without it, a replay moves the visit that was opened last.'),
});

export type TakeBranchInput = z.output<typeof TakeBranchInput>;

/** Body of the call that mails a lost link again. `token` is that of a link which was replaced, `slug` that of the webinar. */
export const LinkRequestInput = z
  .object({ token: text(200).optional(), slug: text(120).optional(), email })
  .refine(({ token, slug }) => token !== undefined || slug !== undefined, {
    path: ['token'],
    message: 'Give `token` or `slug`.',
  });

/** Body of the call that moves the attendee to another session. */
export const ChangeSessionInput = z.object({
  sessionTime: moment.describe('Start of the session, one of `changeableTo`.'),
});

const roomPhase = z
  .enum(['scheduled', 'lobby', 'live', 'replay', 'ended', 'cancelled'])
  .describe(
    '`scheduled` before the lobby opens, `lobby` until the session is live, `replay` while the recording can be watched ' +
      'after the session.',
  );

const SessionState = z.object({
  status: z.enum(sessionStatuses),
  startsAt: instant(),
  endsAt: instant(),
  positionSeconds: z.number().describe('Position at which the video should play.'),
  isReplay: z.boolean().describe('True if the visit watches the recording after the session.'),
  pace: z
    .enum(['shared', 'own', 'led'])
    .describe(
      '`shared`: all attendees watch at the live position. `own`: this attendee starts at `positionSeconds` and watches at their own pace. ' +
        '`led`: the host sets the position, and the feed says it.',
    ),
});

export const PollResults = z.array(
  z.object({ optionId: z.string(), label: z.string(), count: z.number().int() }),
);

const RoomInteraction = z.object({
  id: z.uuid(),
  type: z
    .enum(['offer', 'cta', 'poll', 'handout', 'chat'])
    .describe(
      '`chat`: a recorded message, with its text in `headline`. Pages add it to the chat and mark it.',
    ),
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
  authorName: z.string().optional().describe('Only for `chat`.'),
  options: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
  multiple: z.boolean().optional(),
  results: z.enum(pollResults).optional().describe('Only for polls: when attendees see the results.'),
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
  phase: z.enum(['lobby', 'live', 'replay']),
  session: SessionState,
  interactions: z
    .array(RoomInteraction)
    .describe('Those whose `showWhen` this attendee meets now; in a replay, those that it has.'),
  interactionsVersion: z
    .string()
    .describe('Send it with each heartbeat. The answer has a new list if the list has changed.'),
  path: PathState.nullable(),
});

export const HeartbeatOutput = z.object({
  serverNow: instant(),
  status: z.enum(sessionStatuses),
  positionSeconds: z.number(),
  watchedSeconds: z.number().int(),
  completionPercent: z.number().int(),
  path: PathState.optional().describe(
    'Only for adaptive webinars. In a replay only for the visit that was opened last.',
  ),
  interactions: z
    .array(RoomInteraction)
    .optional()
    .describe('Only if the list differs from the `interactionsVersion` of the heartbeat.'),
  interactionsVersion: z.string().optional(),
});

/** The pages of one attendee: before, during and after the session. Reading it opens no visit and counts nothing. */
export const PersonalPage = z.object({
  serverNow: instant(),
  locale: z.enum(pageLocales),
  phase: roomPhase,
  opensAt: instant().nullable().describe('Time at which the lobby opens. Null once it is open.'),
  webinar: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    kind: z.enum(['standard', 'adaptive']),
    timezone: z.string(),
    durationSeconds: z.number().int(),
    posterUrl: z.string().nullable(),
    presenters: RegistrationPageSettingsOutput.shape.presenters,
    takeaways: z.array(z.string()),
  }),
  branding: BrandingOutput,
  attendee: z.object({ name: z.string() }),
  session: z.object({
    id: z.uuid(),
    kind: z.enum(sessionKinds),
    startsAt: instant(),
    endsAt: instant(),
    status: z.enum(sessionStatuses),
  }),
  replay: z
    .object({ availableUntil: instant().nullable() })
    .nullable()
    .describe(
      'Null if the session has no replay. `availableUntil` is null before its end and without a limit.',
    ),
  calendar: CalendarLinks,
  changeableTo: z
    .array(OfferedSlot)
    .describe('Other sessions that the attendee can change to. Empty once they have joined.'),
  nextStep: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('offer'),
        headline: z.string(),
        clickUrl: z.url(),
        buttonLabel: z.string(),
      }),
      z.object({ kind: z.literal('next_session'), url: z.url() }),
    ])
    .nullable()
    .describe('The suggestion of the page after the session.'),
  isTest: z.boolean().describe('A test attendee of the dashboard, who is not counted.'),
});

/** The data of the HTML page of an attendee (`page-data`): the page, or the reason why there is none. */
export type PersonalPageData =
  | { page: PersonalPage }
  /** `join_link_expired` for a link that was replaced or never valid. */
  | { refusal: { code: string } };

/** The dashboard sends it to its frame of `/room/preview`, as `{ type: 'room-preview', preview }`. */
export interface RoomPreview {
  /** Of the webinar. */
  locale: string;
  scheme: 'light' | 'dark';
  branding: Pick<PersonalPage['branding'], 'name' | 'color' | 'logoUrl'>;
  webinar: { title: string; posterUrl: string | null };
  /** Shown as at its first second. */
  interaction: RoomInteraction | null;
  /** The branches to choose from, as at the end of a segment. */
  path: PathState | null;
}

export const MessageItem = z.object({
  type: z.literal('message'),
  id: z.uuid(),
  name: z.string(),
  text: z.string(),
  sentAt: instant(),
  own: z.boolean().describe('True if the reader wrote it.'),
  role: z.enum(['attendee', 'presenter']),
  replyTo: z
    .object({ id: z.uuid(), name: z.string(), text: z.string() })
    .nullable()
    .describe(
      'The answered message, with the beginning of its text. Null also if the reader does not see that message.',
    ),
});

const HiddenItem = z.object({
  type: z.literal('hidden'),
  id: z.uuid().describe('The message to remove.'),
});

export const PollItem = z.object({
  type: z.literal('poll'),
  interactionId: z.uuid(),
  results: PollResults,
});

export const ProgressItem = z.object({
  type: z.literal('progress'),
  status: z.enum(sessionStatuses),
  positionSeconds: z.number(),
  segmentId: z.uuid().nullable(),
});

/** Sent first, and when the status or the times of the session change. */
export const SessionItem = z.object({
  type: z.literal('session'),
  status: z.enum(sessionStatuses),
  startsAt: instant(),
  endsAt: instant(),
});

export const FeedItem = z.discriminatedUnion('type', [
  MessageItem,
  HiddenItem,
  PollItem,
  ProgressItem,
  SessionItem,
]);

export type RoomPhase = z.output<typeof roomPhase>;
export type PersonalPage = z.output<typeof PersonalPage>;
export type RoomInteraction = z.output<typeof RoomInteraction>;
export type MessageItem = z.output<typeof MessageItem>;
export type PollItem = z.output<typeof PollItem>;
export type ProgressItem = z.output<typeof ProgressItem>;
export type SessionItem = z.output<typeof SessionItem>;
export type FeedItem = z.output<typeof FeedItem>;

export type VisitOutput = z.output<typeof VisitOutput>;
export type HeartbeatOutput = z.output<typeof HeartbeatOutput>;
export type PollResults = z.output<typeof PollResults>;
