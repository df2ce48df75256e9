import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateBy } from './zod-form.ts';

const schema = z.strictObject({
  title: z.string().trim().min(1, 'Must not be blank.'),
  length: z.number().int().min(60).max(86_400),
  room: z.strictObject({ mode: z.enum(['public', 'off']) }),
  times: z.array(z.strictObject({ at: z.string().regex(/^\d\d:\d\d$/) })),
});

const good = { title: 'Launch', length: 3600, room: { mode: 'off' }, times: [{ at: '18:00' }] };

test('a form with values that the API accepts has no messages', () => {
  expect(validateBy(schema)(good)).toEqual({});
});

test('all problems of a form are named at once, by the paths of its fields', () => {
  const values = { title: ' ', length: 1, room: { mode: 'loud' }, times: [{ at: '' }, { at: 'noon' }] };
  expect(validateBy(schema)(values)).toEqual({
    title: 'Must not be blank.',
    length: 'Must be at least 60.',
    'room.mode': 'Choose one of the options.',
    'times.0.at': 'Required.',
    'times.1.at': 'Not in the expected form.',
  });
});

test('large numbers in messages have separators', () => {
  expect(validateBy(schema)({ ...good, length: 100_000 })).toEqual({ length: 'Must be at most 86,400.' });
});

test('the values of a form are converted before the check', () => {
  const validate = validateBy<{ minutes: string }>(z.strictObject({ length: z.number() }), ({ minutes }) => ({
    length: minutes === '' ? undefined : Number(minutes) * 60,
  }));
  expect(validate({ minutes: '30' })).toEqual({});
  expect(validate({ minutes: '' })).toEqual({ length: 'Required.' });
});
