import { z } from 'zod';
import { attendeeEvents } from './attendee-events.ts';
import { timerEvents, type TimerEventType } from './timer-events.ts';

/** The record of each event type. */
export const eventTypes = { ...attendeeEvents, ...timerEvents };

/** `event_type` of a webhook and `type` of a trigger. */
export type EventType = keyof typeof eventTypes;

export const allEventTypes = Object.keys(eventTypes) as EventType[];

export const eventType = z.enum(allEventTypes).meta({ id: 'EventType' });

type TriggerSchema = (typeof eventTypes)[EventType]['trigger'];

const triggers = Object.values(eventTypes).map(({ trigger }): TriggerSchema => trigger);

/** The trigger of a rule: an event type, and params that narrow it down. */
export const Trigger = z.discriminatedUnion('type', triggers as [TriggerSchema, ...TriggerSchema[]]).meta({
  id: 'Trigger',
  description: 'The event that starts the rule, with parameters that narrow it down.',
});

export type Trigger = z.output<typeof Trigger>;

/** A trigger that fires by time. */
export type TimerTrigger = Extract<Trigger, { type: TimerEventType }>;

export const timerEventTypes = Object.keys(timerEvents) as TimerEventType[];

export const isTimerTrigger = (trigger: Trigger): trigger is TimerTrigger => trigger.type in timerEvents;

/** Only a rule on chat messages can fire more than once for an attendee in a session. */
export const hasFireMode = (type: EventType): boolean => type === 'chat_response';

/** Event types that an API subscription can receive, in the order that answers list them. The specification fixes them. */
export const subscribableEventTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'video_complete',
  'cta_click',
] as const satisfies readonly EventType[];

export const subscribableEventType = z.enum(subscribableEventTypes).meta({ id: 'SubscribableEventType' });

export type SubscribableEventType = (typeof subscribableEventTypes)[number];

/** The same types without duplicates, in the fixed order. */
export const normalizeEventTypes = (given: readonly string[]): SubscribableEventType[] =>
  subscribableEventTypes.filter((known) => given.includes(known));
