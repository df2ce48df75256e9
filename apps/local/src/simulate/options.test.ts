import { expect, test } from 'vitest';
import { readOptions, videoSeconds } from './options.ts';

const read = (...args: string[]) => readOptions(args, () => 7);

test('by default a hundred attendees watch ten minutes', () => {
  expect(read()).toMatchObject({
    attendees: 100,
    minutes: 10,
    speed: 1,
    heartbeatSeconds: 10,
    seed: 7,
    checked: 100,
    json: false,
  });
});

test('of more than a thousand attendees only a sample is compared in full, unless all are requested', () => {
  expect(read('--attendees', '1000')?.checked).toBe(1000);
  expect(read('--attendees', '1001')?.checked).toBe(500);
  expect(read('--attendees', '1001', '--check', 'all')?.checked).toBe(1001);
  expect(read('--attendees', '20', '--check', '50')?.checked).toBe(20);
});

test('one error names everything that is wrong', () => {
  const wrong = [
    '--attendees',
    '0',
    '--minutes',
    '601',
    '--speed',
    'fast',
    '--check',
    '1.5',
    '--email',
    'a@b.c',
  ];
  expect(() => read(...wrong)).toThrow(
    [
      '--attendees must be a whole number from 1 to 50000.',
      '--check must be a whole number from 0 to 50000.',
      '--email and --password belong together.',
      '--minutes must be a number from 1 to 600.',
      '--speed must be a number from 0.1 to 600.',
    ].join('\n'),
  );
});

test.each([
  [['--attendees', '']],
  [['--seed', '-1']],
  [['--base-url', 'localhost:3000']],
  [['--key', 'k', '--account', 'a']],
  [['--attendance', '3']],
])('%j is refused', (args) => {
  expect(() => read(...args)).toThrow();
});

test('the video gets shorter with the speed, but never shorter than a minute', () => {
  expect(videoSeconds({ minutes: 5, speed: 1 })).toBe(300);
  expect(videoSeconds({ minutes: 5, speed: 4 })).toBe(75);
  expect(videoSeconds({ minutes: 5, speed: 10 })).toBe(60);
});
