import type { AccountWriter } from '@service/database';
import { expect, test } from 'vitest';
import { combineSubscribers } from './event-subscriber.ts';

/** Notes the calls of a subscriber that waits for these marks. */
function subscriberOf(name: string, minutes: number[], calls: string[]) {
  return {
    findInterest: async () => ({
      minutes,
      percents: [],
      onEvents: async () => void calls.push(`${name} events`),
    }),
    onSessions: async () => void calls.push(`${name} sessions`),
  };
}

const tx = {} as AccountWriter;

test('two subscribers get events for the marks of both, and each is called in turn', async () => {
  const calls: string[] = [];
  const both = combineSubscribers([
    subscriberOf('rules', [5, 20], calls),
    subscriberOf('revenue', [20, 1], calls),
  ]);
  const { minutes, onEvents } = await both.findInterest(tx, 'webinar');
  expect(minutes).toEqual([1, 5, 20]);
  await onEvents(tx, []);
  await both.onSessions(tx, []);
  expect(calls).toEqual(['rules events', 'revenue events', 'rules sessions', 'revenue sessions']);
});

test('one subscriber alone is called without anything between', () => {
  const only = subscriberOf('rules', [], []);
  expect(combineSubscribers([only])).toBe(only);
});
