import { expect, test } from 'vitest';
import { barMinPx, endAt, moveTo, packLanes, stepOf, ticksOf, type Span } from './spans.ts';

const hour = { widthPx: 900, durationSeconds: 3600 };

const span = (id: string, showAtSeconds: number, hideAtSeconds: number | null): Span => ({
  id,
  showAtSeconds,
  hideAtSeconds,
});

const lanesOf = (spans: readonly Span[]) =>
  Object.fromEntries([...packLanes(spans, hour)].map(([id, { lane }]) => [id, lane]));

test('bars at the same time are in different lanes, and a free lane is used again', () => {
  expect(lanesOf([span('a', 0, 600), span('b', 300, 900), span('c', 1200, 1500)])).toEqual({
    a: 0,
    b: 1,
    c: 0,
  });
});

test('a short bar takes the width that it is drawn with', () => {
  // Ten seconds are 2.5 px, and the next bar begins after 5 px.
  expect(lanesOf([span('a', 0, 10), span('b', 20, 30)])).toEqual({ a: 0, b: 1 });
});

test('a bar without an end takes its lane to the end of the video', () => {
  expect(lanesOf([span('a', 0, null), span('b', 1800, null)])).toEqual({ a: 0, b: 1 });
  expect(packLanes([span('a', 1800, null)], hour).get('a')).toMatchObject({ leftPx: 450, widthPx: 450 });
});

test('the coloured part of a bar is its time, also where the bar is wider or has moved to the left', () => {
  const bars = packLanes([span('a', 400, 440), span('b', 3580, null)], hour);
  expect(bars.get('a')).toEqual({ lane: 0, leftPx: 100, widthPx: 28, colored: { leftPx: 0, widthPx: 10 } });
  expect(bars.get('b')).toEqual({ lane: 0, leftPx: 872, widthPx: 28, colored: { leftPx: 23, widthPx: 5 } });
});

test('no two of 200 bars cover each other, and none leaves the axis', () => {
  const spans = Array.from({ length: 200 }, (_unused, index) =>
    span(String(index), (index * 97) % 3600, index % 3 === 0 ? null : ((index * 97) % 3600) + 40),
  );
  const placed = [...packLanes(spans, hour).values()];
  expect(placed).toHaveLength(200);
  for (const [index, one] of placed.entries()) {
    expect(one.widthPx).toBeGreaterThanOrEqual(barMinPx);
    expect(one.leftPx).toBeGreaterThanOrEqual(0);
    expect(one.leftPx + one.widthPx).toBeLessThanOrEqual(900);
    for (const other of placed.slice(index + 1).filter(({ lane }) => lane === one.lane)) {
      const isApart = one.leftPx + one.widthPx <= other.leftPx || other.leftPx + other.widthPx <= one.leftPx;
      expect(isApart).toBe(true);
    }
  }
});

test('a time past the end of the video is drawn at the end', () => {
  const { leftPx, widthPx } = packLanes([span('late', 4000, 5000)], hour).get('late')!;
  expect(leftPx + widthPx).toBe(900);
});

test('the marks of the axis are round times that fit', () => {
  expect(ticksOf(hour)).toEqual([0, 300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700, 3000, 3300, 3600]);
  expect(ticksOf({ widthPx: 300, durationSeconds: 3600 })).toEqual([0, 900, 1800, 2700, 3600]);
  expect(ticksOf({ widthPx: 300, durationSeconds: 1 })).toEqual([0, 1]);
});

const minute = { showAtSeconds: 60, hideAtSeconds: 120 };
const open = { showAtSeconds: 60, hideAtSeconds: null };

test('a moved bar keeps its length, and its start stays inside the video', () => {
  expect(moveTo(minute, 61.4, 600)).toEqual({ showAtSeconds: 61, hideAtSeconds: 121 });
  expect(moveTo(minute, -5, 600)).toEqual({ showAtSeconds: 0, hideAtSeconds: 60 });
  expect(moveTo(minute, 9999, 600)).toEqual({ showAtSeconds: 599, hideAtSeconds: 659 });
  expect(moveTo(open, 30, 600)).toEqual({ showAtSeconds: 30, hideAtSeconds: null });
  expect(moveTo({ showAtSeconds: 0, hideAtSeconds: 86_400 }, 10, 86_400).hideAtSeconds).toBe(86_400);
});

test('an end is after the start, and at the end of the video there is none', () => {
  expect(endAt(minute, 90, 600)).toEqual({ showAtSeconds: 60, hideAtSeconds: 90 });
  expect(endAt(minute, 10, 600)).toEqual({ showAtSeconds: 60, hideAtSeconds: 61 });
  expect(endAt(minute, 600, 600)).toEqual(open);
  expect(endAt(open, 90, 600)).toEqual({ showAtSeconds: 60, hideAtSeconds: 90 });
});

test('arrow keys move by a second, with Shift by ten', () => {
  expect(stepOf({ key: 'ArrowLeft', shiftKey: false })).toBe(-1);
  expect(stepOf({ key: 'ArrowRight', shiftKey: true })).toBe(10);
  expect(stepOf({ key: 'a', shiftKey: false })).toBeUndefined();
});
