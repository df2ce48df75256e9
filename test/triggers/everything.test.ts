// One attendee to whom everything happens that can.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guest } from './sent.ts';
import type { Hook, Show } from './show.ts';
import { createTriggerWorld, minutesAfter, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const triggers: Record<string, object> = {
  registered: {},
  joined: {},
  left: {},
  no_show: {},
  watched_minutes: { minutes: 1 },
  watched_percent: { percent: 20 },
  video_complete: {},
  cta_click: {},
  poll_response: {},
  chat_response: {},
  branch_taken: {},
  segment_completed: {},
  before_session: { offsetMinutes: 5 },
  after_session: { offsetMinutes: 0 },
  time_elapsed_after_event: { event: 'cta_click', delayMinutes: 60 },
};

interface Stage {
  show: Show;
  fork: Record<string, string>;
  offer: string;
  poll: string;
}

/** Adaptive, and so demanding that who saw half of it has completed it, and is a no-show all the same. */
async function prepare(): Promise<Stage> {
  const attendance = { completionPercent: 50, minSeconds: 86_400 };
  const webinar = { kind: 'adaptive', durationSeconds: 1200, attendance };
  const show = await world.show({ publish: false, webinar });
  const fork = await show.fork();
  const inIntro = { segmentId: fork['intro'] };
  const offer = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy', ...inIntro };
  const poll = {
    type: 'poll',
    options: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
    ...inIntro,
  };
  const made = { offer: await show.interaction(offer), poll: await show.interaction(poll) };
  await show.create('/publish');
  return { show, fork, ...made };
}

async function play({ show, fork, offer, poll }: Stage): Promise<Guest> {
  const { clock, tick } = world;
  const guest = await show.attend();
  await world.comeTo(minutesAfter(show.sessionTime, -5));
  show.start();
  await tick();
  await guest.beat();
  await guest.click(offer);
  await guest.answer(poll, 'b');
  await guest.say('Hello');
  await guest.watch(290);
  clock.advance(10);
  await guest.beat({ intervals: [[290, 300]], state: 'ended' });
  await guest.take(fork['intro>short']!);
  await guest.leave();
  clock.advance(60);
  await tick();
  await world.comeTo(minutesAfter(show.sessionTime, 90));
  return guest;
}

test('each of fifteen rules gets its own event once, and a subscription each of its own once, in order', async () => {
  const stage = await prepare();
  const { show } = stage;
  const rules: [string, Hook][] = [];
  for (const [type, params] of Object.entries(triggers)) rules.push([type, await show.rule(type, params)]);
  const types = ['registered', 'joined', 'left', 'no_show', 'video_complete', 'cta_click'];
  const all = await show.subscribe(types.toReversed());
  const some = await show.subscribe(['no_show', 'joined']);
  const guest = await play(stage);

  const seen: [string, string[]][] = [];
  for (const [type, rule] of rules) seen.push([type, await show.typesSent(rule)]);
  expect(seen).toEqual(Object.keys(triggers).map((type) => [type, [type]]));
  expect(await show.typesSent(all)).toEqual([
    'registered',
    'joined',
    'cta_click',
    'video_complete',
    'left',
    'no_show',
  ]);
  expect(await show.typesSent(some)).toEqual(['joined', 'no_show']);

  // What a subscription is sent of an event is what a rule is sent of it, signed with another secret.
  const texts = new Set((await show.sent(all)).map(({ text }) => text));
  for (const [type, rule] of rules.filter(([type]) => types.includes(type)))
    expect(texts, type).toContain((await show.sent(rule))[0]!.text);

  const timeline = (await show.rest(`GET ./registrations/${guest.registrationId}/events?limit=100`)).json
    .data;
  expect(timeline.map(({ type }: { type: string }) => type).toReversed()).toEqual([
    'registered',
    'joined',
    'cta_click',
    'poll_response',
    'chat_response',
    'watched_minutes',
    'watched_percent',
    'video_complete',
    'segment_completed',
    'branch_taken',
    'left',
    'no_show',
  ]);
});
