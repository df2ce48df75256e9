import { expect, test } from 'vitest';
import { mustTakeDefault, promptOf } from './branch-choice.ts';
import type { PathState } from './protocol.ts';

const choice = (branchId: string, fields: object = {}) => ({
  branchId,
  label: branchId,
  promptText: null,
  promptAtSeconds: null,
  timeoutSeconds: 15,
  ...fields,
});

const path = (fields: Partial<PathState> = {}): PathState => ({
  segmentId: 'segment',
  title: 'Welcome',
  videoUrl: null,
  durationSeconds: 60,
  isTerminal: false,
  inTransition: false,
  choices: [
    choice('prices', { promptText: 'Continue with', promptAtSeconds: 50 }),
    choice('features', { timeoutSeconds: 20 }),
  ],
  defaultBranchId: 'default',
  nextVideoUrls: [],
  ...fields,
});

const at = (positionSeconds: number, openedAtMs?: number, nowMs = 0) => ({
  positionSeconds,
  openedAtMs,
  nowMs,
});

test('the choices appear at the time of their prompt, and at the latest at the end of the segment', () => {
  expect(promptOf(path(), at(49))).toBeUndefined();
  expect(promptOf(path(), at(50))).toMatchObject({ text: 'Continue with', secondsLeft: 20 });
  const untimed = path({ choices: [choice('a')] });
  expect(promptOf(untimed, at(60))).toBeUndefined();
  expect(promptOf({ ...untimed, inTransition: true }, at(60))).toMatchObject({ secondsLeft: 15 });
  expect(promptOf(path({ choices: [], inTransition: true }), at(60))).toBeUndefined();
});

test('the default is taken when the timer has ended and the segment too, never earlier', () => {
  const late = promptOf(path(), at(59, 1000, 40_000))!;
  expect(late.secondsLeft).toBe(0);
  expect(mustTakeDefault(path(), late)).toBe(false);
  expect(mustTakeDefault(path({ inTransition: true }), late)).toBe(true);
  expect(
    mustTakeDefault(path({ inTransition: true, defaultBranchId: null }), { ...late, defaultBranchId: null }),
  ).toBe(false);
  expect(mustTakeDefault(path({ inTransition: true }), promptOf(path(), at(59, 1000, 20_900))!)).toBe(false);
});
