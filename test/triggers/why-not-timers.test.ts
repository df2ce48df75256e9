// "Why did it not fire?" for rules with timers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import type { Hook } from './test-webinar.ts';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('a rule that was disabled before its timer is due is rule_disabled, a rule that is enabled again fires', async () => {
  const webinar = await world.createWebinar();
  const [off, again] = [
    await webinar.rule('before_session', { offsetMinutes: 5 }),
    await webinar.rule('before_session', { offsetMinutes: 5 }),
  ];
  await webinar.attend();
  for (const hook of [off, again]) await webinar.rest(`PATCH .${hook.path}`, { enabled: false });
  await webinar.rest(`PATCH .${again.path}`, { enabled: true });
  await world.comeTo(minutesAfter(webinar.sessionTime, -5));
  expect(await webinar.outcomes(off)).toEqual(['rule_disabled']);
  expect(await webinar.outcomes(again)).toEqual(['matched']);
  expect([await webinar.typesSent(off), await webinar.typesSent(again)]).toEqual([[], ['before_session']]);
});

test('a registration after the time of the rule is registered_too_late at once, and only once', async () => {
  const webinar = await world.createWebinar();
  const late = await webinar.rule('before_session', { offsetMinutes: 43_200 });
  const guest = await webinar.attend();
  const executions = await webinar.executions(late);
  expect(executions).toMatchObject([
    { registrationId: guest.registrationId, skipReason: 'registered_too_late', deliveryId: null },
  ]);
  await world.comeTo(minutesAfter(webinar.sessionTime, 0));
  expect(await webinar.executions(late)).toEqual(executions);
  expect(await webinar.sent(late)).toEqual([]);
});

test('a cancelled registration is skipped by each kind of timer', async () => {
  const webinar = await world.createWebinar();
  const rules = [
    await webinar.rule('before_session', { offsetMinutes: 5 }),
    await webinar.rule('after_session', { offsetMinutes: 0 }),
    await webinar.rule('time_elapsed_after_event', { event: 'registered', delayMinutes: 1 }),
  ];
  const [gone, there] = [await webinar.attend('Gone'), await webinar.attend('There')];
  await webinar.create(`/registrations/${gone.registrationId}/cancel`);
  await world.comeTo(minutesAfter(webinar.sessionTime, -5));
  await world.comeTo(minutesAfter(webinar.sessionTime, 10));
  for (const rule of rules) {
    const executions = await webinar.executions(rule);
    const reasons = executions.map(({ registrationId, skipReason }) => [registrationId, skipReason]);
    expect(reasons).toEqual([
      [gone.registrationId, 'registration_cancelled'],
      [there.registrationId, null],
    ]);
    const emails = (await webinar.sent(rule)).map(({ body }) => body.attendee.email);
    expect(emails).toEqual([there.email]);
  }
});

test('an attendee outside the audience is not_in_audience', async () => {
  const webinar = await world.createWebinar({
    fields: { attendance: { completionPercent: 80, minSeconds: 30 } },
  });
  const rules: Record<string, Hook> = {};
  for (const audience of ['all', 'attended', 'no_show', 'completed', 'left_early'])
    rules[audience] = await webinar.rule('after_session', { offsetMinutes: 15, audience });
  const complete = await webinar.attend('Complete');
  const stays = await webinar.attend('Stays');
  const leaves = await webinar.attend('Leaves');
  const glances = await webinar.attend('Glances');
  await webinar.attend('Absent');
  webinar.start();
  await watchTogether(world.clock, [complete, stays, leaves, glances], 20);
  await watchTogether(world.clock, [complete, stays, leaves], 40);
  await leaves.leave();
  await watchTogether(world.clock, [complete, stays], 40);
  await complete.watch(450);
  await stays.beat();
  await world.comeTo(minutesAfter(webinar.sessionTime, 25));

  const [yes, no] = ['matched', 'not_in_audience'];
  const outcomes: Record<string, string[]> = {};
  for (const [audience, rule] of Object.entries(rules)) outcomes[audience] = await webinar.outcomes(rule);
  expect(outcomes).toEqual({
    all: [yes, yes, yes, yes, yes],
    attended: [yes, yes, yes, no, no],
    no_show: [no, no, no, yes, yes],
    completed: [yes, no, no, no, no],
    left_early: [no, no, yes, no, no],
  });
});

test('an attendee with the unlessEvent is other_event_came', async () => {
  const webinar = await world.createWebinar();
  const params = { event: 'registered', delayMinutes: 1440, unlessEvent: 'joined' };
  const rule = await webinar.rule('time_elapsed_after_event', params);
  const [came, absent] = [await webinar.attend('Came'), await webinar.attend('Absent')];
  webinar.start();
  await came.beat();
  await world.comeTo(minutesAfter(webinar.sessionTime, 1440));
  const executions = await webinar.executions(rule);
  const reasons = new Map(executions.map(({ registrationId, skipReason }) => [registrationId, skipReason]));
  expect(reasons.get(came.registrationId)).toBe('other_event_came');
  expect(reasons.get(absent.registrationId)).toBeNull();
  expect((await webinar.sent(rule)).map(({ body }) => body.attendee.email)).toEqual([absent.email]);
});
