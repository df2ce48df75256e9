import type { ReactNode } from 'react';
import { useServerTime } from './clock.ts';
import styles from './session-time.module.css';
import { useLanguage, useTexts } from './texts.tsx';
import type { Texts } from '../texts/en.ts';
import {
  cityOf,
  formatClock,
  formatDay,
  formatLeaf,
  formatRange,
  isSameClock,
  isSameDay,
} from './time-text.ts';

export interface Zones {
  /** The zone in which times are shown. */
  zone: string;
  /** The zone beside it: that of the webinar, or that of the visitor. */
  other: string;
}

interface SessionTimeProps {
  startsAt: string;
  durationSeconds: number;
  zones: Zones;
}

/** The day and the clock of a session, with a leaf of a calendar, and the clock in the other zone if it differs. */
export function SessionTime({
  startsAt,
  durationSeconds,
  zones,
  children,
}: SessionTimeProps & { children?: ReactNode }) {
  const language = useLanguage();
  const { month, day } = formatLeaf(new Date(startsAt), { zone: zones.zone, language });
  return (
    <span className={styles['session']}>
      <span className={styles['leaf']} aria-hidden="true">
        <span className={styles['month']}>{month}</span>
        <span className={styles['number']}>{day}</span>
      </span>
      <SessionTimeText {...{ startsAt, durationSeconds, zones }}>{children}</SessionTimeText>
    </span>
  );
}

/** The same without the leaf. `children` is a first line. */
export function SessionTimeText({
  startsAt,
  durationSeconds,
  zones,
  children,
}: SessionTimeProps & { children?: ReactNode }) {
  const texts = useTexts();
  const language = useLanguage();
  const { zone, other } = zones;
  const at = new Date(startsAt);
  const ends = new Date(at.getTime() + durationSeconds * 1000);
  const day = useServerTime((nowMs) => dayOf(at, { zone, language, now: new Date(nowMs), texts }));
  const range = formatRange(at, ends, { zone, language });
  return (
    <span className={styles['text']}>
      {children ? (
        <>
          {children}
          <span className={styles['detail']}>
            {day}, {range}
          </span>
        </>
      ) : (
        <>
          <span className={styles['day']}>{day}</span>
          <span className={styles['detail']}>{range}</span>
        </>
      )}
      {!isSameClock(at, zone, other) && (
        <span className={styles['detail']}>{otherTime(at, zones, { language, texts })}</span>
      )}
    </span>
  );
}

interface DayOptions {
  zone: string;
  language: string;
  now: Date;
  texts: Texts;
}

function dayOf(at: Date, { zone, language, now, texts }: DayOptions): string {
  if (isSameDay(at, now, zone)) return texts.times.today;
  const tomorrow = new Date(now.getTime() + 86_400_000);
  return isSameDay(at, tomorrow, zone) ? texts.times.tomorrow : formatDay(at, { zone, language }, now);
}

/** "17:00 in Berlin", with the day if it is another one there. */
function otherTime(
  at: Date,
  { zone, other }: Zones,
  { language, texts }: { language: string; texts: Texts },
): string {
  const style = { zone: other, language };
  const clock = formatClock(at, style);
  const isOtherDay = formatDay(at, style, at) !== formatDay(at, { zone, language }, at);
  const weekday = new Intl.DateTimeFormat(language, { timeZone: other, weekday: 'short' }).format(at);
  return texts.times.inZone(isOtherDay ? `${weekday} ${clock}` : clock, cityOf(other));
}
