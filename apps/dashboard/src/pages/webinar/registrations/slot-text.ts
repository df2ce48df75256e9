import { sessionTimes } from '../../../session-times.ts';
import type { Slot } from '../../../trpc.ts';
import { localTimeZone } from '../../../zoned-time.ts';

/** "Thu 26 Nov, 16:00 (15:00 GMT)", with the kind when it is not a scheduled session. */
export function slotText(
  { startsAt, kind }: Pick<Slot, 'startsAt' | 'kind'>,
  timeZone: string | undefined,
): string {
  const { own, webinar } = sessionTimes(startsAt, {
    webinarZone: timeZone,
    readerZone: localTimeZone(),
    thisYear: String(new Date().getFullYear()),
  });
  const time = webinar === undefined ? own : `${own} (${webinar})`;
  return kind === 'scheduled' ? time : `${time}, ${kind === 'on_demand' ? 'on demand' : 'just-in-time'}`;
}
