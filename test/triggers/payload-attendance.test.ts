// What is sent of coming, watching and leaving, to the byte.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const name = 'Zoë “Z” Ångström';

test('registered: who it is and where they came from, and no data', async () => {
  const show = await world.show();
  const rule = await show.rule('registered');
  const utm = { source: 'mail', medium: 'e-mail', campaign: 'Frühling' };
  const zoe = await show.attend('Zoe', { name, utm });
  const bob = await show.attend('Bob', { utm: { medium: 'ads' } });
  await show.expectSent(
    rule,
    { guest: zoe, type: 'registered', data: {} },
    { guest: bob, type: 'registered', data: {} },
  );
  const [sent] = await show.sent(rule);
  expect(Math.abs(Date.parse(sent!.body.timestamp) - Date.now())).toBeLessThan(600_000);
});

test('joined: no data', async () => {
  const show = await world.show();
  const rule = await show.rule('joined');
  const guest = await show.attend('Ada', { utm: { source: 'mail' } });
  show.start();
  await guest.beat();
  await show.expectSent(rule, { guest, type: 'joined', data: {}, at: world.clock.now() });
});

test('watched_minutes, watched_percent and video_complete: how much has been seen', async () => {
  const show = await world.show({ webinar: { attendance: { completionPercent: 50 } } });
  const rules = {
    watched_minutes: await show.rule('watched_minutes', { minutes: 2 }),
    watched_percent: await show.rule('watched_percent', { percent: 30 }),
    video_complete: await show.rule('video_complete'),
  };
  const guest = await show.attend();
  show.start();
  await guest.beat();
  let from = 0;
  for (const [type, watchedSeconds, completionPercent] of [
    ['watched_minutes', 125, 20],
    ['watched_percent', 181, 30],
    ['video_complete', 303, 50],
  ] as const) {
    await guest.watch(watchedSeconds - 8 - from);
    world.clock.advance(8);
    await guest.beat({ intervals: [[watchedSeconds - 7, watchedSeconds + 1]] });
    from = watchedSeconds;
    const data = { watchedSeconds, completionPercent };
    await show.expectSent(rules[type], { guest, type, data, at: world.clock.now() });
  }
});

test('left: when, why and how far they were, for each of the three reasons', async () => {
  const show = await world.show();
  const rule = await show.rule('left');
  const [closing, silent, staying] = [
    await show.attend('Closing'),
    await show.attend('Silent'),
    await show.attend('Staying'),
  ];
  show.start();
  await closing.watch(20);
  await silent.beat();
  await staying.beat();
  const leftAt = world.clock.now();
  await closing.leave({ playhead: 20 });
  world.clock.advance(60);
  await world.tick();
  const leave = (reason: string, left: Date, seen: object) => ({
    leftAt: left.toISOString(),
    reason,
    ...seen,
  });
  const nothing = { positionSeconds: 0, watchedSeconds: 0, completionPercent: 0 };
  const closed = { positionSeconds: 20, watchedSeconds: 20, completionPercent: 3 };
  const told = [
    { guest: closing, type: 'left', data: leave('closed', leftAt, closed), at: world.clock.now() },
  ];
  await show.expectSent(rule, ...told);

  await staying.beat();
  world.clock.advance(30);
  await world.tick();
  const quiet = leave('timeout', leftAt, { ...nothing, positionSeconds: 21 });
  told.push({ guest: silent, type: 'left', data: quiet, at: world.clock.now() });
  await show.expectSent(rule, ...told);

  const endsAt = new Date(Date.parse(show.sessionTime) + 600_000);
  world.clock.setTo(new Date(endsAt.getTime() - 10_000));
  await staying.beat({ playhead: 590 });
  world.clock.setTo(new Date(endsAt.getTime() + 5000));
  await world.tick();
  const ended = leave('session_ended', endsAt, { ...nothing, positionSeconds: 590 });
  told.push({ guest: staying, type: 'left', data: ended, at: world.clock.now() });
  await show.expectSent(rule, ...told);
});

test('no_show: when it was certain and when the session began', async () => {
  const show = await world.show({ webinar: { attendance: { noShowGraceMinutes: 3 } } });
  const rule = await show.rule('no_show');
  const [guest, there] = [await show.attend('Absent'), await show.attend('There')];
  show.start();
  await there.beat();
  world.clock.setTo(new Date(Date.parse(show.sessionTime) + (10 + 3) * 60_000 - 1));
  await world.tick();
  await show.expectSent(rule);
  world.clock.advance(1);
  await world.tick();
  const at = world.clock.now();
  const data = { detectedAt: at.toISOString(), sessionStartedAt: show.sessionTime };
  await show.expectSent(rule, { guest, type: 'no_show', data, at });
});

test('a redelivery is the same but for its time, and says at its end that it is one', async () => {
  const show = await world.show();
  const rule = await show.rule('registered');
  await show.attend('Zoe', { name, utm: { campaign: 'Frühling' } });
  const [first] = await show.sent(rule);
  await show.create(`${rule.path}/deliveries/${first!.deliveryId}/redeliver`);
  const [, again, ...others] = await show.sent(rule);
  const { timestamp } = again!.body;
  expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse(first!.body.timestamp));
  expect(again!.text).toBe(JSON.stringify({ ...first!.body, timestamp, is_refire: true }));
  expect([again!.deliveryId === first!.deliveryId, others]).toEqual([false, []]);
});
