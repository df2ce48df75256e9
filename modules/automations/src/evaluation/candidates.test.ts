import { createId } from '@service/database';
import { createEvaluation } from '@service/conditions/budget';
import { expect, test } from 'vitest';
import { evaluateCandidates } from './candidates.ts';
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

test('a condition reads the messages that the attendee has sent', async () => {
  const messages = ['Hello', 'Bye', 'What is the price?'];
  const { candidate, reader } = clickAfter(messages, 1);
  const [evaluated] = await evaluateCandidates(reader, [candidate], createEvaluation());
  expect(evaluated!.skipReason).toBeUndefined();
  expect(evaluated!.results).toMatchObject([{ passed: true, actual: messages }]);
});

test('a condition on messages fails for an attendee who has sent none', async () => {
  const { candidate, reader } = clickAfter([], 1);
  const [evaluated] = await evaluateCandidates(reader, [candidate], createEvaluation());
  expect(evaluated!.skipReason).toBe('condition_not_met');
});
