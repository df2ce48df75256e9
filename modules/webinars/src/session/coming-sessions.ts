import type { Webinar } from '../entities/webinar.ts';
import { occurrencesAfter } from '../schedule/occurrences.ts';
import type { Recurrence } from '../schedule/schedule.ts';
import { dayMs } from '../schedule/zone.ts';
import type { SessionDraft } from './insert-sessions.ts';

const daysAhead = 60;
const sessionsMax = 20;

/** The scheduled sessions that should exist: at most 20 in the next 60 days. If there are none, the next one after that. */
export function comingSessions(webinar: Pick<Webinar, 'schedule' | 'timezone'>, now: Date): SessionDraft[] {
  const horizonMs = now.getTime() + daysAhead * dayMs;
  const drafts: SessionDraft[] = [];
  for (const { startsAtMs, recurrence } of occurrencesAfter(webinar, now.getTime())) {
    if (drafts.length === sessionsMax || (drafts.length > 0 && startsAtMs > horizonMs)) break;
    drafts.push({
      kind: 'scheduled',
      control: 'clock',
      startsAtMs,
      recurrenceKey: recurrenceKey(recurrence),
    });
  }
  return drafts;
}

/** Identifies the recurrence that a session comes from. */
export const recurrenceKey = ({ frequency, startDate, time }: Recurrence): string =>
  `${frequency}-${startDate}T${time}`;
