import type { Webinar } from '../entities/webinar.ts';
import { occurrencesAfter } from '../schedule/occurrences.ts';
import { dayMs } from '../schedule/zone.ts';
import type { SessionDraft } from './insert-sessions.ts';
import { recurrenceKey } from './recurrence-key.ts';

const daysAhead = 60;
const sessionsMax = 20;

/** The sessions a schedule asks for that should exist: those of the next 60 days, 20 at most, the next one however far it is. */
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
