// A timer that is due becomes a candidate of its rule for each registration (evaluation/fire-rules.ts).
import { hasAttended, type Attendee } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import { acceptsEvents } from '@service/webinars';
import type { Timer } from '../entities.ts';
import type { Candidate } from '../evaluation/candidates.ts';
import type { TriggeredEvent } from '../event-type/envelope.ts';
import type { TimerTrigger, Trigger } from '../event-type/event-types.ts';
import type { TimerRule } from './timers.ts';

type Session = Attendee['session'];

export const minutesAfter = (time: Date, minutes: number): Date =>
  new Date(time.getTime() + minutes * 60_000);

/**
 * The time at which a timer is due with the current state of its rule and session. Undefined if it must not fire any more: its
 * rule has another trigger, its session was reset, or it has fired and is only kept.
 */
export function dueTime(timer: Timer, trigger: TimerTrigger, session: Session): Date | undefined {
  const { registrationId, sourceAt, sourceEvent } = timer;
  if (trigger.type === 'before_session') {
    if (registrationId || sourceAt) return undefined;
    return minutesAfter(session.startsAt, -trigger.params.offsetMinutes);
  }
  if (trigger.type === 'after_session') {
    if (registrationId || !sourceAt || isOpen(session)) return undefined;
    return minutesAfter(sourceAt, trigger.params.offsetMinutes);
  }
  const { event, delayMinutes } = trigger.params;
  return sourceAt && sourceEvent === event ? minutesAfter(sourceAt, delayMinutes) : undefined;
}

const isOpen = ({ status }: Session): boolean => status === 'scheduled' || status === 'live';

/** The candidate of one registration. `ownReason` applies if nothing else stops the rule. */
export const timerCandidate = (
  timer: Timer,
  rule: TimerRule,
  { attendee, ownReason }: { attendee: Attendee; ownReason: SkipReason | undefined },
): Candidate => ({
  rule,
  event: timerEvent(timer, rule.trigger, attendee),
  skipReason: skipReasonOf(rule, attendee) ?? ownReason,
});

/** The first reason that applies. Archiving cancels sessions, so the webinar is checked before the session. */
function skipReasonOf(
  { enabled }: TimerRule,
  { webinar, registration, session }: Attendee,
): SkipReason | undefined {
  if (!acceptsEvents(webinar)) return webinar.status === 'draft' ? 'webinar_unpublished' : 'webinar_archived';
  if (registration.status === 'cancelled') return 'registration_cancelled';
  if (session.status === 'cancelled') return 'session_cancelled';
  return enabled ? undefined : 'rule_disabled';
}

const timerEvent = (timer: Timer, trigger: TimerTrigger, attendee: Attendee): TriggeredEvent => ({
  id: timer.id,
  type: trigger.type,
  occurredAt: timer.dueAt,
  data: eventData(timer, trigger, attendee),
  webinar: { id: attendee.webinar.id, title: attendee.webinar.title },
  registration: attendee.registration,
  session: attendee.session,
  facts: attendee.facts,
});

function eventData(timer: Timer, trigger: TimerTrigger, attendee: Attendee): TriggeredEvent['data'] {
  const { session, facts } = attendee;
  if (trigger.type === 'before_session') return beforeSessionData(session, trigger.params.offsetMinutes);
  if (trigger.type === 'after_session') {
    return {
      sessionStartedAt: (session.actualStartedAt ?? session.startsAt).toISOString(),
      sessionEndedAt: (timer.sourceAt ?? session.endsAt).toISOString(),
      minutesAfter: trigger.params.offsetMinutes,
      attended: hasAttended(attendee),
      watchedSeconds: facts.watchedSeconds,
      completionPercent: facts.watchedPercent,
    };
  }
  return {
    sourceEvent: timer.sourceEvent,
    sourceEventAt: timer.sourceAt?.toISOString(),
    elapsedMinutes: trigger.params.delayMinutes,
  };
}

export const beforeSessionData = ({ startsAt }: Pick<Session, 'startsAt'>, minutesBefore: number) => ({
  sessionStartsAt: startsAt.toISOString(),
  minutesBefore,
});

export type Audience = Extract<Trigger, { type: 'after_session' }>['params']['audience'];

type Visitor = Pick<Attendee, 'lastSeenAt' | 'leftAt'> & Parameters<typeof hasAttended>[0];

/** An attendee counts as gone after 90 s without a heartbeat. With less silence before the end they may have stayed. */
const earlyMs = 90_000;

/** True if an attendee of an ended session belongs to an audience. */
export const isInAudience = (attendee: Visitor, audience: Audience, endedAt: Date): boolean =>
  audiences[audience](attendee, endedAt);

const audiences: Record<Audience, (attendee: Visitor, endedAt: Date) => boolean> = {
  all: () => true,
  attended: hasAttended,
  no_show: (attendee) => !hasAttended(attendee),
  completed: ({ facts }) => facts.completed,
  left_early: (attendee, endedAt) =>
    hasAttended(attendee) && !attendee.facts.completed && wasGoneBefore(attendee, endedAt),
};

/** Uses the later of the two times: an attendee who left and came back was seen after leaving. */
function wasGoneBefore({ lastSeenAt, leftAt }: Visitor, endedAt: Date): boolean {
  const lastMs = Math.max(lastSeenAt?.getTime() ?? 0, leftAt?.getTime() ?? 0);
  return lastMs < endedAt.getTime() - earlyMs;
}
