import { expect, test } from 'vitest';
import type { Branch, Segment } from '../../../trpc.ts';
import { firstValues, toBody, toPath, validateBranch } from './branch-values.ts';

const webinarId = '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d00';
const from = '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d01';
const to = '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d02';

const segments = [{ id: from, durationSeconds: 300 } as Segment];
const whole = { ...firstValues(from, []), toSegmentId: to, label: 'On' };
const condition = { field: 'joined', operator: 'eq' as const, value: true };

test('the first branch of a segment is its default, and the next one a choice', () => {
  expect(whole.via).toBe('default');
  expect(firstValues(from, [{ via: 'default' } as never]).via).toBe('choice');
});

test('fields of another kind are not sent, so a changed kind is not refused for them', () => {
  const values = { ...whole, promptText: 'Next?', promptAtSeconds: '1:00', conditions: [condition] };
  const nothing = { promptText: null, promptAtSeconds: null, conditions: [] };
  expect(toBody({ ...values, via: 'default' })).toMatchObject(nothing);
  expect(toBody({ ...values, via: 'condition' })).toMatchObject({ ...nothing, conditions: [condition] });
  expect(toBody({ ...values, via: 'choice' })).toMatchObject({
    promptText: 'Next?',
    promptAtSeconds: 60,
    conditions: [],
  });
});

test('problems are at their fields', () => {
  const problemsOf = (change: object) => validateBranch(webinarId, segments)({ ...whole, ...change });
  expect(problemsOf({})).toEqual({});
  expect(problemsOf({ toSegmentId: '', label: '' })).toEqual({
    toSegmentId: 'Choose a segment.',
    label: 'Must not be blank.',
  });
  expect(problemsOf({ via: 'condition' })).toEqual({
    conditions: 'A condition branch needs at least one condition.',
  });
  expect(problemsOf({ via: 'choice', promptAtSeconds: '5:00' })).toEqual({
    promptAtSeconds: 'Must be before the end of its segment, 5:00.',
  });
  expect(Object.keys(problemsOf({ via: 'choice', choiceTimeoutSeconds: 301 }))).toEqual([
    'choiceTimeoutSeconds',
  ]);
});

test('the preview offers the edited choice in its place among the others of its segment', () => {
  const siblings = ['less', 'more'].map(
    (id) => ({ ...whole, id, via: 'choice', label: id }) as unknown as Branch,
  );
  const edited = { ...whole, via: 'choice' as const, label: 'Edited', choiceTimeoutSeconds: '' };
  const labelsOf = (storedId?: string) =>
    toPath(edited, { siblings, storedId }).choices.map(({ label }) => label);
  expect(labelsOf('less')).toEqual(['Edited', 'more']);
  expect(labelsOf()).toEqual(['less', 'more', 'Edited']);
});
