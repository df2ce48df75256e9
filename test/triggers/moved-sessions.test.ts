// Sessions that are moved or cancelled, and the timers of their rules.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('the timer of a session that is moved later fires before the new time only', async () => {
  const webinar = await world.createWebinar();
  const rule = await webinar.rule('before_session', { offsetMinutes: 5 });
  const after = await webinar.rule('after_session', { offsetMinutes: 0 });
  const early = await webinar.attend('Early');
  const startsAt = minutesAfter(webinar.sessionTime, 60).toISOString();
  const path = `./sessions/${early.sessionId}`;
  expect((await webinar.rest(`PATCH ${path}`, { startsAt })).status).toBe(200);
  const late = await webinar.attend('Late', { sessionTime: startsAt });
  await world.comeTo(minutesAfter(webinar.sessionTime, -5));
  await world.comeTo(minutesAfter(webinar.sessionTime, 1));
  expect(await webinar.executions()).toEqual([]);
  expect((await early.visit()).json.session).toMatchObject({ status: 'scheduled', startsAt });

  await world.comeTo(minutesAfter(startsAt, -5));
  const at = world.clock.now();
  const data = { sessionStartsAt: startsAt, minutesBefore: 5 };
  const expected = { type: 'before_session', data, at };
  await webinar.expectSent(rule, { guest: early, ...expected }, { guest: late, ...expected });
  await world.comeTo(minutesAfter(startsAt, 11));
  expect(await webinar.outcomes(rule)).toEqual(['matched', 'matched']);
  expect((await webinar.sent(after))[0]!.body.event_data).toMatchObject({ sessionStartedAt: startsAt });
});

test('the timer of a session that is moved earlier fires before the new time', async () => {
  const webinar = await world.createWebinar();
  const rule = await webinar.rule('before_session', { offsetMinutes: 2 });
  const guest = await webinar.attend();
  const startsAt = minutesAfter(webinar.sessionTime, -5).toISOString();
  await webinar.rest(`PATCH ./sessions/${guest.sessionId}`, { startsAt });
  await world.comeTo(minutesAfter(startsAt, -2));
  const data = { sessionStartsAt: startsAt, minutesBefore: 2 };
  const expected = { guest, type: 'before_session', data, at: world.clock.now() };
  await webinar.expectSent(rule, expected);
  await world.comeTo(minutesAfter(webinar.sessionTime, -2));
  await webinar.expectSent(rule, expected);
});

test('the timer of a cancelled session is skipped as session_cancelled', async () => {
  const webinar = await world.createWebinar();
  const rules = [
    await webinar.rule('before_session', { offsetMinutes: 5 }),
    await webinar.rule('after_session', { offsetMinutes: 0 }),
    await webinar.rule('no_show'),
    await webinar.rule('joined'),
  ];
  const guest = await webinar.attend();
  await webinar.create(`/sessions/${guest.sessionId}/cancel`);
  await world.comeTo(minutesAfter(webinar.sessionTime, -5));
  webinar.start();
  expect((await guest.beat()).json).toMatchObject({ status: 'cancelled' });
  await world.comeTo(minutesAfter(webinar.sessionTime, 30));
  for (const rule of rules) expect(await webinar.sent(rule)).toEqual([]);
  expect(await webinar.executions()).toMatchObject([
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
