import { deleteFiringsBefore } from '@service/automations';
import { createId } from '@service/database';
import { expect } from 'vitest';
import { happened, said, type SubscriberWorld, test } from './subscriber-world.ts';

/** The outcomes, oldest first. */
const outcomes = async (world: SubscriberWorld): Promise<string[]> =>
  (await world.executions()).map(({ skipReason }) => skipReason ?? 'matched').toReversed();

test('a rule fires once for an attendee, a session and a subject', async ({ world }) => {
  const [one, other] = [createId(), createId()];
  const ada = await world.registrant('ada@example.com');
  const bob = await world.registrant('bob@example.com');
  const again = { ...ada, registration: { ...ada.registration, sessionId: createId() } };
  const stories = {
    joined: [
      happened(ada, 'joined'),
      happened(ada, 'joined'),
      happened(bob, 'joined'),
      happened(again, 'joined'),
    ],
    cta_click: [one, other, one].map((interactionId) =>
      happened(ada, 'cta_click', { data: { interactionId } }),
    ),
    poll_response: ['a', 'b', 'a'].map((optionId) =>
      happened(ada, 'poll_response', { data: { interactionId: one, optionId } }),
    ),
  };
  for (const type of Object.keys(stories)) await world.rule({ type });
  // Some events are in one call, some in their own.
  for (const events of Object.values(stories)) await world.publish(events.slice(0, 2));
  for (const event of Object.values(stories).flatMap((events) => events.slice(2)))
    await world.publish([event]);
  const fired = Map.groupBy(await world.executions(), ({ eventType }) => eventType);
  const seen = [...fired].map(([type, list]) => [
    type,
    list.map(({ skipReason }) => skipReason ?? 'matched').toReversed(),
  ]);
  const already = 'already_fired';
  expect(Object.fromEntries(seen)).toEqual({
    joined: ['matched', already, 'matched', 'matched'],
    cta_click: ['matched', 'matched', already],
    poll_response: ['matched', 'matched', already],
  });
});

test('marks that are reached together each fire their own rule, in order', async ({ world }) => {
  for (const minutes of [10, 5])
    await world.rule({ type: 'watched_minutes', params: { minutes } }, { name: `${minutes}` });
  const ada = await world.registrant('ada@example.com');
  const reached = [5, 10].map((mark) => happened(ada, 'watched_minutes', { mark }));
  await world.publish(reached);
  await world.publish(reached);
  const seen = (await world.executions()).map(({ ruleName, outcome }) => [ruleName, outcome]).toReversed();
  expect(seen.slice(0, 2)).toEqual([
    ['5', 'matched'],
    ['10', 'matched'],
  ]);
  expect(seen.slice(2).map(([, outcome]) => outcome)).toEqual(['skipped', 'skipped']);
});

test('a chat rule fires once in a session, or once for every message', async ({ world }) => {
  const params = { keywords: ['price'], match: 'contains_word' };
  const once = await world.rule({ type: 'chat_response', params });
  const every = await world.rule({ type: 'chat_response', params }, { fireMode: 'every_match' });
  const ada = await world.registrant('ada@example.com');
  const messages = ['The PRICE?', 'priceless', 'price'].map((message) => said(ada, message));
  await world.publish([messages[0]!]);
  await world.publish(messages.slice(1));
  await world.publish(messages.slice(2));
  const by = Map.groupBy(await world.executions(), ({ ruleId }) => ruleId as string);
  const of = (ruleId: string) =>
    by
      .get(ruleId)!
      .map(({ skipReason }) => skipReason)
      .toReversed();
  expect(of(once)).toEqual([null, 'already_fired', 'already_fired']);
  expect(of(every)).toEqual([null, null, 'already_fired']);
  const sent = (await world.bodies({ ruleId: every })).map(({ event_data }) => event_data.message);
  expect(sent).toEqual(['The PRICE?', 'price']);
});

test('of two hundred parallel transactions with the same event one fires, and the others are already_fired', async ({
  world,
}) => {
  const ruleId = await world.rule({ type: 'joined' });
  const ada = await world.registrant('ada@example.com');
  const tries = Array.from({ length: 200 }, () =>
    world.publish([happened(ada, 'joined')], { expected: 'joined' }),
  );
  await Promise.all(tries);
  const { rows } = await world.service.db.database.pool.query(
    'select outcome, skip_reason, count(*)::int from automations.execution group by 1, 2 order by 3',
  );
  expect(rows).toEqual([
    { outcome: 'matched', skip_reason: null, count: 1 },
    { outcome: 'skipped', skip_reason: 'already_fired', count: 199 },
  ]);
  expect(await world.bodies({ ruleId })).toHaveLength(1);
});

test('after a rollback or a failed condition a rule can still fire', async ({ world }) => {
  await world.rule({ type: 'left' }, { conditions: [{ field: 'joined', operator: 'eq', value: true }] });
  const ada = await world.registrant('ada@example.com');
  const facts = { joined: true };
  const refused = world.transaction(async (tx) => {
    const { onEvents } = await world.subscriber.findInterest(tx, world.webinar.id);
    await onEvents(tx, [happened(ada, 'left', { facts })]);
    throw new Error('Taken back');
  });
  await expect(refused).rejects.toThrow('Taken back');
  await world.publish([happened(ada, 'left')]);
  await world.publish([happened(ada, 'left', { facts }), happened(ada, 'left')]);
  expect(await outcomes(world)).toEqual(['condition_not_met', 'matched', 'condition_not_met']);
});

test('keys before a time are deleted in batches, and the others are kept', async ({ world }) => {
  await world.rule({ type: 'cta_click' });
  const ada = await world.registrant('ada@example.com');
  const clicks = Array.from({ length: 5 }, () =>
    happened(ada, 'cta_click', { data: { interactionId: createId() } }),
  );
  await world.publish(clicks);
  const { pool } = world.service.db.database;
  const old = clicks.slice(0, 3).map(({ data }) => data['interactionId']);
  await pool.query(
    `update automations.firing set fired_at = fired_at - interval '91 days' where subject = any($1)`,
    [old],
  );
  const before = new Date(Date.now() - 90 * 86_400_000);
  expect(await deleteFiringsBefore(pool, before, 2)).toBe(3);
  await world.publish(clicks);
  expect((await outcomes(world)).slice(5)).toEqual([
    'matched',
    'matched',
    'matched',
    'already_fired',
    'already_fired',
  ]);
});
