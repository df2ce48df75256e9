import { expect } from 'vitest';
import { minutesAfter, secondsAfter, test } from './timer-world.ts';

const hourBefore = { type: 'before_session', params: { offsetMinutes: 60 } };
const hourAfter = { type: 'after_session', params: { offsetMinutes: 60 } };

test('the timer moves with its session and does not fire at the old time', async ({ world }) => {
  const ruleId = await world.rule(hourBefore);
  const { session } = await world.registrant('ada@example.com');
  const later = minutesAfter(world.startsAt, 180);
  await world.change('moved', session.id, { starts_at: later });
  expect(await world.fire(world.startsAt)).toEqual({ fired: 0 });
  expect(await world.timers()).toMatchObject([{ due_at: minutesAfter(later, -60) }]);

  const earlier = minutesAfter(world.startsAt, -180);
  await world.change('moved', session.id, { starts_at: earlier });
  expect(await world.fire(secondsAfter(minutesAfter(earlier, -60), -1))).toEqual({ fired: 0 });
  expect(await world.fire(minutesAfter(earlier, -60))).toEqual({ fired: 1 });
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
  const [body] = await world.bodies({ ruleId });
  expect(body.event_data.sessionStartsAt).toBe(earlier.toISOString());
});

test('if a session is moved so early that the time of the timer has passed, it fires at once', async ({
  world,
}) => {
  const ruleId = await world.rule(hourBefore);
  const { session } = await world.registrant('ada@example.com');
  const soon = minutesAfter(new Date(), 30);
  await world.change('moved', session.id, { starts_at: soon });
  expect(await world.fire(minutesAfter(new Date(), 1))).toEqual({ fired: 1 });
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
});

test('a timer does not fire at the old time even if the subscriber was not called', async ({ world }) => {
  const ruleId = await world.rule(hourBefore);
  const { session } = await world.registrant('ada@example.com');
  const later = minutesAfter(world.startsAt, 180);
  await world.set('webinars.session', session.id, { starts_at: later });
  expect(await world.fire(minutesAfter(world.startsAt, -60))).toEqual({ fired: 0 });
  expect(await world.timers()).toMatchObject([{ due_at: minutesAfter(later, -60) }]);
  await world.fire(minutesAfter(later, -60));
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
});

test('if a session is moved after its timer fired, it fires again for registrations without the webhook', async ({
  world,
}) => {
  const ruleId = await world.rule(hourBefore);
  const { session, registration } = await world.registrant('ada@example.com');
  await world.fire(minutesAfter(world.startsAt, -60));
  expect(await world.timers()).toEqual([]);
  const bob = await world.registrant('bob@example.com');
  const later = minutesAfter(world.startsAt, 180);
  await world.change('moved', session.id, { starts_at: later });
  await world.fire(minutesAfter(later, -60));
  expect(bob.session.id).toBe(registration.sessionId);
  expect(await world.outcomes(ruleId)).toEqual(['ada already_fired', 'ada matched', 'bob matched']);
});

test('the timer before a cancelled session is skipped as session_cancelled for each registration', async ({
  world,
}) => {
  const [before, after] = [await world.rule(hourBefore), await world.rule(hourAfter)];
  const { session } = await world.registrant('ada@example.com');
  const cancelled = await world.register('bob@example.com');
  expect((await world.call(`POST /registrations/${cancelled}/cancel`)).status).toBe(200);
  await world.change('cancelled', session.id, { status: 'cancelled' });
  await world.fire(minutesAfter(world.startsAt, 600));
  expect(await world.outcomes(before)).toEqual(['ada session_cancelled', 'bob registration_cancelled']);
  expect(await world.outcomes(after)).toEqual([]);
  expect(await world.bodies({ ruleId: before })).toEqual([]);
});

test('the timer after a session counts from its actual end', async ({ world }) => {
  const ruleId = await world.rule(hourAfter);
  const { session } = await world.registrant('ada@example.com');
  const [startedAt, endedAt] = [minutesAfter(world.startsAt, 1), minutesAfter(world.startsAt, 20)];
  const columns = { status: 'ended', actual_started_at: startedAt, actual_ended_at: endedAt };
  await world.change('ended', session.id, columns);
  expect(await world.fire(new Date(minutesAfter(endedAt, 60).getTime() - 1))).toEqual({ fired: 0 });
  expect(await world.fire(minutesAfter(endedAt, 60))).toEqual({ fired: 1 });
  const [body] = await world.bodies({ ruleId });
  expect(body).toMatchObject({
    event_type: 'after_session',
    event_data: {
      sessionStartedAt: startedAt.toISOString(),
      sessionEndedAt: endedAt.toISOString(),
      minutesAfter: 60,
      attended: false,
      watchedSeconds: 0,
      completionPercent: 0,
    },
  });
});

test('the end of a session deletes the timer before it, and a reset makes it again and deletes the timer after it', async ({
  world,
}) => {
  const [before, after] = [await world.rule(hourBefore), await world.rule(hourAfter)];
  const { session } = await world.registrant('ada@example.com');
  await world.change('ended', session.id, { status: 'ended', actual_ended_at: new Date() });
  expect(await world.timers()).toMatchObject([{ rule_id: after }]);
  await world.change('reset', session.id, { status: 'scheduled', actual_ended_at: null });
  expect(await world.timers()).toMatchObject([
    { rule_id: before, due_at: minutesAfter(world.startsAt, -60) },
  ]);
});

test('a session that is cancelled or reset after its end does not fire the timer after it', async ({
  world,
}) => {
  const ruleId = await world.rule(hourAfter);
  const { session } = await world.registrant('ada@example.com');
  const end = { status: 'ended', actual_ended_at: new Date() };
  await world.change('ended', session.id, end);
  await world.change('cancelled', session.id, { status: 'cancelled' });
  expect(await world.timers()).toEqual([]);
  await world.change('ended', session.id, end);
  await world.set('webinars.session', session.id, { status: 'live' });
  await world.fire(world.startsAt);
  expect(await world.outcomes(ruleId)).toEqual([]);
  expect(await world.timers()).toEqual([]);
});

test('sessions of other kinds have timers after them, and a past start has no timer before it', async ({
  world,
}) => {
  const [before, after] = [await world.rule(hourBefore), await world.rule(hourAfter)];
  const { session } = await world.registrant('ada@example.com');
  await world.removeTimers();
  const { id } = session;
  await world.change('moved', id, { starts_at: minutesAfter(new Date(), -1) });
  expect(await world.timers()).toEqual([]);
  await world.change('moved', id, { kind: 'just_in_time', starts_at: minutesAfter(new Date(), 90) });
  expect(await world.timers()).toEqual([]);
  await world.change('ended', id, { status: 'ended', actual_ended_at: minutesAfter(new Date(), -60) });
  expect(await world.fire(new Date())).toEqual({ fired: 1 });
  expect([await world.outcomes(before), await world.outcomes(after)]).toEqual([[], ['ada matched']]);
});
