import type { Attendee } from '@service/attendees';
import type { Trigger } from '../event/trigger.ts';

export type Audience = Extract<Trigger, { type: 'after_session' }>['params']['audience'];

type Judged = Pick<Attendee, 'facts' | 'webinar' | 'lastSeenAt' | 'leftAt'>;

/** Heartbeats are ten seconds apart, and who is silent for this long is gone: later, and they may have stayed to the end. */
const earlyMs = 90_000;

/** Whether somebody was there, for as long as the webinar asks. */
export const hasAttended = ({ facts, webinar }: Pick<Attendee, 'facts' | 'webinar'>): boolean =>
  facts.joined && facts.watchedSeconds >= webinar.attendance.minSeconds;

/** Whether a rule for that audience is for somebody, once the session has ended. */
export const isInAudience = (attendee: Judged, audience: Audience, endedAt: Date): boolean =>
  audiences[audience](attendee, endedAt);

const audiences: Record<Audience, (attendee: Judged, endedAt: Date) => boolean> = {
  all: () => true,
  attended: hasAttended,
  no_show: (attendee) => !hasAttended(attendee),
  completed: ({ facts }) => facts.completed,
  left_early: (attendee, endedAt) =>
    hasAttended(attendee) && !attendee.facts.completed && wasGoneBefore(attendee, endedAt),
};

/** By the last sign of them: who left and came back has not left. */
function wasGoneBefore({ lastSeenAt, leftAt }: Judged, endedAt: Date): boolean {
  const lastMs = Math.max(lastSeenAt?.getTime() ?? 0, leftAt?.getTime() ?? 0);
  return lastMs < endedAt.getTime() - earlyMs;
}
