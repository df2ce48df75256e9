import type { EventType } from './event-types.ts';

interface EventDescription {
  title: string;
  description: string;
  /** `event_data` as it could be. */
  sampleData: Record<string, unknown>;
}

const interactionId = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const segmentId = '019aa1ca-0b7e-7a35-b7c0-6c1de2a4f913';
const startedAt = '2026-12-01T17:00:00.000Z';
const endedAt = '2026-12-01T18:00:00.000Z';
const interaction = { id: interactionId, headline: 'The launch offer', internal_name: 'launch-offer' };

/** What people read of each event type. */
export const eventDescriptions: Record<EventType, EventDescription> = {
  registered: {
    title: 'Registered',
    description: 'An attendee registers. The same registration again fires nothing.',
    sampleData: {},
  },
  joined: {
    title: 'Joined',
    description: 'An attendee joins a session: seconds after the first sign of life from the live room.',
    sampleData: {},
  },
  left: {
    title: 'Left',
    description:
      'An attendee leaves: on leaving and not coming back, after 90 s of silence, or when the session ends.',
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
    sampleData: { detectedAt: '2026-12-01T18:10:00.000Z', sessionStartedAt: startedAt },
  },
  watched_minutes: {
    title: 'Watched minutes',
    description: 'Watch time reaches a number of minutes. Only different seconds of the video count.',
    sampleData: { watchedSeconds: 600, completionPercent: 16 },
  },
  watched_percent: {
    title: 'Watched percent',
    description: 'Watch completion reaches a percentage.',
    sampleData: { watchedSeconds: 1800, completionPercent: 50, in_transition: true },
  },
  video_complete: {
    title: 'Completed the video',
    description: 'The attendee completes the video.',
    sampleData: { watchedSeconds: 3420, completionPercent: 95 },
  },
  cta_click: {
    title: 'Clicked an offer or CTA',
    description: 'An attendee clicks an offer or a call to action. `offerId` is there for offers only.',
    sampleData: { interactionId, offerId: interactionId, interaction },
  },
  poll_response: {
    title: 'Answered a poll',
    description: 'An attendee answers a poll.',
    sampleData: {
      interactionId,
      optionId: 'b',
      selectedOption: 'Next quarter',
      interaction: { ...interaction, headline: 'When will you start?', internal_name: 'timing' },
    },
  },
  chat_response: {
    title: 'Sent a chat message',
    description: 'An attendee sends a chat message. A rule may ask for keywords.',
    sampleData: {
      message: 'What does it cost?',
      sent_at: '2026-12-01T17:20:31.250Z',
      message_event_id: '019aa2d3-2b53-7f61-a4a9-07f3f0c1b6aa',
    },
  },
  branch_taken: {
    title: 'Took a branch',
    description: 'A viewer of an adaptive webinar takes a branch.',
    sampleData: { branch_id: '019aa1cb-64d0-7e0e-8f0f-0f5f5a3d7c21', segment_id: segmentId },
  },
  segment_completed: {
    title: 'Completed a segment',
    description: 'A viewer of an adaptive webinar completes a segment.',
    sampleData: { segment_id: segmentId, watch_duration_seconds: 312 },
  },
  before_session: {
    title: 'Before a session',
    description: 'Some minutes before a scheduled session, for each registration made before that moment.',
    sampleData: { sessionStartsAt: startedAt, minutesBefore: 60 },
  },
  after_session: {
    title: 'After a session',
    description: 'Some minutes after a session ended, for the part of its registrants that the rule names.',
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
    description: 'Some minutes after another event, unless a third one came in between.',
    sampleData: { sourceEvent: 'joined', sourceEventAt: '2026-12-01T17:01:12.000Z', elapsedMinutes: 1440 },
  },
};
