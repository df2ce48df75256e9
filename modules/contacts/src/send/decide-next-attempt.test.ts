import { expect, test } from 'vitest';
import { attemptsMax, decideNextAttempt, type Attempted } from './decide-next-attempt.ts';

const later = { kind: 'later', reason: '503', retryAfterMs: undefined } as const;

test('a change is repeated after growing waits and then hourly for a day, and waits for its connection afterwards', () => {
  const waits: number[] = [];
  let attempts = 0;
  for (;;) {
    const next = decideNextAttempt(attempts, later, 0.5);
    if (next.kind !== 'again') {
      expect(next).toEqual({ kind: 'parked', attempts: attemptsMax });
      break;
    }
    waits.push(next.waitMs / 1000);
    attempts = next.attempts;
  }
  expect(waits).toEqual([5, 30, 120, 600, 3600, ...Array.from({ length: 23 }, () => 3600)]);
});

test('waits differ by a fifth', () => {
  expect([0, 1].map((random) => decideNextAttempt(0, later, random))).toMatchObject([
    { waitMs: 4000 },
    { waitMs: 6000 },
  ]);
});

test.each<[string, Attempted, object]>([
  ['is done', { kind: 'done', reason: null }, { kind: 'ended', outcome: 'done' }],
  ['ends when the person has left', { kind: 'left', reason: 'x' }, { kind: 'ended', outcome: 'left' }],
  [
    'ends when the address is refused',
    { kind: 'person_refused', reason: 'x' },
    { kind: 'ended', outcome: 'person_refused' },
  ],
  [
    'has its lane rest for the time that the tool names, and keeps its attempts',
    { kind: 'throttled', reason: 'x', retryAfterMs: 7000 },
    { kind: 'again', waitMs: 0, attempts: 3, restMs: 7000 },
  ],
  [
    'has its lane rest for an hour at most',
    { kind: 'throttled', reason: 'x', retryAfterMs: 1e9 },
    { kind: 'again', attempts: 3, restMs: 3_600_000 },
  ],
  [
    'waits as long as the tool asks',
    { kind: 'later', reason: 'x', retryAfterMs: 1_000_000 },
    { kind: 'again', waitMs: 1_000_000, attempts: 4, restMs: null },
  ],
  [
    'is repeated when its key was refused',
    { kind: 'credential_refused', reason: 'x' },
    { kind: 'again', attempts: 4, restMs: null },
  ],
])('a change %s', (_title, attempted, expected) => {
  expect(decideNextAttempt(3, attempted, 0.5)).toMatchObject(expected);
});
