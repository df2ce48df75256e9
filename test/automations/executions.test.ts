import { createId } from '@service/database';
import { expect } from 'vitest';
import { happened, test } from './subscriber-world.ts';

test('executions can be filtered by session, page by page', async ({ world }) => {
  await world.rule({ type: 'joined' });
  const ada = await world.registrant('ada@example.com');
  const elsewhere = { ...ada, registration: { ...ada.registration, sessionId: createId() } };
  const events = [ada, elsewhere, ada, elsewhere].map((who) => happened(who, 'joined'));
  await world.publish(events);
  const seen = async (filters: string) => (await world.executions(filters)).map(({ eventId }) => eventId);
  const mine = `sessionId=${ada.registration.sessionId}`;
  expect(await seen(mine)).toEqual([events[2]!.id, events[0]!.id]);
  expect(await seen(`${mine}&outcome=matched`)).toEqual([events[0]!.id]);
  expect(await seen(`sessionId=${createId()}`)).toEqual([]);

  const first = await world.call(`GET /executions?${mine}&limit=1`);
  const { nextCursor } = first.json.pagination;
  expect(await seen(`${mine}&limit=1&cursor=${nextCursor}`)).toEqual([events[0]!.id]);
  expect((await world.call(`GET /executions?limit=1&cursor=${nextCursor}`)).status).toBe(400);
});

test('lastFiredAt is the last firing, regardless of later executions', async ({ world }) => {
  const ruleId = await world.rule({ type: 'joined' });
  await world.rule({ type: 'joined' }, { conditions: [{ field: 'purchased', operator: 'eq', value: true }] });
  const ada = await world.registrant('ada@example.com');
  await world.publish([happened(ada, 'joined')]);
  await world.publish([happened(ada, 'joined')]);
  const fired = (await world.executions()).find(({ outcome }) => outcome === 'matched');
  const { data } = (await world.call('GET /automations')).json;
  expect(data.map((rule: { lastFiredAt: string }) => rule.lastFiredAt)).toEqual([null, fired.createdAt]);
  const { data: one } = (await world.call(`GET /automations/${ruleId}`)).json;
  expect(one.lastFiredAt).toBe(fired.createdAt);
});
