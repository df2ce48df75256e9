import type { AttendeeEvent } from '@service/attendees';
import { createEvaluation } from '@service/conditions/budget';
import { expect, test } from 'vitest';
import { Trigger } from '../event-type/event-types.ts';
import { matchRules } from './match-rules.ts';
import type { LoadedRule } from './webinar-rules.ts';

/** A rule with twenty keywords that a message of a thousand letters nearly contains. */
const rule = (id: string): LoadedRule => {
  const keywords = Array.from({ length: 20 }, (_unused, index) => `${'a'.repeat(90)} ${index}`);
  const trigger = Trigger.parse({ type: 'chat_response', params: { keywords } });
  return { id, name: id, endpointId: id, trigger, conditions: [], fireMode: null, subscriptionId: null };
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
