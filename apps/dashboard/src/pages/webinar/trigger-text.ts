import type { Rule } from '../../trpc.ts';

export type EventType = Rule['trigger']['type'];

export const triggerTexts: Record<EventType, string> = {
  registered: 'An attendee registers',
  joined: 'An attendee joins',
  left: 'An attendee leaves',
  no_show: 'A registrant misses the session',
  watched_minutes: 'Watch time reaches some minutes',
  watched_percent: 'Watch completion reaches a percentage',
  video_complete: 'An attendee completes the video',
  cta_click: 'An attendee clicks an offer or CTA',
  poll_response: 'An attendee answers a poll',
  chat_response: 'An attendee sends a chat message',
  branch_taken: 'A viewer takes a branch',
  segment_completed: 'A viewer completes a segment',
  before_session: 'Before a session',
  after_session: 'After a session',
  time_elapsed_after_event: 'Some time after an event',
};

export const eventTypes = Object.keys(triggerTexts) as EventType[];
