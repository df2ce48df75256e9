import { expect, test } from 'vitest';
import { warningsOf, type Timed } from './warnings.ts';

const popup = (id: string, showAtSeconds: number, hideAtSeconds: number | null, more = {}): Timed => ({
  id,
  internalName: id,
  showAtSeconds,
  hideAtSeconds,
  display: 'popup',
  enabled: true,
  ...more,
});

const warned = (...interactions: Timed[]) => Object.fromEntries(warningsOf(interactions, 600));

test('two pop-ups at the same time are named at both, and one after the other at neither', () => {
  expect(warned(popup('a', 0, 60), popup('b', 30, 90), popup('c', 90, 120))).toEqual({
    a: ['At the same time as the pop-up “b”.'],
    b: ['At the same time as the pop-up “a”.'],
  });
});

test('a pop-up without an end meets every later one', () => {
  expect(warned(popup('a', 0, null), popup('b', 300, 310), popup('c', 400, 410))).toMatchObject({
    a: ['At the same time as the pop-up “b” and 1 more.'],
    c: ['At the same time as the pop-up “a”.'],
  });
});

test('panels, banners and disabled pop-ups overlap nothing', () => {
  const others = [popup('b', 0, 60, { display: 'panel' }), popup('c', 0, 60, { display: 'banner' })];
  expect(warned(popup('a', 0, 60), ...others, popup('d', 0, 60, { enabled: false }))).toEqual({});
});

test('a time past the end of the video is named', () => {
  expect(warned(popup('a', 500, 700), popup('b', 600, null, { display: 'panel' }))).toEqual({
    a: ['Its end is after the end of the video, 10:00.'],
    b: ['Never shown: the video ends at 10:00.'],
  });
});
