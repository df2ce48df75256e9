import { attendeeEventTypes } from '@service/attendees';
import { z } from 'zod';

/** Triggers that a timer fires. They are no events of an attendee. */
const timerEventTypes = ['before_session', 'after_session', 'time_elapsed_after_event'] as const;

/** All values of `event_type`. */
export const allEventTypes = [...attendeeEventTypes, ...timerEventTypes] as const;

/** Event types that an API subscription can receive, in the order that answers list them. */
export const subscribableEventTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'video_complete',
  'cta_click',
] as const;

export const eventType = z.enum(allEventTypes).meta({ id: 'EventType' });
export const subscribableEventType = z.enum(subscribableEventTypes).meta({ id: 'SubscribableEventType' });

export type EventType = (typeof allEventTypes)[number];
export type SubscribableEventType = (typeof subscribableEventTypes)[number];

/** The same types without duplicates, in the fixed order. */
export const normalizeEventTypes = (given: readonly string[]): SubscribableEventType[] =>
  subscribableEventTypes.filter((known) => given.includes(known));
