import type { AttendeeEvent } from '@service/attendees';
import { createEvaluation } from '@service/webinars';
import { expect, test } from 'vitest';
import { Trigger } from '../event/trigger.ts';
import type { ListeningRule } from '../rule/listening-rule.ts';
import { isMeant, matchRules } from './match-rules.ts';

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

/** A rule with twenty keywords that a message of a thousand letters nearly holds. */
const rule = (id: string): ListeningRule => {
  const keywords = Array.from({ length: 20 }, (_unused, index) => `${'a'.repeat(90)} ${index}`);
  const trigger = Trigger.parse({ type: 'chat_response', params: { keywords } });
  return { id, name: id, endpointId: id, trigger, conditions: [], fireMode: null, subscriptionId: null };
};

const said = (id: string, message: string) =>
  ({ id, type: 'chat_response', data: { message } }) as unknown as AttendeeEvent;

test('rules whose keywords the budget does not reach are left over, those without keywords are not', async () => {
  // Every reading of this clock is 6 ms later.
  let nowMs = 0;
  const evaluation = createEvaluation({ cpuMs: () => (nowMs += 6) });
  const any = { ...rule('any'), trigger: Trigger.parse({ type: 'chat_response' }) };
  const rules = [...Array.from({ length: 30 }, (_unused, index) => rule(`rule ${index}`)), any];
  const matched = await matchRules(
    {
      version: 1,
      byTrigger: new Map([['chat_response', rules]]),
      timed: [],
      timerEvents: new Set(),
      minutes: [],
      percents: [],
      size: 0,
    },
    [said('first', 'a'.repeat(1000)), said('second', 'Hello')],
    evaluation,
  );
  const outcomes = matched.map(({ event, rule: { id }, skipReason }) => [event.id, id, skipReason]);
  const leftOver = outcomes.filter(([, , reason]) => reason !== undefined);
  expect(leftOver.length).toBeGreaterThan(0);
  expect(leftOver).toEqual(
    rules.slice(30 - leftOver.length, 30).map(({ id }) => ['first', id, 'evaluation_budget']),
  );
  expect(outcomes.slice(leftOver.length)).toEqual([
    ['first', 'any', undefined],
    ['second', 'any', undefined],
  ]);
});
