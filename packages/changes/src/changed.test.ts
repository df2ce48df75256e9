import { expect, test } from 'vitest';
import { addChange, addChanges, changesIn, payloadsOf, type Changed } from './changed.ts';

const id = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

test('the changes of many accounts arrive complete, in payloads that Postgres takes', () => {
  const changes = new Map<string, Changed>();
  for (let account = 0; account < 500; account += 1)
    changes.set(id(account), { registrations: [1, 2, 3, 4].map(id), deliveries: [], keys: [] });
  const payloads = payloadsOf(changes);
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000);
  const received = new Map(payloads.flatMap((payload) => [...(changesIn(payload) as Map<string, Changed>)]));
  expect(received).toEqual(changes);
});

test('everything is one short payload', () => {
  expect(payloadsOf('everything')).toHaveLength(1);
  expect(changesIn(payloadsOf('everything')[0]!)).toBe('everything');
});

test('a fifth webinar of a topic makes it any webinar, and no later webinar narrows it again', () => {
  const changed: Changed = {};
  for (const number of [1, 2, 2, 3, 4]) addChange(changed, 'registrations', id(number));
  expect(changed.registrations).toEqual([1, 2, 3, 4].map(id));
  addChange(changed, 'registrations', id(5));
  expect(changed.registrations).toEqual([]);
  addChange(changed, 'registrations', id(6));
  expect(changed.registrations).toEqual([]);
});

test('merged changes contain those of both, and any webinar stays any webinar', () => {
  const changed: Changed = { webinars: [id(1)], keys: [] };
  addChanges(changed, { webinars: [id(2)], sessions: [id(1)], keys: [id(3)] });
  expect(changed).toEqual({ webinars: [id(1), id(2)], sessions: [id(1)], keys: [] });
  addChanges(changed, { webinars: [] });
  expect(changed.webinars).toEqual([]);
});
