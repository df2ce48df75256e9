import { attendeeEventTypes } from '@service/attendees';

/** What a rule can wait for beside them: a moment before or after something. */
const timerEventTypes = ['before_session', 'after_session', 'time_elapsed_after_event'] as const;

/** Every `event_type` there is. */
export const allEventTypes = [...attendeeEventTypes, ...timerEventTypes] as const;

/** What an API subscription may listen to, in the order answers list them. */
export const subscribableEventTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'video_complete',
  'cta_click',
] as const;

export type EventType = (typeof allEventTypes)[number];
export type SubscribableEventType = (typeof subscribableEventTypes)[number];

/** The same types once each, in the fixed order. */
export const normalizeEventTypes = (given: readonly string[]): SubscribableEventType[] =>
  subscribableEventTypes.filter((known) => given.includes(known));
