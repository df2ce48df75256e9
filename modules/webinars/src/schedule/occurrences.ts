import { weekdayNames, type Recurrence, type Schedule } from './schedule.ts';
import { dayMs, fromWall, minuteMs, toWall } from './zone.ts';

/** A start of a session that a recurrence asks for. */
export interface Occurrence {
  startsAtMs: number;
  recurrence: Recurrence;
}

interface ScheduleInZone {
  schedule: Pick<Schedule, 'recurrences' | 'blackoutDates'>;
  timezone: string;
}

/** Five years from where a schedule begins: past that, what repeats at all has been seen. */
const daysMax = 5 * 366;

/** What a schedule asks for after an instant, soonest first. Two recurrences at one instant are one occurrence. */
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

/** The occurrence that starts at exactly that instant. */
export function occurrenceAt(
  { schedule, timezone }: ScheduleInZone,
  instantMs: number,
): Occurrence | undefined {
  const rules = toRules(schedule.recurrences);
  const blackouts = new Set(schedule.blackoutDates.map(parseDay));
  const day = dayNumber(toWall(timezone, instantMs));
  // A time that a change of the clock skipped may have moved into the next day.
  return [day - 1, day]
    .flatMap((candidate) => occurrencesOn(candidate, { rules, blackouts, timezone }))
    .find((occurrence) => occurrence.startsAtMs === instantMs);
}

/** The number of a day as Unix time counts them. */
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

/** Whether a recurrence falls on a day, its bounds aside. */
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

/** 0 is Monday; the first day of Unix time was a Thursday. */
const weekdayOf = (day: number): number => (day + 3) % 7;

const weekOf = (day: number): number => Math.floor((day + 3) / 7);

const monthDayOf = (day: number): number => new Date(day * dayMs).getUTCDate();

/** A month that is too short has it on its last day. */
function isMonthDay(day: number, wanted: number): boolean {
  const actual = monthDayOf(day);
  return actual === wanted || (actual < wanted && actual >= 28 && monthDayOf(day + 1) === 1);
}
