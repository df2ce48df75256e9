// Events of one webinar fire no rule of another webinar or workspace.
import { expect } from 'vitest';
import type { Guest } from './sent.ts';
import type { Hook, TestWebinar, WebinarOptions } from './test-webinar.ts';
import { test as base, type TriggerWorld } from './trigger-world.ts';

const types = ['registered', 'joined', 'left', 'no_show', 'cta_click', 'poll_response', 'chat_response'];
const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

interface Place {
  webinar: TestWebinar;
  offer: string;
  poll: string;
  fork: Record<string, string>;
  hooks: Hook[];
}

const test = base.extend('places', { scope: 'file' }, async ({ world }) => ({
  own: await place(world),
  sibling: await place(world),
  stranger: await place(world, await world.neighbour()),
}));

/** An adaptive webinar with rules for everything. */
async function place(world: TriggerWorld, workspace?: WebinarOptions['workspace']): Promise<Place> {
  const webinar = await world.createWebinar({
    publish: false,
    fields: { kind: 'adaptive' },
    ...(workspace && { workspace }),
  });
  const fork = await webinar.fork();
  const inIntro = { segmentId: fork['intro'] };
  const offer = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy', ...inIntro };
  const made = {
    offer: await webinar.interaction(offer),
    poll: await webinar.interaction({ type: 'poll', options, ...inIntro }),
  };
  await webinar.create('/publish');
  const hooks = [await webinar.subscribe(['registered', 'joined', 'left', 'no_show', 'cta_click'])];
  for (const type of [...types, 'branch_taken', 'segment_completed']) hooks.push(await webinar.rule(type));
  hooks.push(await webinar.rule('before_session', { offsetMinutes: 1 }));
  return { webinar, fork, hooks, ...made };
}

const sentOf = async ({ webinar, hooks }: Place): Promise<number> => {
  const sent = await Promise.all(hooks.map((hook) => webinar.sent(hook)));
  return sent.flat().length;
};

/** The room calls that contain an id. */
const callsOf = (guest: Guest, { offer, poll, fork }: Place) => [
  () => guest.click(offer),
  () => guest.answer(poll, 'yes'),
  () => guest.take(fork['intro>long']!),
];

test('with a join link, ids of another webinar are not found and cause no event', async ({ places }) => {
  const { own, sibling, stranger } = places;
  const guest = await own.webinar.attend('Visitor');
  own.webinar.start();
  await guest.beat();
  for (const foreign of [sibling, stranger]) {
    const answers = [];
    for (const call of callsOf(guest, foreign)) answers.push(await call());
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [404, 'interaction_not_found'],
      [404, 'interaction_not_found'],
      [404, 'branch_not_found'],
    ]);
  }
  const statuses = [];
  for (const call of callsOf(guest, own)) statuses.push((await call()).status);
  expect(statuses).toEqual([201, 201, 201]);
  const timeline = (await own.webinar.call(`GET /registrations/${guest.registrationId}/events`)).json.data;
  expect(timeline.map(({ type }: { type: string }) => type).toReversed()).toEqual([
    'registered',
    'joined',
    'cta_click',
    'poll_response',
    'branch_taken',
  ]);
});

test('rules get no events of another webinar, in the same workspace or in another', async ({
  world,
  places,
}) => {
  const { own, sibling, stranger } = places;
  const before = [await sentOf(sibling), await sentOf(stranger)];
  const guest = await own.webinar.attend('Loud');
  await guest.beat();
  await guest.click(own.offer);
  await guest.say('Hello');
  await guest.leave();
  world.clock.advance(3600);
  await world.tick();
  expect(before).toEqual([0, 0]);
  expect([await sentOf(sibling), await sentOf(stranger)]).toEqual([0, 0]);
  expect([await sibling.webinar.executions(), await stranger.webinar.executions()]).toEqual([[], []]);
  const types = await own.webinar.typesSent(own.hooks[0]!);
  expect(types.filter((type) => type === 'left')).toHaveLength(2);
});
