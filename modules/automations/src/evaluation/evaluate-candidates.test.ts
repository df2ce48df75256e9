import { createId } from '@service/database';
import { createEvaluation, type Evaluation } from '@service/webinars';
import { expect, test } from 'vitest';
import { evaluateCandidates } from './evaluate-candidates.ts';
import type { Candidate } from './match-rules.ts';

const noQuery = { query: () => Promise.reject(new Error('No query is expected')), accountId: 'account' };

/** A rule with some conditions on one long message. */
function candidateOf(conditions: number): Candidate {
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
  } as unknown as Candidate;
}

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
  return { evaluation: { ...evaluation, giveWay }, turns: () => count };
}

test('other work of the process runs between the conditions of one rule', async () => {
  const { evaluation, turns } = countedTurns();
  const long = candidateOf(20);
  long.event.data['message'] = 'a price '.repeat(20_000);
  const [evaluated] = await evaluateCandidates(noQuery, [long], evaluation);
  expect(evaluated!.results.length).toBe(20);
  expect(turns()).toBeGreaterThan(2);
});

test('each condition of a rule is evaluated', async () => {
  const [evaluated] = await evaluateCandidates(noQuery, [candidateOf(20)], createEvaluation());
  expect(evaluated!.skipReason).toBeUndefined();
  expect(evaluated!.results.map(({ passed }) => passed)).toEqual(Array.from({ length: 20 }, () => true));
});

/** A click of an attendee who has sent these messages. The query returns them. */
function clickAfter(messages: readonly string[], conditions: number) {
  const candidate = candidateOf(conditions);
  const registration = { id: createId(), sessionId: createId(), customFields: {} };
  Object.assign(candidate.event, { type: 'cta_click', data: {}, registration });
  const query = () => Promise.resolve([{ registration_id: registration.id, messages }] as never);
  return { candidate, reader: { query, accountId: 'account' } };
}

test.each([
  // Three of the turns are between the conditions.
  { what: 'searches', operator: 'contains_word', text: 'another thing ', least: 10 },
  // Folding makes this text eighteen times longer.
  { what: 'compares', operator: 'eq', text: '\ufdfa', least: 4 },
])(
  'other work of the process runs between the messages that one condition $what',
  async ({ operator, text, least }) => {
    const messages = Array.from({ length: 25 }, (_unused, index) => `${index} ${text.repeat(1000)}`);
    const { candidate, reader } = clickAfter(messages, 3);
    candidate.rule.conditions = candidate.rule.conditions.map((condition) => ({
      ...condition,
      operator,
    })) as never;
    const { evaluation, turns } = countedTurns();
    const [evaluated] = await evaluateCandidates(reader, [candidate], evaluation);
    expect(turns()).toBeGreaterThan(least);
    expect(evaluated!.results).toHaveLength(3);
  },
);

test.each([
  ['the first', ['What is the price?', 'Hello', 'Bye']],
  ['the last', ['Hello', 'Bye', 'What is the price?']],
])('a condition is met when %s message contains the word', async (_which, messages) => {
  const { candidate, reader } = clickAfter(messages, 2);
  const [evaluated] = await evaluateCandidates(reader, [candidate], createEvaluation());
  expect(evaluated!.skipReason).toBeUndefined();
  expect(evaluated!.results).toMatchObject([
    { passed: true, actual: messages },
    { passed: true, actual: messages },
  ]);
});

test('a condition on messages fails for an attendee who has sent none', async () => {
  const { candidate, reader } = clickAfter([], 1);
  const [evaluated] = await evaluateCandidates(reader, [candidate], createEvaluation());
  expect(evaluated!.skipReason).toBe('condition_not_met');
});
