import { expect, test } from 'vitest';
import type { Condition } from './condition.ts';
import {
  actualText,
  conditionText,
  fillTemplate,
  sentenceText,
  type ConditionNames,
} from './condition-sentence.ts';

const names: ConditionNames = {
  interaction: (id) =>
    id === 'gone' ? { text: 'a deleted interaction', isMissing: true } : { text: `Card ${id}` },
  option: (_poll, option) => ({ text: `Option ${option}` }),
  customField: (key) => `Field ${key}`,
};

const answer = { interactionId: 'p', optionId: 'b' };

test.each([
  ['watchedMinutes', 'gte', 5, 'they watched at least 5 min'],
  ['joined', 'neq', false, 'they joined'],
  ['joined', 'eq', false, 'they did not join'],
  ['clickedOffer', 'eq', 'gone', 'they clicked a deleted interaction'],
  ['clickedOffer', 'in', ['x', 'y', 'z'], 'they clicked one of Card x, Card y or Card z'],
  ['clickedOffer', 'exists', false, 'they clicked no offer'],
  ['pollAnswer', 'eq', answer, 'they answered Option b in Card p'],
  ['pollAnswer', 'eq', { interactionId: '', optionId: '' }, 'they answered …'],
  ['chatMessage', 'contains', 'price', 'one of their chat messages contains “price”'],
  ['utm.source', 'eq', 'mail', 'utm_source is “mail”'],
  ['utm.source', 'eq', '', 'utm_source is …'],
  ['sessionKind', 'eq', 'just_in_time', 'their session is just-in-time'],
  ['customFields.size', 'gte', '10', 'Field size is at least “10”'],
  ['', 'eq', '', '…'],
  ['customFields.', 'eq', '', '…'],
  ['unknown', 'eq', 'x', 'unknown eq "x"'],
] as const)('%s %s %j reads: %s', (field, operator, value, text) => {
  expect(conditionText({ field, operator, value } as Condition, names)).toBe(text);
});

test.each([
  ['watchedPercent', 41, '41'],
  ['joined', false, 'no'],
  ['utm.source', null, 'nothing'],
  ['chatMessage', [], 'nothing'],
  ['chatMessage', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], '“a”, “b”, “c”, “d”, “e” and 2 more'],
  ['clickedOffer', ['x', 'y'], 'Card x and Card y'],
  ['pollAnswer', [answer], 'Option b in Card p'],
  ['sessionKind', 'on_demand', 'on demand'],
])('the actual value of %s, %j, reads: %s', (field, actual, text) => {
  expect(actualText({ field, actual }, names)).toBe(text);
});

const fill = (template: string, values: Record<string, string> = {}) =>
  sentenceText(
    fillTemplate(
      template,
      Object.fromEntries(Object.entries(values).map(([name, text]) => [name, { text }])),
    ),
  );

test.each([
  ['reaches {percent} %', { percent: '50' }, 'reaches 50 %'],
  ['reaches {percent} %', {}, 'reaches … %'],
  ['answers {poll|any poll}', {}, 'answers any poll'],
  ['answers {poll|any poll}', { poll: 'Timing' }, 'answers Timing'],
  ['answers[ {option} in] {poll|a poll}', { option: 'Now', poll: 'Timing' }, 'answers Now in Timing'],
  ['answers[ {option} in] {poll|a poll}', { poll: 'Timing' }, 'answers Timing'],
  ['sends[ {match} {word}]', { match: 'contains' }, 'sends'],
])('%s with %j reads: %s', (template, values, text) => {
  expect(fill(template, values as Record<string, string>)).toBe(text);
});

test('brackets in a value are not part of the template', () => {
  expect(fill('clicks {offer}', { offer: '[{x}]' })).toBe('clicks [{x}]');
});
