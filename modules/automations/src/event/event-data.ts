// What `event_data` holds for each event type, by the names of the specification. Receivers treat every field as optional and
// accept further ones, so the schemas are open and demand nothing.
import { instant } from '@service/trpc';
import { attendeeEventTypes } from '@service/attendees';
import { z } from 'zod';
import type { EventType } from './event-types.ts';

const seconds = (what: string) => z.number().min(0).optional().describe(what);
const percent = z.number().min(0).max(100).optional().describe('How much of the video was seen.');
const watchedSeconds = seconds('Different seconds of the video that were seen.');
const someId = (what: string) => z.string().optional().describe(`The id of the ${what}.`);
const time = (what: string) => instant().optional().describe(what);

const watched = { watchedSeconds, completionPercent: percent };

const threshold = z.looseObject({
  ...watched,
  in_transition: z.boolean().optional().describe('The mark was reached between two segments.'),
});

const interaction = z
  .looseObject({
    id: someId('interaction'),
    headline: z.string().nullable().optional().describe('As attendees see it.'),
    internal_name: z.string().optional().describe('As the host calls it.'),
  })
  .optional();

export const eventDataSchemas = {
  registered: z.looseObject({}),
  joined: z.looseObject({}),
  left: z.looseObject({
    leftAt: time('When the attendee left.'),
    reason: z.enum(['closed', 'timeout', 'session_ended']).optional(),
    positionSeconds: seconds('Where in the video.'),
    ...watched,
  }),
  no_show: z.looseObject({
    detectedAt: time('When it was certain that nobody comes any more.'),
    sessionStartedAt: time('When the session began.'),
  }),
  watched_minutes: threshold,
  watched_percent: threshold,
  video_complete: z.looseObject(watched),
  cta_click: z.looseObject({
    interactionId: someId('interaction'),
    offerId: someId('offer, if it is one'),
    interaction,
  }),
  poll_response: z.looseObject({
    interactionId: someId('poll'),
    optionId: someId('option'),
    selectedOption: z.string().optional().describe('The text of the option.'),
    interaction,
  }),
  chat_response: z.looseObject({
    message: z.string().optional(),
    sent_at: time('When it was sent.'),
    message_event_id: someId('message; it tells two messages apart'),
  }),
  branch_taken: z.looseObject({ branch_id: someId('branch'), segment_id: someId('segment it leads to') }),
  segment_completed: z.looseObject({
    segment_id: someId('segment'),
    watch_duration_seconds: seconds('How long it was watched.'),
  }),
  before_session: z.looseObject({
    sessionStartsAt: time('When the session begins.'),
    minutesBefore: z.number().int().optional(),
  }),
  after_session: z.looseObject({
    sessionStartedAt: time('When the session began.'),
    sessionEndedAt: time('When it ended.'),
    minutesAfter: z.number().int().optional(),
    attended: z.boolean().optional(),
    ...watched,
  }),
  time_elapsed_after_event: z.looseObject({
    sourceEvent: z.enum(attendeeEventTypes).optional().describe('What started the clock.'),
    sourceEventAt: time('When that was.'),
    elapsedMinutes: z.number().int().optional(),
  }),
} satisfies Record<EventType, z.ZodType>;
