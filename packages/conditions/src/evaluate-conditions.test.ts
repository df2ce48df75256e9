import { expect, test } from 'vitest';
import { createEvaluation, type Evaluation } from './budget.ts';
import type { AttendeeFacts } from './condition-fields.ts';
import type { Condition } from './condition.ts';
import { areMet, evaluateConditions } from './evaluate-conditions.ts';
import { facts as halfWatched } from './facts.fixture.ts';

const offer = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const poll = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d03';

const facts: AttendeeFacts = {
  ...halfWatched,
  clickedOffer: [offer],
  pollAnswer: [{ interactionId: poll, optionId: 'b' }],
  chatMessage: ['hello', 'What is  the PRICE? I like C++'],
  'utm.source': 'Newsletter',
  'utm.campaign': 'launch 2026',
  customFields: { company: 'Straße GmbH', seats: '12', note: '' },
};

const newBudget = () => createEvaluation().budgetOf('event');

const evaluate = (conditions: readonly Condition[], budget = newBudget()) =>
  evaluateConditions(conditions, facts, { budget, evaluation: createEvaluation() });

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
] as const)('%s %s %j is %s', async (field, operator, value, passed) => {
  const conditions = [{ field, operator, value } as Condition];
  // The second time, the folded texts of the condition are cached.
  for (const budget of [newBudget(), newBudget()])
    expect(await evaluate(conditions, budget)).toMatchObject([{ passed }]);
  expect(areMet(conditions, facts, newBudget())).toBe(passed);
});

test('each condition is evaluated by itself, and its result has the actual value', async () => {
  const conditions: Condition[] = [
    { field: 'utm.medium', operator: 'eq', value: 'email' },
    { field: 'joined', operator: 'eq', value: true },
  ];
  expect(await evaluate(conditions)).toEqual([
    { field: 'utm.medium', operator: 'eq', expected: 'email', actual: null, passed: false },
    { field: 'joined', operator: 'eq', expected: true, actual: true, passed: true },
  ]);
});

/** An evaluation that counts how often it gave way. Each reading of its clock advances it by a third of a millisecond. */
function countedTurns() {
  let nowMs = 0;
  let count = 0;
  const evaluation = createEvaluation({ cpuMs: () => (nowMs += 1 / 3) });
  const giveWay: Evaluation['giveWay'] = (running) => {
    const turn = evaluation.giveWay(running);
    if (turn) count += 1;
    return turn;
  };
  return { budget: evaluation.budgetOf('event'), evaluation: { giveWay }, turns: () => count };
}

const many = (count: number, operator: Condition['operator']): Condition[] =>
  Array.from({ length: count }, () => ({ field: 'chatMessage', operator, value: 'price' }));

test('other work of the process runs between the conditions of one rule', async () => {
  const { turns, ...counted } = countedTurns();
  const said = { ...facts, chatMessage: ['a price '.repeat(20_000)] };
  expect(await evaluateConditions(many(20, 'contains_word'), said, counted)).toHaveLength(20);
  expect(turns()).toBeGreaterThan(2);
});

test.each([
  // Three of the turns are between the conditions.
  { what: 'searches', operator: 'contains_word', text: 'another thing ', least: 10 },
  // Folding makes this text eighteen times longer.
  { what: 'compares', operator: 'eq', text: '\ufdfa', least: 4 },
] as const)(
  'other work of the process runs between the messages that one condition $what',
  async ({ operator, text, least }) => {
    const chatMessage = Array.from({ length: 25 }, (_unused, index) => `${index} ${text.repeat(1000)}`);
    const { turns, ...counted } = countedTurns();
    const results = await evaluateConditions(many(3, operator), { ...facts, chatMessage }, counted);
    expect(turns()).toBeGreaterThan(least);
    expect(results).toHaveLength(3);
  },
);

test.each([
  ['the first', ['What is the price?', 'Hello', 'Bye']],
  ['the last', ['Hello', 'Bye', 'What is the price?']],
])('a condition is met when %s message contains the word', async (_which, chatMessage) => {
  const turns = { budget: newBudget(), evaluation: createEvaluation() };
  const results = await evaluateConditions(many(2, 'contains_word'), { ...facts, chatMessage }, turns);
  expect(results).toMatchObject([
    { passed: true, actual: chatMessage },
    { passed: true, actual: chatMessage },
  ]);
});
