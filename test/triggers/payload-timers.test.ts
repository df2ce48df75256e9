// The exact bodies of events that timers fire.
import { afterAll, beforeAll, test } from 'vitest';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Sets the clock to a time and ticks. Returns the time of the clock. */
async function comeTo(moment: Date): Promise<Date> {
  await world.comeTo(moment);
  return world.clock.now();
}

test('before_session: the start and the minutes before it', async () => {
  const webinar = await world.createWebinar();
  const rule = await webinar.rule('before_session', { offsetMinutes: 5 });
  const guest = await webinar.attend('Ada', { utm: { source: 'mail' } });
  await comeTo(minutesAfter(webinar.sessionTime, -5.1));
  await webinar.expectSent(rule);
  const at = await comeTo(minutesAfter(webinar.sessionTime, -5));
  const data = { sessionStartsAt: webinar.sessionTime, minutesBefore: 5 };
  await webinar.expectSent(rule, { guest, type: 'before_session', data, at });
});

test('after_session: start, end, minutes after it, and attendance', async () => {
  const webinar = await world.createWebinar();
  const rule = await webinar.rule('after_session', { offsetMinutes: 30 });
  const [there, absent] = [await webinar.attend('There'), await webinar.attend('Absent')];
  webinar.start();
  await there.watch(60);
  const endedAt = minutesAfter(webinar.sessionTime, 10);
  await comeTo(endedAt);
  await comeTo(minutesAfter(webinar.sessionTime, 39.9));
  await webinar.expectSent(rule);
  const at = await comeTo(minutesAfter(webinar.sessionTime, 40));
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

test('time_elapsed_after_event: the source event, its time, and the minutes after it', async () => {
  const webinar = await world.createWebinar();
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
  await comeTo(minutesAfter(sourceEventAt, 19.9));
  await webinar.expectSent(rule);
  const at = await comeTo(minutesAfter(sourceEventAt, 20));
  const data = { sourceEvent: 'cta_click', sourceEventAt, elapsedMinutes: 20 };
  await webinar.expectSent(rule, { guest, type: 'time_elapsed_after_event', data, at });
  await comeTo(minutesAfter(sourceEventAt, 30));
  await webinar.expectSent(rule, { guest, type: 'time_elapsed_after_event', data, at });
});
