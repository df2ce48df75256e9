import { createId } from '@service/database';
import { expect } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { happened, test as base, type Registrant, type SubscriberWorld } from './subscriber-world.ts';

const condition = { field: 'watchedPercent', operator: 'gte', value: 50 };

const test = base
  .extend('ada', ({ world }) => world.registrant('ada@example.com'))
  .extend('explain', async ({ world, ada: { registration } }) => {
    const dashboard = await openDashboard(world.service, world);
    const asked = { webinarId: world.webinar.id, registrationId: registration.id };
    return (ruleId: string) => dashboard.query('automations.rules.explain', { ...asked, ruleId });
  });

/** Writes an event as the room does. The subscriber is not called, as if no rule had been there. */
async function recordEvent(
  { service, accountId, webinar }: SubscriberWorld,
  { registration }: Registrant,
  { type, data = {} }: { type: string; data?: object },
): Promise<void> {
  await service.db.database.pool.query(
    `insert into attendees.attendee_event
       (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
     values ($1, $2, $3, $4, $5, $6, now(), $7)`,
    [accountId, createId(), webinar.id, registration.sessionId, registration.id, type, data],
  );
}

test('a rule that was evaluated explains itself with its newest executions', async ({
  world,
  ada,
  explain,
}) => {
  const ruleId = await world.rule({ type: 'joined' }, { conditions: [condition] });
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 41 } })]);
  expect(await explain(ruleId)).toMatchObject({
    kind: 'skipped',
    executions: [{ skipReason: 'condition_not_met', conditions: [{ expected: 50, actual: 41 }] }],
  });
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 60 } })]);
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 60 } })]);
  const fired = await explain(ruleId);
  expect(fired.kind).toBe('fired');
  expect(fired.executions.map(({ skipReason }: { skipReason: string }) => skipReason)).toEqual([
    'already_fired',
    null,
    'condition_not_met',
  ]);
});

test('without an execution the event has not happened, was another one, or was before the rule', async ({
  world,
  ada,
  explain,
}) => {
  const [wanted, other] = [
    await world.interaction({ type: 'cta', url: 'https://example.com/', buttonLabel: 'Go' }),
    createId(),
  ];
  const anyClick = await world.rule({ type: 'cta_click' });
  const oneClick = await world.rule({ type: 'cta_click', params: { interactionId: wanted } });
  expect((await explain(anyClick)).kind).toBe('event_has_not_happened');
  await recordEvent(world, ada, { type: 'cta_click', data: { interactionId: other } });
  expect((await explain(oneClick)).kind).toBe('other_event_happened');
  const newer = await world.rule({ type: 'cta_click' });
  expect(await explain(newer)).toMatchObject({
    kind: 'rule_is_newer',
    at: expect.stringMatching(/Z$/),
    executions: [],
  });
  expect((await explain(anyClick)).kind).toBe('no_record');
  await world.call(`PATCH /automations/${anyClick}`, { name: 'Renamed' });
  expect((await explain(anyClick)).kind).toBe('rule_was_changed');
  await world.call(`PATCH /automations/${anyClick}`, { enabled: false });
  expect((await explain(anyClick)).kind).toBe('rule_is_off');
});

test('while a rule has not fired, the answer has its conditions as they are now', async ({
  world,
  ada,
  explain,
}) => {
  const source = { field: 'utm.source', operator: 'eq', value: 'mail' };
  const ruleId = await world.rule({ type: 'joined' }, { conditions: [condition, source] });
  const now = [
    { ...condition, expected: 50, actual: 0, passed: false },
    { field: 'utm.source', expected: 'mail', actual: null, passed: false },
  ].map(({ field, expected, actual, passed }) => ({ field, expected, actual, passed }));
  expect(await explain(ruleId)).toMatchObject({ kind: 'event_has_not_happened', conditionsNow: now });
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 41 } })]);
  const { pool } = world.service.db.database;
  await pool.query('update attendees.registration set utm_source = $2 where id = $1', [
    ada.registration.id,
    'mail',
  ]);
  const skipped = await explain(ruleId);
  expect(skipped.executions[0].conditions[1]).toMatchObject({ actual: null, passed: false });
  expect(skipped.conditionsNow[1]).toMatchObject({ actual: 'mail', passed: true });
  const chat = { field: 'chatMessage', operator: 'contains', value: 'price' };
  const chatRule = await world.rule({ type: 'cta_click' }, { conditions: [chat] });
  await recordEvent(world, ada, { type: 'chat_response', data: { message: 'What is the price?' } });
  expect((await explain(chatRule)).conditionsNow).toMatchObject([{ passed: true }]);
  const watched = await world.rule({ type: 'joined' }, { conditions: [condition] });
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 60 } })]);
  expect(await explain(watched)).toMatchObject({ kind: 'fired', conditionsNow: [] });
});

test('a rule that waits for watch time or for a time names what is missing', async ({
  world,
  ada,
  explain,
}) => {
  const watched = await world.rule({ type: 'watched_percent', params: { percent: 50 } });
  expect(await explain(watched)).toMatchObject({
    kind: 'event_has_not_happened',
    watched: { percent: 0, minutes: 0 },
  });
  const before = await world.rule({ type: 'before_session', params: { offsetMinutes: 60 } });
  const dueAt = new Date(ada.session.startsAt.getTime() - 3_600_000).toISOString();
  expect(await explain(before)).toMatchObject({ kind: 'not_due_yet', at: dueAt });
  const after = await world.rule({ type: 'after_session', params: { offsetMinutes: 0 } });
  expect((await explain(after)).kind).toBe('event_has_not_happened');
  const elapsed = await world.rule({
    type: 'time_elapsed_after_event',
    params: { event: 'registered', delayMinutes: 30 },
  });
  const elapsedAt = new Date(ada.registration.registeredAt.getTime() + 1_800_000).toISOString();
  expect(await explain(elapsed)).toMatchObject({ kind: 'not_due_yet', at: elapsedAt });
  const registered = await world.rule({ type: 'registered' });
  expect((await explain(registered)).kind).toBe('rule_is_newer');
});

test('executions can be filtered by skip reason and time', async ({ world, ada }) => {
  await world.rule({ type: 'joined' }, { conditions: [condition] });
  await world.publish([happened(ada, 'joined')]);
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 60 } })]);
  await world.publish([happened(ada, 'joined', { facts: { watchedPercent: 60 } })]);
  const all = await world.executions();
  const reasonsOf = async (filters: string) =>
    (await world.executions(filters)).map(({ skipReason }) => skipReason);
  expect(await reasonsOf('skipReason=condition_not_met')).toEqual(['condition_not_met']);
  expect(await reasonsOf('skipReason=already_fired&outcome=matched')).toEqual([]);
  const [{ createdAt: newest }] = all;
  const oldest = all.at(-1).createdAt;
  expect(await reasonsOf(`from=${oldest}`)).toHaveLength(3);
  expect(await reasonsOf(`to=${oldest}`)).toEqual([]);
  const afterAll = new Date(Date.parse(newest) + 1).toISOString();
  expect(await reasonsOf(`from=${afterAll}`)).toEqual([]);
  expect(await reasonsOf(`from=${oldest}&to=${afterAll}&skipReason=already_fired`)).toEqual([
    'already_fired',
  ]);
});
