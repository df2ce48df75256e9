// The exact bodies of events that timers fire, and the audience of a timer.
import { expect } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import type { Hook } from './test-webinar.ts';
import { minutesAfter, test } from './trigger-world.ts';

test('before_session: the start and the minutes before it', async ({ world, webinar }) => {
  const rule = await webinar.rule('before_session', { offsetMinutes: 5 });
  const guest = await webinar.attend('Ada', { utm: { source: 'mail' } });
  await world.comeTo(minutesAfter(webinar.sessionTime, -5.1));
  await webinar.expectSent(rule);
  const at = await world.comeTo(minutesAfter(webinar.sessionTime, -5));
  const data = { sessionStartsAt: webinar.sessionTime, minutesBefore: 5 };
  await webinar.expectSent(rule, { guest, type: 'before_session', data, at });
});

test('after_session: start, end, minutes after it, and attendance', async ({ world, webinar }) => {
  const rule = await webinar.rule('after_session', { offsetMinutes: 30 });
  const [there, absent] = [await webinar.attend('There'), await webinar.attend('Absent')];
  webinar.start();
  await there.watch(60);
  const endedAt = minutesAfter(webinar.sessionTime, 10);
  await world.comeTo(endedAt);
  await world.comeTo(minutesAfter(webinar.sessionTime, 39.9));
  await webinar.expectSent(rule);
  const at = await world.comeTo(minutesAfter(webinar.sessionTime, 40));
  const session = {
    sessionStartedAt: webinar.sessionTime,
    sessionEndedAt: endedAt.toISOString(),
    minutesAfter: 30,
  };
  const seen = { attended: true, watchedSeconds: 60, completionPercent: 10 };
  const nothing = { attended: false, watchedSeconds: 0, completionPercent: 0 };
  await webinar.expectSent(
    rule,
    { guest: there, type: 'after_session', data: { ...session, ...seen }, at },
    { guest: absent, type: 'after_session', data: { ...session, ...nothing }, at },
  );
});

test('time_elapsed_after_event: the source event, its time, and the minutes after it', async ({
  world,
  webinar,
}) => {
  const offer = await webinar.interaction({
    type: 'offer',
    url: 'https://shop.example/',
    buttonLabel: 'Buy',
  });
  const rule = await webinar.rule('time_elapsed_after_event', { event: 'cta_click', delayMinutes: 20 });
  const guest = await webinar.attend();
  webinar.start();
  await guest.click(offer);
  const sourceEventAt = world.clock.now().toISOString();
  world.clock.advance(60);
  await guest.click(offer);
  await world.comeTo(minutesAfter(sourceEventAt, 19.9));
  await webinar.expectSent(rule);
  const at = await world.comeTo(minutesAfter(sourceEventAt, 20));
  const data = { sourceEvent: 'cta_click', sourceEventAt, elapsedMinutes: 20 };
  await webinar.expectSent(rule, { guest, type: 'time_elapsed_after_event', data, at });
  await world.comeTo(minutesAfter(sourceEventAt, 30));
  await webinar.expectSent(rule, { guest, type: 'time_elapsed_after_event', data, at });
});

test('an attendee outside the audience is not_in_audience', async ({ world }) => {
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
