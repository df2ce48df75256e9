// When timers are due and what is said then.
import type { Attendee } from '@service/attendees';
import type { TriggeredEvent } from '../event/envelope.ts';
import type { Trigger } from '../event/trigger.ts';
import { hasAttended } from './audience.ts';
import type { Timer } from './timer.ts';

export type TimerTrigger = Extract<
  Trigger,
  { type: 'before_session' | 'after_session' | 'time_elapsed_after_event' }
>;

type Session = Attendee['session'];

export const minutesAfter = (time: Date, minutes: number): Date =>
  new Date(time.getTime() + minutes * 60_000);

/**
 * When a timer is due as its rule and its session are now; undefined when it waits for nothing any more: its rule has another
 * trigger, the session it came after has been put back, or it came due long ago and was only kept.
 */
export function dueTime(timer: Timer, trigger: Trigger, session: Session): Date | undefined {
  const { registrationId, sourceAt, sourceEvent } = timer;
  switch (trigger.type) {
    case 'before_session':
      if (registrationId || sourceAt) return undefined;
      return minutesAfter(session.startsAt, -trigger.params.offsetMinutes);
    case 'after_session':
      if (registrationId || !sourceAt || isToCome(session)) return undefined;
      return minutesAfter(sourceAt, trigger.params.offsetMinutes);
    case 'time_elapsed_after_event':
      if (!sourceAt || sourceEvent !== trigger.params.event) return undefined;
      return minutesAfter(sourceAt, trigger.params.delayMinutes);
    default:
      return undefined;
  }
}

const isToCome = ({ status }: Session): boolean => status === 'scheduled' || status === 'live';

/** What a timer that came due tells of one attendee. */
export const timerEvent = (timer: Timer, trigger: TimerTrigger, attendee: Attendee): TriggeredEvent => ({
  id: timer.id,
  type: trigger.type,
  occurredAt: timer.dueAt,
  data: dataOf(timer, trigger, attendee),
  webinar: { id: attendee.webinar.id, title: attendee.webinar.title },
  registration: attendee.registration,
  session: attendee.session,
  facts: attendee.facts,
});

function dataOf(timer: Timer, trigger: TimerTrigger, attendee: Attendee): TriggeredEvent['data'] {
  const { session, facts } = attendee;
  switch (trigger.type) {
    case 'before_session':
      return beforeSessionData(session, trigger.params.offsetMinutes);
    case 'after_session':
      return {
        sessionStartedAt: (session.actualStartedAt ?? session.startsAt).toISOString(),
        sessionEndedAt: (timer.sourceAt ?? session.endsAt).toISOString(),
        minutesAfter: trigger.params.offsetMinutes,
        attended: hasAttended(attendee),
        watchedSeconds: facts.watchedSeconds,
        completionPercent: facts.completionPercent,
      };
    default:
      return {
        sourceEvent: timer.sourceEvent,
        sourceEventAt: timer.sourceAt?.toISOString(),
        elapsedMinutes: trigger.params.delayMinutes,
      };
  }
}

export const beforeSessionData = ({ startsAt }: Pick<Session, 'startsAt'>, minutesBefore: number) => ({
  sessionStartsAt: startsAt.toISOString(),
  minutesBefore,
});
