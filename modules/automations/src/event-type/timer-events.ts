// Events that a timer fires. They are no events of an attendee.
import { attendeeEventTypes } from '@service/attendees';
import { z } from 'zod';
import { attendeeEvents } from './attendee-events.ts';
import { defineEventType, onceInSession, time, watched, type EventTypeRecord } from './define-event-type.ts';

/** Thirty days. */
const minutesMax = 43_200;

const minutes = (from: number) => z.int().min(from).max(minutesMax);

const startedAt = '2026-12-01T17:00:00.000Z';

// Watch time becomes an event only at the marks that rules wait for, so it cannot start a timer.
const sourceEvents = attendeeEventTypes.filter(
  (type) => type !== 'watched_minutes' && type !== 'watched_percent',
);

const sourceEvent = z.enum(sourceEvents).meta({ id: 'TimerSource' });

/** The phrase of an event has no params: any poll, any offer. */
const sourceChoices = Object.fromEntries(
  sourceEvents.map((type) => {
    const { when: label } = attendeeEvents[type];
    return [type, { label, phrase: label.charAt(0).toLowerCase() + label.slice(1) }];
  }),
) as Record<(typeof sourceEvents)[number], { label: string; phrase: string }>;

/** These params decide when a timer is due and for whom (`timer/`), so an event of a timer has met them. */
const isMet = (): boolean => true;

export const timerEvents = {
  before_session: defineEventType({
    type: 'before_session',
    title: 'Before a session',
    group: 'Time',
    when: 'Before a session',
    sentence: 'it is {offsetMinutes} min before a session',
    description: 'Some minutes before a scheduled session, for each registration made before that time.',
    data: z.looseObject({
      sessionStartsAt: time('The start of the session.'),
      minutesBefore: z.int().optional().describe('Minutes before the start.'),
    }),
    sample: { sessionStartsAt: startedAt, minutesBefore: 60 },
    params: z
      .strictObject({ offsetMinutes: minutes(1).describe('Minutes before the start.') })
      .meta({ id: 'BeforeSessionParams' }),
    controls: { offsetMinutes: { label: 'Minutes before the start', control: 'number' } },
    matches: { offsetMinutes: isMet },
    subject: onceInSession,
  }),

  after_session: defineEventType({
    type: 'after_session',
    title: 'After a session',
    group: 'Time',
    when: 'After a session',
    sentence: 'it is {offsetMinutes} min after the end of a session, for {audience}',
    description: 'Some minutes after the end of a session, for the registrants in the audience of the rule.',
    data: z.looseObject({
      sessionStartedAt: time('The start of the session.'),
      sessionEndedAt: time('The end of the session.'),
      minutesAfter: z.int().optional().describe('Minutes after the end.'),
      attended: z.boolean().optional().describe('True if the attendee was present.'),
      ...watched,
    }),
    sample: {
      sessionStartedAt: startedAt,
      sessionEndedAt: '2026-12-01T18:00:00.000Z',
      minutesAfter: 30,
      attended: true,
      watchedSeconds: 2391,
      completionPercent: 66,
    },
    params: z
      .strictObject({
        offsetMinutes: minutes(0).describe('Minutes after the end.'),
        audience: z
          .enum(['all', 'attended', 'no_show', 'completed', 'left_early'])
          .meta({ id: 'AfterSessionAudience', description: 'The registrants for whom the rule fires.' })
          .default('all'),
      })
      .meta({ id: 'AfterSessionParams' }),
    controls: {
      offsetMinutes: { label: 'Minutes after the end', control: 'number' },
      audience: {
        label: 'Audience',
        control: 'choice',
        choices: {
          all: { label: 'All registrants', phrase: 'all registrants' },
          attended: { label: 'Attended', phrase: 'those who attended' },
          no_show: { label: 'Did not attend', phrase: 'those who did not attend' },
          completed: { label: 'Completed the video', phrase: 'those who completed the video' },
          left_early: { label: 'Left before the end', phrase: 'those who left before the end' },
        },
      },
    },
    matches: { offsetMinutes: isMet, audience: isMet },
    subject: onceInSession,
  }),

  time_elapsed_after_event: defineEventType({
    type: 'time_elapsed_after_event',
    title: 'Time after an event',
    group: 'Time',
    when: 'Some time after an event',
    sentence: 'it is {delayMinutes} min after {event}[, unless {unlessEvent} first]',
    description: 'Some minutes after an event, unless another event that the rule names comes first.',
    data: z.looseObject({
      sourceEvent: z
        .enum(attendeeEventTypes)
        .meta({ id: 'AttendeeEventType' })
        .optional()
        .describe('The event that started the timer.'),
      sourceEventAt: time('The time of that event.'),
      elapsedMinutes: z.int().optional().describe('Minutes since that event.'),
    }),
    sample: { sourceEvent: 'joined', sourceEventAt: '2026-12-01T17:01:12.000Z', elapsedMinutes: 1440 },
    params: z
      .strictObject({
        event: sourceEvent.describe('The event that starts the timer.'),
        delayMinutes: minutes(1).describe('Minutes after the event.'),
        unlessEvent: sourceEvent
          .optional()
          .describe('The rule does not fire if this event comes before the timer is due.'),
      })
      .refine(({ event, unlessEvent }) => event !== unlessEvent, {
        path: ['unlessEvent'],
        error: 'Must differ from the event that starts the timer.',
      })
      .meta({ id: 'TimeElapsedAfterEventParams' }),
    controls: {
      event: { label: 'Event', control: 'choice', choices: sourceChoices },
      delayMinutes: { label: 'Minutes after the event', control: 'number' },
      unlessEvent: { label: 'Unless this event comes first', control: 'choice', choices: sourceChoices },
    },
    matches: { event: isMet, delayMinutes: isMet, unlessEvent: isMet },
    subject: onceInSession,
  }),
} satisfies Record<string, EventTypeRecord>;

export type TimerEventType = keyof typeof timerEvents;
