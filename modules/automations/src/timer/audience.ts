import { hasAttended, type Attendee } from '@service/attendees';
import type { Trigger } from '../event-types/event-types.ts';

export type Audience = Extract<Trigger, { type: 'after_session' }>['params']['audience'];

type Visitor = Pick<Attendee, 'facts' | 'webinar' | 'lastSeenAt' | 'leftAt'>;

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
