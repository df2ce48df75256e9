import { expect, test } from 'vitest';
import type { Condition, FieldName } from './condition.ts';
import { areMet, evaluateConditions } from './evaluate-conditions.ts';
import { createEvaluation } from './evaluation-budget.ts';
import type { AttendeeFacts } from './attendee-facts.ts';

const offer = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const poll = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d03';

const facts: AttendeeFacts = {
  watchedPercent: 50,
  watchedMinutes: 30,
  joined: true,
  completed: false,
  purchased: false,
  clickedOffers: [offer],
  clickedInteractions: [],
  pollAnswers: [{ interactionId: poll, optionId: 'b' }],
  chatMessages: ['hello', 'What is  the PRICE? I like C++'],
  utm: { source: 'Newsletter', medium: null, campaign: 'launch 2026', term: 'webinar', content: 'header' },
  customFields: { company: 'Straße GmbH', seats: '12', note: '' },
  sessionKind: 'scheduled',
  registrationSource: 'api',
};

const newBudget = () => createEvaluation().budgetOf('event');

test.each([
  ['watchedPercent', 'gte', 50, true],
  ['watchedPercent', 'gte', 51, false],
  ['watchedPercent', 'lte', 50, true],
  ['watchedMinutes', 'eq', 30, true],
  ['joined', 'eq', true, true],
  ['completed', 'neq', true, true],
  ['clickedOffer', 'eq', offer, true],
  ['clickedOffer', 'neq', offer, false],
  ['clickedOffer', 'in', [poll, offer], true],
  ['clickedOffer', 'exists', true, true],
  ['clickedInteraction', 'exists', true, false],
  ['clickedInteraction', 'exists', false, true],
  ['clickedInteraction', 'neq', offer, true],
  ['pollAnswer', 'eq', { interactionId: poll, optionId: 'b' }, true],
  ['pollAnswer', 'eq', { interactionId: poll, optionId: 'a' }, false],
  ['pollAnswer', 'eq', { interactionId: offer, optionId: 'b' }, false],
  ['chatMessage', 'contains', 'price? i', true],
  ['chatMessage', 'contains', 'the price', true],
  ['chatMessage', 'contains_word', 'price', true],
  ['chatMessage', 'contains_word', 'rice', false],
  ['chatMessage', 'contains_word', 'c++', true],
  ['chatMessage', 'contains_word', 'c+', true],
  ['utm.source', 'eq', 'newsletter', true],
  ['utm.source', 'eq', 'ｎｅｗｓｌｅｔｔｅｒ', true],
  ['utm.source', 'in', ['ads', 'NEWSLETTER'], true],
  ['utm.source', 'in', ['ads'], false],
  ['utm.campaign', 'contains_word', 'launch', true],
  ['utm.medium', 'eq', 'email', false],
  ['utm.medium', 'neq', 'email', true],
  ['utm.medium', 'contains', 'e', false],
  ['utm.medium', 'exists', false, true],
  ['customFields.company', 'contains_word', 'STRASSE', true],
  ['customFields.seats', 'gte', 10, true],
  ['customFields.seats', 'gte', 100, false],
  ['customFields.company', 'gte', 0, false],
  ['customFields.company', 'lte', 0, false],
  ['customFields.note', 'exists', true, false],
  ['customFields.absent', 'exists', false, true],
  ['customFields.constructor', 'exists', true, false],
  ['sessionKind', 'neq', 'on_demand', true],
  ['registrationSource', 'in', ['page', 'api'], true],
] as const)('%s %s %j is %s', (field, operator, value, passed) => {
  const conditions = [{ field, operator, value } as Condition];
  // The second time, the folded texts of the condition are cached.
  for (const budget of [newBudget(), newBudget()])
    expect(evaluateConditions(conditions, facts, budget)).toMatchObject([{ passed }]);
  expect(areMet(conditions, facts, newBudget())).toBe(passed);
});

const actuals: Record<FieldName, unknown> = {
  watchedPercent: 50,
  watchedMinutes: 30,
  joined: true,
  completed: false,
  purchased: false,
  clickedOffer: [offer],
  clickedInteraction: [],
  pollAnswer: [{ interactionId: poll, optionId: 'b' }],
  chatMessage: ['hello', 'What is  the PRICE? I like C++'],
  'utm.source': 'Newsletter',
  'utm.medium': null,
  'utm.campaign': 'launch 2026',
  'utm.term': 'webinar',
  'utm.content': 'header',
  sessionKind: 'scheduled',
  registrationSource: 'api',
};

test.each(Object.entries(actuals))('%s reads its own fact', (field, actual) => {
  const condition: Condition = { field, operator: 'eq', value: 'any' };
  expect(evaluateConditions([condition], facts, newBudget())).toMatchObject([{ field, actual }]);
});

test('each condition is evaluated by itself, and its result has the actual value', () => {
  const conditions: Condition[] = [
    { field: 'utm.medium', operator: 'eq', value: 'email' },
    { field: 'joined', operator: 'eq', value: true },
  ];
  expect(evaluateConditions(conditions, facts, newBudget())).toEqual([
    { field: 'utm.medium', operator: 'eq', expected: 'email', actual: null, passed: false },
    { field: 'joined', operator: 'eq', expected: true, actual: true, passed: true },
  ]);
});
