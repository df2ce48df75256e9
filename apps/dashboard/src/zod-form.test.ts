import { expect, test } from 'vitest';
import { z } from 'zod';
import { messagesAfter, validateBy } from './zod-form.ts';

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

const Condition = z.strictObject({ field: z.string().min(1), value: z.string().uuid('Must be an id.') });
const check = validateBy<{ conditions: object[]; price?: string; currency?: string }>(
  z
    .object({ conditions: z.array(Condition), price: z.string().optional(), currency: z.string().optional() })
    .refine(({ price, currency }) => !price || currency, {
      path: ['currency'],
      error: 'A price needs a currency.',
    }),
);
const offer = '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d01';

test('a message ends when its value is corrected, also if the list around it was replaced', () => {
  const before = { conditions: [{ field: 'clickedOffer', value: '' }] };
  const after = { conditions: [{ field: 'clickedOffer', value: offer }] };
  const shown = { 'conditions.0.value': 'Must be an id.' };
  expect(messagesAfter(shown, { check, before, after })).toEqual({});
});

test('a message ends when a change of another field ends its cause', () => {
  const before = { conditions: [], price: '79' };
  const shown = { currency: 'A price needs a currency.' };
  expect(messagesAfter(shown, { check, before, after: { conditions: [], price: '' } })).toEqual({});
  expect(messagesAfter(shown, { check, before, after: { conditions: [], price: '7' } })).toEqual(shown);
});

test('an entry that was just added has no messages, and the messages of the others stay', () => {
  const first = { field: 'clickedOffer', value: 'x' };
  const shown = { 'conditions.0.value': 'Must be an id.' };
  const after = { conditions: [first, { field: '', value: '' }] };
  expect(messagesAfter(shown, { check, before: { conditions: [first] }, after })).toEqual(shown);
});

test('a changed value has its message at once, and one that another choice has emptied has none', () => {
  const before = { conditions: [{ field: 'clickedOffer', value: offer }] };
  const messages = (entry: object) => messagesAfter({}, { check, before, after: { conditions: [entry] } });
  const shown = { 'conditions.0.value': 'Must be an id.' };
  expect(messages({ field: 'clickedOffer', value: 'x' })).toEqual(shown);
  expect(messages({ field: 'clickedOffer', value: '' })).toEqual(shown);
  expect(messages({ field: 'joined', value: '' })).toEqual({});
});

test('a message of the service stays until its value changes', () => {
  const before = { conditions: [{ field: 'clickedOffer', value: offer }], price: '79', currency: 'EUR' };
  const shown = { 'conditions.0.value': 'This offer was deleted.' };
  expect(messagesAfter(shown, { check, before, after: { ...before, price: '80' } })).toEqual(shown);
  expect(messagesAfter(shown, { check, before, after: { ...before, conditions: [] } })).toEqual({});
});
