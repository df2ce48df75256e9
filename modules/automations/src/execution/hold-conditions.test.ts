import { createId } from '@service/database';
import { createEvaluation, type Evaluation } from '@service/webinars';
import { expect, test } from 'vitest';
import type { Decision } from './decide.ts';
import { holdConditions } from './hold-conditions.ts';

const noQuery = { query: () => Promise.reject(new Error('Nothing is asked')), accountId: 'account' };

/** One rule with as many conditions as it may have, about one long message. */
function decisionOf(conditions: number): Decision {
  const condition = { field: 'chatMessage', operator: 'contains_word', value: 'price' };
  return {
    rule: { conditions: Array.from({ length: conditions }, () => condition) },
    event: {
      id: 'event',
      type: 'chat_response',
      data: { message: 'a price '.repeat(120) },
      registration: { id: 'registration', sessionId: 'session', customFields: {} },
      session: { kind: 'scheduled' },
      facts: { clicks: {}, answers: {} },
    },
  } as unknown as Decision;
}

/** An evaluation that says how often it gave way. Each reading of its clock is a millisecond later. */
function countedTurns() {
  let nowMs = 0;
  let count = 0;
  const evaluation = createEvaluation({ cpuMs: () => (nowMs += 1) });
  const giveWay: Evaluation['giveWay'] = (running) => {
    const turn = evaluation.giveWay(running);
    if (turn) count += 1;
    return turn;
  };
  return { evaluation: { ...evaluation, giveWay }, turns: () => count };
}

test('other work of the process runs between the conditions of one rule', async () => {
  const { evaluation, turns } = countedTurns();
  const long = decisionOf(20);
  long.event.data['message'] = 'a price '.repeat(20_000);
  const [evaluated] = await holdConditions(noQuery, [long], evaluation);
  expect(evaluated!.results.length).toBe(20);
  expect(turns()).toBeGreaterThan(2);
});

test('all conditions of a rule are evaluated, each by itself', async () => {
  const [evaluated] = await holdConditions(noQuery, [decisionOf(20)], createEvaluation());
  expect(evaluated!.skipReason).toBeUndefined();
  expect(evaluated!.results.map(({ passed }) => passed)).toEqual(Array.from({ length: 20 }, () => true));
});

/** A click of somebody who has said so much; the database answers with their messages. */
function clickAfter(messages: readonly string[], conditions: number) {
  const decision = decisionOf(conditions);
  const registration = { id: createId(), sessionId: createId(), customFields: {} };
  Object.assign(decision.event, { type: 'cta_click', data: {}, registration });
  const query = () => Promise.resolve([{ registration_id: registration.id, messages }] as never);
  return { decision, reader: { query, accountId: 'account' } };
}

test.each([
  // Three turns are those between the conditions.
  { what: 'searches', operator: 'contains_word', text: 'another thing ', least: 10 },
  // Folding makes it long.
  { what: 'compares', operator: 'eq', text: '\ufdfa', least: 4 },
])(
  'other work of the process runs between the messages that one condition $what',
  async ({ operator, text, least }) => {
    const messages = Array.from({ length: 25 }, (_unused, index) => `${index} ${text.repeat(1000)}`);
    const { decision, reader } = clickAfter(messages, 3);
    decision.rule.conditions = decision.rule.conditions.map((condition) => ({
      ...condition,
      operator,
    })) as never;
    const { evaluation, turns } = countedTurns();
    const [evaluated] = await holdConditions(reader, [decision], evaluation);
    expect(turns()).toBeGreaterThan(least);
    expect(evaluated!.results).toHaveLength(3);
  },
);

test.each([
  ['the first', ['What is the price?', 'Hello', 'Bye']],
  ['the last', ['Hello', 'Bye', 'What is the price?']],
])('a condition is met when %s message contains the word', async (_which, messages) => {
  const { decision, reader } = clickAfter(messages, 2);
  const [evaluated] = await holdConditions(reader, [decision], createEvaluation());
  expect(evaluated!.skipReason).toBeUndefined();
  expect(evaluated!.results).toMatchObject([
    { passed: true, actual: messages },
    { passed: true, actual: messages },
  ]);
});

test('a condition about messages fails for somebody who has said nothing', async () => {
  const { decision, reader } = clickAfter([], 1);
  const [evaluated] = await holdConditions(reader, [decision], createEvaluation());
  expect(evaluated!.skipReason).toBe('condition_not_met');
});
