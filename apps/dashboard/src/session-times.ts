// A session's time as texts: in the reader's zone, and in the webinar's zone where its clock shows another time.
import { dateFormat } from './intl-formats.ts';

export interface SessionTimes {
  /** "Thu 26 Nov, 16:00", with the year when it is not the present one. In the reader's zone. */
  own: string;
  /** "15:00 GMT", with the weekday when it is another day there. Absent when both clocks show the same. */
  webinar: string | undefined;
  /** Both with the year and the names of the zones, for the tooltip. */
  full: readonly string[];
}

interface Place {
  webinarZone: string | undefined;
  readerZone: string;
  /** "2026": a session of another year shows its year. */
  thisYear: string;
}

export function sessionTimes(at: string, { webinarZone, readerZone, thisYear }: Place): SessionTimes {
  const isSame = webinarZone === undefined || clockAt(at, webinarZone) === clockAt(at, readerZone);
  const isThisYear = format(at, readerZone, { year: 'numeric' }) === thisYear;
  return {
    own: format(at, readerZone, { ...day, ...clock, ...(isThisYear ? {} : { year: 'numeric' }) }),
    webinar: isSame ? undefined : shortTime(at, webinarZone, readerZone),
    full: [
      `${fullTime(at, readerZone)} (your time zone)`,
      ...(isSame ? [] : [`${fullTime(at, webinarZone)} (the webinar's time zone, ${webinarZone})`]),
    ],
  };
}

const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

function shortTime(at: string, zone: string, readerZone: string): string {
  const time = format(at, zone, { ...clock, timeZoneName: 'short' });
  const isSameDay = format(at, zone, day) === format(at, readerZone, day);
  return isSameDay ? time : `${format(at, zone, { weekday: 'short' })} ${time}`;
}

const fullTime = (at: string, zone: string): string =>
  format(at, zone, { ...day, year: 'numeric', ...clock, timeZoneName: 'short' });

const clockAt = (at: string, zone: string): string => format(at, zone, { ...day, ...clock });

const format = (at: string, timeZone: string, parts: Intl.DateTimeFormatOptions): string =>
  dateFormat({ ...parts, timeZone }).format(new Date(at));
