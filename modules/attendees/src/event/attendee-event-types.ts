/** The types of attendee events. */
export const attendeeEventTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'watched_minutes',
  'watched_percent',
  'video_complete',
  'cta_click',
  'handout_download',
  'poll_response',
  'chat_response',
  'branch_taken',
  'segment_completed',
  'purchase',
  'refund',
] as const;

export type AttendeeEventType = (typeof attendeeEventTypes)[number];
