// "Why did it not fire" of rules that wait for a moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import type { Hook } from './show.ts';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('a rule that was disabled meanwhile says so, one that is enabled again fires', async () => {
  const show = await world.show();
  const [off, again] = [
    await show.rule('before_session', { offsetMinutes: 5 }),
    await show.rule('before_session', { offsetMinutes: 5 }),
  ];
  await show.attend();
  for (const hook of [off, again]) await show.rest(`PATCH .${hook.path}`, { enabled: false });
  await show.rest(`PATCH .${again.path}`, { enabled: true });
  await world.comeTo(minutesAfter(show.sessionTime, -5));
  expect(await show.outcomes(off)).toEqual(['rule_disabled']);
  expect(await show.outcomes(again)).toEqual(['matched']);
  expect([await show.typesSent(off), await show.typesSent(again)]).toEqual([[], ['before_session']]);
});

test('who registers after the moment is told so at once, and only then', async () => {
  const show = await world.show();
  const late = await show.rule('before_session', { offsetMinutes: 43_200 });
  const guest = await show.attend();
  const looks = await show.executions(late);
  expect(looks).toMatchObject([
    { registrationId: guest.registrationId, skipReason: 'registered_too_late', deliveryId: null },
  ]);
  await world.comeTo(minutesAfter(show.sessionTime, 0));
  expect(await show.executions(late)).toEqual(looks);
  expect(await show.sent(late)).toEqual([]);
});

test('a registration that was cancelled gets nothing before, after, or some time after what it did', async () => {
  const show = await world.show();
  const rules = [
    await show.rule('before_session', { offsetMinutes: 5 }),
    await show.rule('after_session', { offsetMinutes: 0 }),
    await show.rule('time_elapsed_after_event', { event: 'registered', delayMinutes: 1 }),
  ];
  const [gone, there] = [await show.attend('Gone'), await show.attend('There')];
  await show.create(`/registrations/${gone.registrationId}/cancel`);
  await world.comeTo(minutesAfter(show.sessionTime, -5));
  await world.comeTo(minutesAfter(show.sessionTime, 10));
  for (const rule of rules) {
    const looks = await show.executions(rule);
    const reasons = looks.map(({ registrationId, skipReason }) => [registrationId, skipReason]);
    expect(reasons).toEqual([
      [gone.registrationId, 'registration_cancelled'],
      [there.registrationId, null],
    ]);
    const emails = (await show.sent(rule)).map(({ body }) => body.attendee.email);
    expect(emails).toEqual([there.email]);
  }
});

test('whoever is not of the audience is told so', async () => {
  const show = await world.show({ webinar: { attendance: { completionPercent: 80, minSeconds: 30 } } });
  const rules: Record<string, Hook> = {};
  for (const audience of ['all', 'attended', 'no_show', 'completed', 'left_early'])
    rules[audience] = await show.rule('after_session', { offsetMinutes: 15, audience });
  const complete = await show.attend('Complete');
  const stays = await show.attend('Stays');
  const leaves = await show.attend('Leaves');
  const glances = await show.attend('Glances');
  await show.attend('Absent');
  show.start();
  await watchTogether(world.clock, [complete, stays, leaves, glances], 20);
  await watchTogether(world.clock, [complete, stays, leaves], 40);
  await leaves.leave();
  await watchTogether(world.clock, [complete, stays], 40);
  await complete.watch(450);
  await stays.beat();
  await world.comeTo(minutesAfter(show.sessionTime, 25));

  const [yes, no] = ['matched', 'not_in_audience'];
  const outcomes: Record<string, string[]> = {};
  for (const [audience, rule] of Object.entries(rules)) outcomes[audience] = await show.outcomes(rule);
  expect(outcomes).toEqual({
    all: [yes, yes, yes, yes, yes],
    attended: [yes, yes, yes, no, no],
    no_show: [no, no, no, yes, yes],
    completed: [yes, no, no, no, no],
    left_early: [no, no, yes, no, no],
  });
});

test('who did meanwhile what holds a rule back is told so', async () => {
  const show = await world.show();
  const params = { event: 'registered', delayMinutes: 1440, unlessEvent: 'joined' };
  const rule = await show.rule('time_elapsed_after_event', params);
  const [came, absent] = [await show.attend('Came'), await show.attend('Absent')];
  show.start();
  await came.beat();
  await world.comeTo(minutesAfter(show.sessionTime, 1440));
  const looks = await show.executions(rule);
  const reasons = new Map(looks.map(({ registrationId, skipReason }) => [registrationId, skipReason]));
  expect(reasons.get(came.registrationId)).toBe('other_event_came');
  expect(reasons.get(absent.registrationId)).toBeNull();
  expect((await show.sent(rule)).map(({ body }) => body.attendee.email)).toEqual([absent.email]);
});
