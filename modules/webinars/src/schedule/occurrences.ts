import { weekdayNames, type Recurrence, type Schedule } from './schedule.ts';
import { dayMs, fromWall, minuteMs, toWall } from './zone.ts';

/** One start of a recurrence. */
export interface Occurrence {
  startsAtMs: number;
  recurrence: Recurrence;
}

interface ScheduleInZone {
  schedule: Pick<Schedule, 'recurrences' | 'blackoutDates'>;
  timezone: string;
}

/** Searches five years from the first day of a schedule. A recurrence that ever happens does so in that time. */
const daysMax = 5 * 366;

/** The occurrences of a schedule after an instant, soonest first. Recurrences with the same start give one occurrence. */
export function* occurrencesAfter(
  { schedule, timezone }: ScheduleInZone,
  afterMs: number,
): Generator<Occurrence> {
  const today = dayNumber(toWall(timezone, afterMs));
  const rules = toRules(schedule.recurrences).filter((rule) => rule.lastDay >= today - 1);
  const blackouts = new Set(schedule.blackoutDates.map(parseDay));
  const firstDay = Math.max(today - 1, Math.min(...rules.map((rule) => rule.firstDay)));
  const lastDay = Math.min(firstDay + daysMax, Math.max(...rules.map((rule) => rule.lastDay)));
  let latest = afterMs;
  for (let day = firstDay; day <= lastDay; day += 1) {
    for (const occurrence of occurrencesOn(day, { rules, blackouts, timezone })) {
      if (occurrence.startsAtMs <= latest) continue;
      latest = occurrence.startsAtMs;
      yield occurrence;
    }
  }
}

/** The occurrence that starts at exactly this instant. */
export function occurrenceAt(
  { schedule, timezone }: ScheduleInZone,
  instantMs: number,
): Occurrence | undefined {
  const rules = toRules(schedule.recurrences);
  const blackouts = new Set(schedule.blackoutDates.map(parseDay));
  const day = dayNumber(toWall(timezone, instantMs));
  // A time that the clock change skips can move into the next day.
  return [day - 1, day]
    .flatMap((candidate) => occurrencesOn(candidate, { rules, blackouts, timezone }))
    .find((occurrence) => occurrence.startsAtMs === instantMs);
}

/** Days since 1970-01-01. */
export const dayNumber = (wallMs: number): number => Math.floor(wallMs / dayMs);

export const parseDay = (date: string): number => dayNumber(Date.parse(date));

/** Minutes after midnight. */
export const parseClock = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

interface Rule {
  recurrence: Recurrence;
  firstDay: number;
  lastDay: number;
  minutes: number;
  isOn: (day: number) => boolean;
}

interface DayContext {
  rules: readonly Rule[];
  blackouts: ReadonlySet<number>;
  timezone: string;
}

function occurrencesOn(day: number, { rules, blackouts, timezone }: DayContext): Occurrence[] {
  if (blackouts.has(day)) return [];
  return rules
    .filter((rule) => day >= rule.firstDay && day <= rule.lastDay && rule.isOn(day))
    .map(({ recurrence, minutes }) => ({
      startsAtMs: fromWall(timezone, day * dayMs + minutes * minuteMs),
      recurrence,
    }))
    .toSorted((a, b) => a.startsAtMs - b.startsAtMs);
}

const toRules = (recurrences: readonly Recurrence[]): Rule[] =>
  recurrences.map((recurrence) => {
    const firstDay = parseDay(recurrence.startDate);
    return {
      recurrence,
      firstDay,
      lastDay: recurrence.frequency === 'once' ? firstDay : parseDay(recurrence.endDate ?? '2099-12-31'),
      minutes: parseClock(recurrence.time),
      isOn: daysOf(recurrence, firstDay),
    };
  });

/** Decides whether a recurrence happens on a day. The caller checks the first and last day. */
function daysOf(recurrence: Recurrence, firstDay: number): (day: number) => boolean {
  const { frequency, daysOfWeek, dayOfMonth } = recurrence;
  const weekdays = new Set(daysOfWeek?.map((name) => weekdayNames.indexOf(name)) ?? [weekdayOf(firstDay)]);
  const firstWeek = weekOf(firstDay);
  const monthDay = dayOfMonth ?? monthDayOf(firstDay);
  const isOn: Record<Recurrence['frequency'], (day: number) => boolean> = {
    once: () => true,
    daily: () => true,
    weekdays: (day) => weekdayOf(day) < 5,
    weekly: (day) => weekdays.has(weekdayOf(day)),
    biweekly: (day) => (weekOf(day) - firstWeek) % 2 === 0 && weekdays.has(weekdayOf(day)),
    monthly: (day) => isMonthDay(day, monthDay),
  };
  return isOn[frequency];
}

/** 0 is Monday. Day 0 of Unix time was a Thursday. */
const weekdayOf = (day: number): number => (day + 3) % 7;

const weekOf = (day: number): number => Math.floor((day + 3) / 7);

const monthDayOf = (day: number): number => new Date(day * dayMs).getUTCDate();

/** In a month that is too short, the last day matches. */
function isMonthDay(day: number, wanted: number): boolean {
  const actual = monthDayOf(day);
  return actual === wanted || (actual < wanted && actual >= 28 && monthDayOf(day + 1) === 1);
}
