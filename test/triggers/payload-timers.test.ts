// What is sent at moments before and after things, to the byte.
import { afterAll, beforeAll, test } from 'vitest';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Lets the clock come to a moment; when it is then. */
async function comeTo(moment: Date): Promise<Date> {
  await world.comeTo(moment);
  return world.clock.now();
}

test('before_session: when it begins and how long that is', async () => {
  const show = await world.show();
  const rule = await show.rule('before_session', { offsetMinutes: 5 });
  const guest = await show.attend('Ada', { utm: { source: 'mail' } });
  await comeTo(minutesAfter(show.sessionTime, -5.1));
  await show.expectSent(rule);
  const at = await comeTo(minutesAfter(show.sessionTime, -5));
  const data = { sessionStartsAt: show.sessionTime, minutesBefore: 5 };
  await show.expectSent(rule, { guest, type: 'before_session', data, at });
});

test('after_session: when it was, how long ago, and whether they were there', async () => {
  const show = await world.show();
  const rule = await show.rule('after_session', { offsetMinutes: 30 });
  const [there, absent] = [await show.attend('There'), await show.attend('Absent')];
  show.start();
  await there.watch(60);
  const endedAt = minutesAfter(show.sessionTime, 10);
  await comeTo(endedAt);
  await comeTo(minutesAfter(show.sessionTime, 39.9));
  await show.expectSent(rule);
  const at = await comeTo(minutesAfter(show.sessionTime, 40));
  const session = {
    sessionStartedAt: show.sessionTime,
    sessionEndedAt: endedAt.toISOString(),
    minutesAfter: 30,
  };
  const seen = { attended: true, watchedSeconds: 60, completionPercent: 10 };
  const nothing = { attended: false, watchedSeconds: 0, completionPercent: 0 };
  await show.expectSent(
    rule,
    { guest: there, type: 'after_session', data: { ...session, ...seen }, at },
    { guest: absent, type: 'after_session', data: { ...session, ...nothing }, at },
  );
});

test('time_elapsed_after_event: which event, when that was, and how long ago', async () => {
  const show = await world.show();
  const offer = await show.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  const rule = await show.rule('time_elapsed_after_event', { event: 'cta_click', delayMinutes: 20 });
  const guest = await show.attend();
  show.start();
  await guest.click(offer);
  const sourceEventAt = world.clock.now().toISOString();
  world.clock.advance(60);
  await guest.click(offer);
  await comeTo(minutesAfter(sourceEventAt, 19.9));
  await show.expectSent(rule);
  const at = await comeTo(minutesAfter(sourceEventAt, 20));
  const data = { sourceEvent: 'cta_click', sourceEventAt, elapsedMinutes: 20 };
  await show.expectSent(rule, { guest, type: 'time_elapsed_after_event', data, at });
  await comeTo(minutesAfter(sourceEventAt, 30));
  await show.expectSent(rule, { guest, type: 'time_elapsed_after_event', data, at });
});
