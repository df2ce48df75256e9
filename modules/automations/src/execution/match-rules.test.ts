import { createEvaluation } from '@service/webinars';
import { expect, test } from 'vitest';
import { Trigger } from '../event/trigger.ts';
import { isMeant } from './match-rules.ts';

const newBudget = () => createEvaluation().budgetOf('event');

test.each([
  ['contains', 'rice', 'The  PRICE?', true],
  ['contains', 'the price', 'The  PRICE?', true],
  ['contains', 'cost', 'The price?', false],
  ['contains_word', 'price', 'The PRICE?', true],
  ['contains_word', 'rice', 'The price?', false],
  ['contains_word', 'straße', 'STRASSE 5', true],
  ['equals', 'yes', ' YES ', true],
  ['equals', 'yes', 'yes!', false],
  ['starts_with', 'ｙｅｓ', 'Yes, please', true],
  ['starts_with', 'please', 'Yes, please', false],
] as const)('a keyword that a message %s: %s, %s is %s', (match, keyword, message, expected) => {
  const trigger = Trigger.parse({ type: 'chat_response', params: { keywords: ['never', keyword], match } });
  expect(isMeant(trigger, { data: { message } }, newBudget())).toBe(expected);
});

test('without keywords every message is meant; with them one that says nothing is not', () => {
  const any = Trigger.parse({ type: 'chat_response' });
  const some = Trigger.parse({ type: 'chat_response', params: { keywords: ['undefined'] } });
  expect([isMeant(any, { data: {} }, newBudget()), isMeant(some, { data: {} }, newBudget())]).toEqual([
    true,
    false,
  ]);
});
