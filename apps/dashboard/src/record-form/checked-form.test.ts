import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateBy } from '../zod-form.ts';
import { messagesAfter } from './checked-form.ts';

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
