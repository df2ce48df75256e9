import type { AttendeeEvent } from '@service/attendees';
import { createEvaluation } from '@service/conditions/budget';
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { Trigger } from '../event-type/event-types.ts';
import { evaluateCandidates, matchRules, type Candidate } from './candidates.ts';
import type { LoadedRule } from './webinar-rules.ts';

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

/** A rule with twenty keywords that a message of a thousand letters nearly contains. */
const rule = (id: string): LoadedRule => {
  const keywords = Array.from({ length: 20 }, (_unused, index) => `${'a'.repeat(90)} ${index}`);
  const trigger = Trigger.parse({ type: 'chat_response', params: { keywords } });
  return {
    id,
    name: id,
    endpointId: id,
    emails: [],
    integrations: [],
    generation: 0,
    trigger,
    conditions: [],
    fireMode: null,
    subscriptionId: null,
  };
};

const said = (id: string, message: string) =>
  ({ id, type: 'chat_response', data: { message } }) as unknown as AttendeeEvent;

test('a rule whose keywords the budget does not reach is skipped, a rule without keywords matches', async () => {
  // Each reading of this clock advances it by 6 ms.
  let nowMs = 0;
  const evaluation = createEvaluation({ cpuMs: () => (nowMs += 6) });
  const any = { ...rule('any'), trigger: Trigger.parse({ type: 'chat_response' }) };
  const rules = [...Array.from({ length: 30 }, (_unused, index) => rule(`rule ${index}`)), any];
  const matched = await matchRules(
    {
      version: 1,
      fingerprint: '',
      byTrigger: new Map([['chat_response', rules]]),
      timerRules: [],
      timerEvents: new Set(),
      minutes: [],
      percents: [],
      size: 0,
    },
    [said('first', 'a'.repeat(1000)), said('second', 'Hello')],
    evaluation,
  );
  const outcomes = matched.map(({ event, rule: { id }, skipReason }) => [event.id, id, skipReason]);
  const skipped = outcomes.filter(([, , reason]) => reason !== undefined);
  expect(skipped.length).toBeGreaterThan(0);
  expect(skipped).toEqual(
    rules.slice(30 - skipped.length, 30).map(({ id }) => ['first', id, 'evaluation_budget']),
  );
  expect(outcomes.slice(skipped.length)).toEqual([
    ['first', 'any', undefined],
    ['second', 'any', undefined],
  ]);
});
