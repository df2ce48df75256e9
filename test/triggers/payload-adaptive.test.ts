// What is sent of a way through segments, to the byte: intro (300 s), then by default short (60 s), by choice long (600 s),
// then the end (30 s).
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guest } from './sent.ts';
import type { Hook, Show } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
let show: Show;
let fork: Record<string, string>;
let rules: Record<string, Hook>;
beforeAll(async () => {
  world = await createTriggerWorld();
  show = await world.show({ publish: false, webinar: { kind: 'adaptive', durationSeconds: 1200 } });
  fork = await show.fork();
  await show.create('/publish');
  rules = {
    branch: await show.rule('branch_taken'),
    segment: await show.rule('segment_completed'),
    inside: await show.rule('watched_minutes', { minutes: 4 }),
    between: await show.rule('watched_minutes', { minutes: 5 }),
    percent: await show.rule('watched_percent', { percent: 76 }),
    complete: await show.rule('video_complete'),
  };
});
afterAll(() => world[Symbol.asyncDispose]());

async function play(guest: Guest, [from, to]: [number, number], state: 'playing' | 'ended'): Promise<Date> {
  const beatEverySeconds = 50;
  for (let done = from; done < to; done += beatEverySeconds) {
    const until = Math.min(done + beatEverySeconds, to);
    world.clock.advance(until - done);
    await guest.beat({ intervals: [[done, until]], state: until === to ? state : 'playing' });
  }
  return world.clock.now();
}

test('branch_taken, segment_completed, and whether a mark was reached between two segments', async () => {
  const guest = await show.attend();
  show.start();
  await guest.beat();
  const insideAt = await play(guest, [0, 250], 'playing');
  const inside = { watchedSeconds: 250, completionPercent: 64 };
  await show.expectSent(rules['inside']!, { guest, type: 'watched_minutes', data: inside, at: insideAt });

  const endedAt = await play(guest, [250, 300], 'ended');
  const between = { watchedSeconds: 300, completionPercent: 76, in_transition: true };
  await show.expectSent(rules['between']!, { guest, type: 'watched_minutes', data: between, at: endedAt });
  await show.expectSent(rules['percent']!, { guest, type: 'watched_percent', data: between, at: endedAt });
  const intro = { segment_id: fork['intro'], watch_duration_seconds: 300 };
  const told = [{ guest, type: 'segment_completed', data: intro, at: endedAt }];
  await show.expectSent(rules['segment']!, ...told);
  await show.expectSent(rules['branch']!);

  world.clock.advance(3);
  expect((await guest.take(fork['intro>long']!)).status).toBe(201);
  const long = { branch_id: fork['intro>long'], segment_id: fork['long'] };
  const taken = [{ guest, type: 'branch_taken', data: long, at: world.clock.now() }];
  await show.expectSent(rules['branch']!, ...taken);

  // Seen from the middle on; where there is nothing to choose the viewer goes on at once.
  const longEndedAt = await play(guest, [200, 600], 'ended');
  const seen = { segment_id: fork['long'], watch_duration_seconds: 400 };
  told.push({ guest, type: 'segment_completed', data: seen, at: longEndedAt });
  await show.expectSent(rules['segment']!, ...told);
  const last = { branch_id: fork['long>end'], segment_id: fork['end'] };
  taken.push({ guest, type: 'branch_taken', data: last, at: longEndedAt });
  await show.expectSent(rules['branch']!, ...taken);
});

test('video_complete never says that it was between two segments', async () => {
  const guest = await show.attend('Bob');
  await guest.beat();
  await play(guest, [0, 300], 'ended');
  await guest.take(fork['intro>short']!);
  await play(guest, [0, 60], 'ended');
  const at = await play(guest, [0, 30], 'ended');
  const data = { watchedSeconds: 390, completionPercent: 100 };
  await show.expectSent(rules['complete']!, { guest, type: 'video_complete', data, at });
});
