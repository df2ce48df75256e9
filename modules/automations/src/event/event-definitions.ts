// Title, description, `event_data` and a sample of each event type. The field names of `event_data` are those of the
// specification. Receivers treat every field as optional and accept further ones, so the schemas are open and require nothing.
import { instant } from '@service/trpc';
import { attendeeEventTypes } from '@service/attendees';
import { z } from 'zod';
import type { EventType } from './event-types.ts';

interface EventDefinition {
  title: string;
  description: string;
  data: z.ZodType;
  /** `event_data` of the sample. */
  sampleData: Record<string, unknown>;
}

const seconds = (description: string) => z.int().min(0).optional().describe(description);
const someId = (thing: string) => z.string().optional().describe(`The id of the ${thing}.`);
const time = (description: string) => instant().optional().describe(description);

const watched = {
  watchedSeconds: seconds('Watch time in seconds. Each second of the video counts once.'),
  completionPercent: z.int().min(0).max(100).optional().describe('The watched part of the video in percent.'),
};

const threshold = z.looseObject({
  ...watched,
  in_transition: z.boolean().optional().describe('Whether the mark was reached between two segments.'),
});

const interaction = z
  .looseObject({
    id: someId('interaction'),
    headline: z.string().nullable().optional().describe('The name that attendees see.'),
    internal_name: z.string().optional().describe('The name that the host uses.'),
  })
  .meta({ id: 'EventInteraction' })
  .optional();

const interactionId = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const segmentId = '019aa1ca-0b7e-7a35-b7c0-6c1de2a4f913';
const startedAt = '2026-12-01T17:00:00.000Z';
const endedAt = '2026-12-01T18:00:00.000Z';
const sampleInteraction = { id: interactionId, headline: 'The launch offer', internal_name: 'launch-offer' };

export const eventDefinitions = {
  registered: {
    title: 'Registered',
    description: 'An attendee registers. Registering for the same session again does not repeat the event.',
    data: z.looseObject({}),
    sampleData: {},
  },
  joined: {
    title: 'Joined',
    description: 'An attendee joins a session: seconds after the first heartbeat from the live room.',
    data: z.looseObject({}),
    sampleData: {},
  },
  left: {
    title: 'Left',
    description:
      'An attendee leaves: they close the page and do not come back, send no heartbeat for 90 seconds, or the session ends.',
    data: z.looseObject({
      leftAt: time('The time at which the attendee left.'),
      reason: z.enum(['closed', 'timeout', 'session_ended']).meta({ id: 'LeaveReason' }).optional(),
      positionSeconds: seconds('The position in the video.'),
      ...watched,
    }),
    sampleData: {
      leftAt: '2026-12-01T17:41:10.000Z',
      reason: 'closed',
      positionSeconds: 2470,
      watchedSeconds: 2391,
      completionPercent: 66,
    },
  },
  no_show: {
    title: 'No-show',
    description: 'A registrant misses the session: ten minutes after its end.',
    data: z.looseObject({
      detectedAt: time('The time from which the attendee counts as absent.'),
      sessionStartedAt: time('The start of the session.'),
    }),
    sampleData: { detectedAt: '2026-12-01T18:10:00.000Z', sessionStartedAt: startedAt },
  },
  watched_minutes: {
    title: 'Watched minutes',
    description: 'The watch time reaches a number of minutes. Each second of the video counts once.',
    data: threshold,
    sampleData: { watchedSeconds: 600, completionPercent: 16 },
  },
  watched_percent: {
    title: 'Watched percent',
    description: 'The watched part of the video reaches a percentage.',
    data: threshold,
    sampleData: { watchedSeconds: 1800, completionPercent: 50, in_transition: true },
  },
  video_complete: {
    title: 'Completed the video',
    description: 'The attendee completes the video.',
    data: z.looseObject(watched),
    sampleData: { watchedSeconds: 3420, completionPercent: 95 },
  },
  cta_click: {
    title: 'Clicked an offer or CTA',
    description: 'An attendee clicks an offer or a call to action. Only offers have an `offerId`.',
    data: z.looseObject({
      interactionId: someId('interaction'),
      offerId: someId('offer, if it is one'),
      interaction,
    }),
    sampleData: { interactionId, offerId: interactionId, interaction: sampleInteraction },
  },
  poll_response: {
    title: 'Answered a poll',
    description: 'An attendee answers a poll.',
    data: z.looseObject({
      interactionId: someId('poll'),
      optionId: someId('option'),
      selectedOption: z.string().optional().describe('The text of the option.'),
      interaction,
    }),
    sampleData: {
      interactionId,
      optionId: 'b',
      selectedOption: 'Next quarter',
      interaction: { ...sampleInteraction, headline: 'When will you start?', internal_name: 'timing' },
    },
  },
  chat_response: {
    title: 'Sent a chat message',
    description: 'An attendee sends a chat message. A rule can require keywords.',
    data: z.looseObject({
      message: z.string().optional(),
      sent_at: time('The time at which it was sent.'),
      message_event_id: someId('message. Each message has its own'),
    }),
    sampleData: {
      message: 'What does it cost?',
      sent_at: '2026-12-01T17:20:31.250Z',
      message_event_id: '019aa2d3-2b53-7f61-a4a9-07f3f0c1b6aa',
    },
  },
  branch_taken: {
    title: 'Took a branch',
    description: 'A viewer of an adaptive webinar takes a branch.',
    data: z.looseObject({ branch_id: someId('branch'), segment_id: someId('segment it leads to') }),
    sampleData: { branch_id: '019aa1cb-64d0-7e0e-8f0f-0f5f5a3d7c21', segment_id: segmentId },
  },
  segment_completed: {
    title: 'Completed a segment',
    description: 'A viewer of an adaptive webinar completes a segment.',
    data: z.looseObject({
      segment_id: someId('segment'),
      watch_duration_seconds: seconds('The watch time of the segment.'),
    }),
    sampleData: { segment_id: segmentId, watch_duration_seconds: 312 },
  },
  before_session: {
    title: 'Before a session',
    description: 'Some minutes before a scheduled session, for each registration made before that time.',
    data: z.looseObject({
      sessionStartsAt: time('The start of the session.'),
      minutesBefore: z.number().int().optional(),
    }),
    sampleData: { sessionStartsAt: startedAt, minutesBefore: 60 },
  },
  after_session: {
    title: 'After a session',
    description: 'Some minutes after the end of a session, for the registrants in the audience of the rule.',
    data: z.looseObject({
      sessionStartedAt: time('The start of the session.'),
      sessionEndedAt: time('The end of the session.'),
      minutesAfter: z.number().int().optional(),
      attended: z.boolean().optional(),
      ...watched,
    }),
    sampleData: {
      sessionStartedAt: startedAt,
      sessionEndedAt: endedAt,
      minutesAfter: 30,
      attended: true,
      watchedSeconds: 2391,
      completionPercent: 66,
    },
  },
  time_elapsed_after_event: {
    title: 'Time after an event',
    description: 'Some minutes after an event, unless another event that the rule names comes first.',
    data: z.looseObject({
      sourceEvent: z
        .enum(attendeeEventTypes)
        .meta({ id: 'AttendeeEventType' })
        .optional()
        .describe('The event that started the timer.'),
      sourceEventAt: time('The time of that event.'),
      elapsedMinutes: z.number().int().optional(),
    }),
    sampleData: { sourceEvent: 'joined', sourceEventAt: '2026-12-01T17:01:12.000Z', elapsedMinutes: 1440 },
  },
} satisfies Record<EventType, EventDefinition>;
