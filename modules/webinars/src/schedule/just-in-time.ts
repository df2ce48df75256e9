import { dayNumber, parseClock, parseDay } from './occurrences.ts';
import type { Schedule } from './schedule.ts';
import { dayMs, minuteMs, toWall } from './zone.ts';

/** UTC offsets are multiples of 15 minutes, so every aligned start is a multiple of 15 minutes in UTC. */
const quarterMs = 15 * minuteMs;
const lookAheadMs = 2 * dayMs;

type JustInTimeSchedule = Pick<Schedule, 'justInTime' | 'hoursOfOperation' | 'blackoutDates' | 'slotsShown'>;

/**
 * The next `slotsShown` just-in-time starts, soonest first. They are aligned to the interval on the local clock, inside the hours
 * of operation, and at least the lead time and at most two days ahead.
 */
export function justInTimeStarts(schedule: JustInTimeSchedule, timezone: string, nowMs: number): number[] {
  const { justInTime, slotsShown } = schedule;
  if (!justInTime) return [];
  const isOpen = openingOf(schedule);
  const intervalMs = justInTime.intervalMinutes * minuteMs;
  const earliest = nowMs + justInTime.minLeadSeconds * 1000;
  const starts: number[] = [];
  for (
    let start = Math.ceil(earliest / quarterMs) * quarterMs;
    starts.length < slotsShown && start <= nowMs + lookAheadMs;
    start += quarterMs
  ) {
    const wall = toWall(timezone, start);
    if (wall % intervalMs === 0 && isOpen(wall)) starts.push(start);
  }
  return starts;
}

function openingOf({ hoursOfOperation, blackoutDates }: JustInTimeSchedule): (wallMs: number) => boolean {
  const blackouts = new Set(blackoutDates.map(parseDay));
  const start = hoursOfOperation ? parseClock(hoursOfOperation.start) : 0;
  const end = hoursOfOperation ? parseClock(hoursOfOperation.end) : 24 * 60;
  return (wallMs) => {
    const minutes = (wallMs % dayMs) / minuteMs;
    const inHours = start < end ? minutes >= start && minutes < end : minutes >= start || minutes < end;
    return inHours && !blackouts.has(dayNumber(wallMs));
  };
}

const oldestMs = 10 * minuteMs;
const aheadMs = 5 * minuteMs;

/** The start of an on-demand session that is booked now: the current minute. */
export const onDemandStart = (nowMs: number): number => Math.floor(nowMs / minuteMs) * minuteMs;

/** Accepts minutes near now, because callers' clocks differ and people take time to fill in a form. */
export function isOnDemandStart(startMs: number, nowMs: number): boolean {
  const ageMs = nowMs - startMs;
  return startMs % minuteMs === 0 && ageMs <= oldestMs && ageMs >= -aheadMs;
}
