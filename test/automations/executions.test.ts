import { createId } from '@service/database';
import { expect } from 'vitest';
import { happened, test } from './subscriber-world.ts';

test('executions are listed by rule or webinar, and filtered by session, outcome and registration, page by page', async ({
  world,
}) => {
  const ruleId = await world.rule({ type: 'joined' });
  const never = await world.rule({ type: 'joined' }, { enabled: false });
  const [ada, bob] = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  const elsewhere = { ...ada, registration: { ...ada.registration, sessionId: createId() } };
  const events = [ada, elsewhere, ada, elsewhere, bob].map((who) => happened(who, 'joined'));
  await world.publish(events);
  const seen = async (path: string) =>
    (await world.get(path)).map(({ eventId }: { eventId: string }) =>
      events.findIndex(({ id }) => id === eventId),
    );
  const mine = `sessionId=${ada.registration.sessionId}&registrationId=${ada.registration.id}`;
  expect(await seen('/executions')).toEqual([4, 3, 2, 1, 0]);
  expect(await seen(`/automations/${ruleId}/executions?outcome=matched`)).toEqual([4, 1, 0]);
  expect(await seen(`/automations/${never}/executions`)).toEqual([]);
  expect(await seen(`/executions?${mine}`)).toEqual([2, 0]);
  expect(await seen(`/executions?${mine}&outcome=matched`)).toEqual([0]);
  expect(await seen(`/executions?sessionId=${createId()}`)).toEqual([]);
  const { nextCursor } = (await world.call(`GET /executions?${mine}&limit=1`)).json.pagination;
  expect(await seen(`/executions?${mine}&limit=1&cursor=${nextCursor}`)).toEqual([0]);
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
