// The exact bodies of events about registering, watching and leaving.
import { expect } from 'vitest';
import { test } from './trigger-world.ts';

const name = 'Zoë “Z” Ångström';

test('registered: attendee, campaign and join link', async ({ world, webinar }) => {
  const rule = await webinar.rule('registered');
  const utm = { source: 'mail', medium: 'e-mail', campaign: 'Frühling' };
  const zoe = await webinar.attend('Zoe', { name, utm });
  const bob = await webinar.attend('Bob', { utm: { medium: 'ads' } });
  const linkOf = ({ token }: { token: string }) => ({
    join_url: `${world.service.baseUrl}/room/${token}`,
  });
  await webinar.expectSent(
    rule,
    { guest: zoe, type: 'registered', data: linkOf(zoe) },
    { guest: bob, type: 'registered', data: linkOf(bob) },
  );
  const [sent] = await webinar.sent(rule);
  expect(Math.abs(Date.parse(sent!.body.timestamp) - Date.now())).toBeLessThan(600_000);
});

test('joined: without data', async ({ world, webinar }) => {
  const rule = await webinar.rule('joined');
  const guest = await webinar.attend('Ada', { utm: { source: 'mail' } });
  webinar.start();
  await guest.beat();
  await webinar.expectSent(rule, { guest, type: 'joined', data: {}, at: world.clock.now() });
});

test('watched_minutes, watched_percent and video_complete: watch time and completion', async ({ world }) => {
  const webinar = await world.createWebinar({ fields: { attendance: { completionPercent: 50 } } });
  const rules = {
    watched_minutes: await webinar.rule('watched_minutes', { minutes: 2 }),
    watched_percent: await webinar.rule('watched_percent', { percent: 30 }),
    video_complete: await webinar.rule('video_complete'),
  };
  const guest = await webinar.attend();
  webinar.start();
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
    await webinar.expectSent(rules[type], { guest, type, data, at: world.clock.now() });
  }
});

test('left: time, reason and position, for each of the three reasons', async ({ world, webinar }) => {
  const rule = await webinar.rule('left');
  const [closing, silent, staying] = [
    await webinar.attend('Closing'),
    await webinar.attend('Silent'),
    await webinar.attend('Staying'),
  ];
  webinar.start();
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
  const expected = [
    { guest: closing, type: 'left', data: leave('closed', leftAt, closed), at: world.clock.now() },
  ];
  await webinar.expectSent(rule, ...expected);

  await staying.beat();
  world.clock.advance(30);
  await world.tick();
  const quiet = leave('timeout', leftAt, { ...nothing, positionSeconds: 21 });
  expected.push({ guest: silent, type: 'left', data: quiet, at: world.clock.now() });
  await webinar.expectSent(rule, ...expected);

  const endsAt = new Date(Date.parse(webinar.sessionTime) + 600_000);
  world.clock.setTo(new Date(endsAt.getTime() - 10_000));
  await staying.beat({ playhead: 590 });
  world.clock.setTo(new Date(endsAt.getTime() + 5000));
  await world.tick();
  const ended = leave('session_ended', endsAt, { ...nothing, positionSeconds: 590 });
  expected.push({ guest: staying, type: 'left', data: ended, at: world.clock.now() });
  await webinar.expectSent(rule, ...expected);
});

test('no_show: the time of detection and the start of the session', async ({ world }) => {
  const webinar = await world.createWebinar({ fields: { attendance: { noShowGraceMinutes: 3 } } });
  const rule = await webinar.rule('no_show');
  const [guest, there] = [await webinar.attend('Absent'), await webinar.attend('There')];
  webinar.start();
  await there.beat();
  world.clock.setTo(new Date(Date.parse(webinar.sessionTime) + (10 + 3) * 60_000 - 1));
  await world.tick();
  await webinar.expectSent(rule);
  world.clock.advance(1);
  await world.tick();
  const at = world.clock.now();
  const data = { detectedAt: at.toISOString(), sessionStartedAt: webinar.sessionTime };
  await webinar.expectSent(rule, { guest, type: 'no_show', data, at });
});
