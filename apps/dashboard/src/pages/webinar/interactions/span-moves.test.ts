import { expect, test } from 'vitest';
import { endAt, moveTo, stepOf } from './span-moves.ts';

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
