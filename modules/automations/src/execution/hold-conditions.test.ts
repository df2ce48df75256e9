import { createEvaluation } from '@service/webinars';
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

test('other work of the process runs between the conditions of one rule', async () => {
  let nowMs = 0;
  let turns = 0;
  // Each reading of the clock is a millisecond later, and the clock is read at each pause.
  const evaluation = createEvaluation({ cpuMs: () => (nowMs += 1) });
  const count = (): void => {
    turns += 1;
    others = setImmediate(count);
  };
  let others = setImmediate(count);
  const long = decisionOf(20);
  long.event.data['message'] = 'a price '.repeat(20_000);
  const [evaluated] = await holdConditions(noQuery, [long], evaluation);
  clearImmediate(others);
  expect(evaluated!.results.length).toBe(20);
  expect(turns).toBeGreaterThan(2);
});

test('all conditions of a rule are evaluated, each by itself', async () => {
  const [evaluated] = await holdConditions(noQuery, [decisionOf(20)], createEvaluation());
  expect(evaluated!.skipReason).toBeUndefined();
  expect(evaluated!.results.map(({ passed }) => passed)).toEqual(Array.from({ length: 20 }, () => true));
});
