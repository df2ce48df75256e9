import { expect, test } from 'vitest';
import { crossedMarks, percentOf } from './watch-progress.ts';

const now = new Date('2026-12-01T17:00:00Z');
const totalSeconds = 600;

const after = (watchedSeconds: number, total = totalSeconds) => ({
  watchedSeconds,
  completionPercent: percentOf(watchedSeconds, total),
});

const crossing = { before: after(0), after: after(0), totalSeconds, minutes: [], percents: [], now };

/** Short names of events: 2m, 20%, complete. */
const passed = (changes: Partial<Parameters<typeof crossedMarks>[0]>): string[] =>
  crossedMarks({ ...crossing, ...changes }).map(({ type, mark }) =>
    type === 'video_complete' ? 'complete' : `${mark}${type === 'watched_minutes' ? 'm' : '%'}`,
  );

test('the percent is whole, rounded down, at most 100, and 0 for an empty video', () => {
  expect(percentOf(599, 600)).toBe(99);
  expect(percentOf(600, 600)).toBe(100);
  expect(percentOf(700, 600)).toBe(100);
  expect(percentOf(10, 0)).toBe(0);
  // Must not be wrong by a binary rounding error.
  expect(percentOf(29, 50)).toBe(58);
});

test('a mark is passed at the second that completes it', () => {
  expect(passed({ before: after(118), after: after(119), minutes: [2], percents: [20] })).toEqual([]);
  expect(passed({ before: after(119), after: after(120), minutes: [2], percents: [20] })).toEqual([
    '2m',
    '20%',
  ]);
  expect(passed({ before: after(120), after: after(121), minutes: [2], percents: [20] })).toEqual([]);
});

test('a percent between two seconds is passed at the later second', () => {
  const totalSeconds = 119;
  const between = (from: number, to: number, changes = {}) =>
    passed({ before: after(from, totalSeconds), after: after(to, totalSeconds), totalSeconds, ...changes });
  // 59.5 seconds.
  expect(between(58, 59, { percents: [50], completeAt: 50 })).toEqual([]);
  expect(between(59, 60, { percents: [50], completeAt: 50, minutes: [1] })).toEqual([
    '1m',
    '50%',
    'complete',
  ]);
});

test('marks are in the order of their seconds, and minutes come first at the same second', () => {
  const marks = { minutes: [1, 2, 3], percents: [10, 15, 20, 30] };
  expect(passed({ ...marks, after: after(190) })).toEqual(['1m', '10%', '15%', '2m', '20%', '3m', '30%']);
});

test('video_complete is in the order of the marks, after those of the same second', () => {
  const all = { after: after(600), minutes: [9], percents: [90, 95, 100] };
  expect(passed({ ...all, completeAt: 90 })).toEqual(['9m', '90%', 'complete', '95%', '100%']);
  expect(passed({ ...all, completeAt: undefined })).toEqual(['9m', '90%', '95%', '100%']);
  expect(passed({ after: after(569), completeAt: 95 })).toEqual([]);
  expect(passed({ after: after(570), completeAt: 95 })).toEqual(['complete']);
  expect(passed({ totalSeconds: 0, completeAt: 95 })).toEqual([]);
});

test('every event has the current watch time and percent', () => {
  const [minute, percent, complete] = crossedMarks({
    ...crossing,
    after: after(599),
    minutes: [1],
    percents: [50],
    completeAt: 95,
  });
  const data = { watchedSeconds: 599, completionPercent: 99 };
  expect(minute).toEqual({ type: 'watched_minutes', mark: 1, occurredAt: now, data });
  expect(percent).toEqual({ type: 'watched_percent', mark: 50, occurredAt: now, data });
  expect(complete).toEqual({ type: 'video_complete', occurredAt: now, data });
});

test('marks between two segments have in_transition, video_complete does not', () => {
  const events = crossedMarks({
    ...crossing,
    after: after(600),
    minutes: [1],
    percents: [50],
    completeAt: 95,
    inTransition: true,
  });
  expect(events.map(({ data }) => data.in_transition)).toEqual([true, true, undefined]);
  expect(Object.keys(events[2]!.data)).not.toContain('in_transition');
});

test('a percent is passed once, even if the total grew', () => {
  const reached = { watchedSeconds: 120, completionPercent: 40 };
  const further = { watchedSeconds: 130, completionPercent: 40 };
  expect(passed({ before: reached, after: further, totalSeconds: 600, percents: [21, 40] })).toEqual([]);
});

test('after the total became smaller, passed percents become events at the next second', () => {
  const before = after(120);
  expect(passed({ before, after: after(121, 200), totalSeconds: 200, percents: [20, 50, 60] })).toEqual([
    '50%',
    '60%',
  ]);
});
