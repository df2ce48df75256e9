// The exact bodies of events in an adaptive webinar: intro (300 s), then short (60 s) by default or long (600 s) by choice, then
// the end (30 s).
import { expect } from 'vitest';
import type { Guest } from './sent.ts';
import { test as base, type TriggerWorld } from './trigger-world.ts';

const test = base.extend('adaptive', { scope: 'file' }, async ({ world }) => {
  const fields = { kind: 'adaptive', durationSeconds: 1200 };
  const webinar = await world.createWebinar({ publish: false, fields });
  const fork = await webinar.fork();
  await webinar.create('/publish');
  const rules = {
    branch: await webinar.rule('branch_taken'),
    segment: await webinar.rule('segment_completed'),
    inside: await webinar.rule('watched_minutes', { minutes: 4 }),
    between: await webinar.rule('watched_minutes', { minutes: 5 }),
    percent: await webinar.rule('watched_percent', { percent: 76 }),
    complete: await webinar.rule('video_complete'),
  };
  return { webinar, fork, rules };
});

/** Lets a guest play parts of a segment. Returns the time of the clock. */
const player =
  ({ clock }: TriggerWorld, guest: Guest) =>
  async ([from, to]: [number, number], state: 'playing' | 'ended'): Promise<Date> => {
    const beatEverySeconds = 50;
    for (let done = from; done < to; done += beatEverySeconds) {
      const until = Math.min(done + beatEverySeconds, to);
      clock.advance(until - done);
      await guest.beat({ intervals: [[done, until]], state: until === to ? state : 'playing' });
    }
    return clock.now();
  };

test('branch_taken and segment_completed, and in_transition for a mark between two segments', async ({
  world,
  adaptive,
}) => {
  const { webinar, fork, rules } = adaptive;
  const guest = await webinar.attend();
  const play = player(world, guest);
  webinar.start();
  await guest.beat();
  const insideAt = await play([0, 250], 'playing');
  const inside = { watchedSeconds: 250, completionPercent: 64 };
  await webinar.expectSent(rules.inside, { guest, type: 'watched_minutes', data: inside, at: insideAt });

  const endedAt = await play([250, 300], 'ended');
  const between = { watchedSeconds: 300, completionPercent: 76, in_transition: true };
  await webinar.expectSent(rules.between, { guest, type: 'watched_minutes', data: between, at: endedAt });
  await webinar.expectSent(rules.percent, { guest, type: 'watched_percent', data: between, at: endedAt });
  const intro = { segment_id: fork['intro'], watch_duration_seconds: 300 };
  const expected = [{ guest, type: 'segment_completed', data: intro, at: endedAt }];
  await webinar.expectSent(rules.segment, ...expected);
  await webinar.expectSent(rules.branch);

  world.clock.advance(3);
  expect((await guest.take(fork['intro>long']!)).status).toBe(201);
  const long = { branch_id: fork['intro>long'], segment_id: fork['long'] };
  const taken = [{ guest, type: 'branch_taken', data: long, at: world.clock.now() }];
  await webinar.expectSent(rules.branch, ...taken);

  // Watched from the middle. Without a choice the next segment follows at once.
  const longEndedAt = await play([200, 600], 'ended');
  const seen = { segment_id: fork['long'], watch_duration_seconds: 400 };
  expected.push({ guest, type: 'segment_completed', data: seen, at: longEndedAt });
  await webinar.expectSent(rules.segment, ...expected);
  const last = { branch_id: fork['long>end'], segment_id: fork['end'] };
  taken.push({ guest, type: 'branch_taken', data: last, at: longEndedAt });
  await webinar.expectSent(rules.branch, ...taken);
});

test('video_complete never has in_transition', async ({ world, adaptive }) => {
  const { webinar, fork, rules } = adaptive;
  const guest = await webinar.attend('Bob');
  const play = player(world, guest);
  await guest.beat();
  await play([0, 300], 'ended');
  await guest.take(fork['intro>short']!);
  await play([0, 60], 'ended');
  const at = await play([0, 30], 'ended');
  const data = { watchedSeconds: 390, completionPercent: 100 };
  await webinar.expectSent(rules.complete, { guest, type: 'video_complete', data, at });
});
