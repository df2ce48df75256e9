// Sessions that are moved or called off, and those who wait for them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('a session that is put off is announced before its new time only', async () => {
  const show = await world.show();
  const rule = await show.rule('before_session', { offsetMinutes: 5 });
  const after = await show.rule('after_session', { offsetMinutes: 0 });
  const early = await show.attend('Early');
  const startsAt = minutesAfter(show.sessionTime, 60).toISOString();
  const path = `./sessions/${early.sessionId}`;
  expect((await show.rest(`PATCH ${path}`, { startsAt })).status).toBe(200);
  const late = await show.attend('Late', { sessionTime: startsAt });
  await world.comeTo(minutesAfter(show.sessionTime, -5));
  await world.comeTo(minutesAfter(show.sessionTime, 1));
  expect(await show.executions()).toEqual([]);
  expect((await early.visit()).json.session).toMatchObject({ status: 'scheduled', startsAt });

  await world.comeTo(minutesAfter(startsAt, -5));
  const at = world.clock.now();
  const data = { sessionStartsAt: startsAt, minutesBefore: 5 };
  const told = { type: 'before_session', data, at };
  await show.expectSent(rule, { guest: early, ...told }, { guest: late, ...told });
  await world.comeTo(minutesAfter(startsAt, 11));
  expect(await show.outcomes(rule)).toEqual(['matched', 'matched']);
  expect((await show.sent(after))[0]!.body.event_data).toMatchObject({ sessionStartedAt: startsAt });
});

test('one that is moved nearer is announced before its new time', async () => {
  const show = await world.show();
  const rule = await show.rule('before_session', { offsetMinutes: 2 });
  const guest = await show.attend();
  const startsAt = minutesAfter(show.sessionTime, -5).toISOString();
  await show.rest(`PATCH ./sessions/${guest.sessionId}`, { startsAt });
  await world.comeTo(minutesAfter(startsAt, -2));
  const data = { sessionStartsAt: startsAt, minutesBefore: 2 };
  const told = { guest, type: 'before_session', data, at: world.clock.now() };
  await show.expectSent(rule, told);
  await world.comeTo(minutesAfter(show.sessionTime, -2));
  await show.expectSent(rule, told);
});

test('of one that is called off nothing is told but that, and why', async () => {
  const show = await world.show();
  const rules = [
    await show.rule('before_session', { offsetMinutes: 5 }),
    await show.rule('after_session', { offsetMinutes: 0 }),
    await show.rule('no_show'),
    await show.rule('joined'),
  ];
  const guest = await show.attend();
  await show.create(`/sessions/${guest.sessionId}/cancel`);
  await world.comeTo(minutesAfter(show.sessionTime, -5));
  show.start();
  expect((await guest.beat()).json).toMatchObject({ status: 'cancelled' });
  await world.comeTo(minutesAfter(show.sessionTime, 30));
  for (const rule of rules) expect(await show.sent(rule)).toEqual([]);
  expect(await show.executions()).toMatchObject([
    {
      ruleId: rules[0]!.id,
      registrationId: guest.registrationId,
      eventType: 'before_session',
      outcome: 'skipped',
      skipReason: 'session_cancelled',
      deliveryId: null,
    },
  ]);
});
