// What happens in one webinar is nobody else's business: not another webinar's, and not another workspace's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guest } from './sent.ts';
import type { Hook, Show } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

const types = ['registered', 'joined', 'left', 'no_show', 'cta_click', 'poll_response', 'chat_response'];
const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

interface Place {
  show: Show;
  offer: string;
  poll: string;
  fork: Record<string, string>;
  hooks: Hook[];
}

let world: TriggerWorld;
let own: Place;
let sibling: Place;
let stranger: Place;
beforeAll(async () => {
  world = await createTriggerWorld();
  own = await place();
  sibling = await place();
  stranger = await place(await world.neighbour());
});
afterAll(() => world[Symbol.asyncDispose]());

/** An adaptive webinar with rules for everything. */
async function place(key?: string): Promise<Place> {
  const show = await world.show({ publish: false, webinar: { kind: 'adaptive' }, ...(key && { key }) });
  const fork = await show.fork();
  const inIntro = { segmentId: fork['intro'] };
  const offer = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy', ...inIntro };
  const made = {
    offer: await show.interaction(offer),
    poll: await show.interaction({ type: 'poll', options, ...inIntro }),
  };
  await show.create('/publish');
  const hooks = [await show.subscribe(['registered', 'joined', 'left', 'no_show', 'cta_click'])];
  for (const type of [...types, 'branch_taken', 'segment_completed']) hooks.push(await show.rule(type));
  hooks.push(await show.rule('before_session', { offsetMinutes: 1 }));
  return { show, fork, hooks, ...made };
}

const sentOf = async ({ show, hooks }: Place): Promise<number> => {
  const sent = await Promise.all(hooks.map((hook) => show.sent(hook)));
  return sent.flat().length;
};

/** The calls of somebody in their room that name something. */
const callsOf = (guest: Guest, { offer, poll, fork }: Place) => [
  () => guest.click(offer),
  () => guest.answer(poll, 'yes'),
  () => guest.take(fork['intro>long']!),
];

test('ids of another webinar are not found with a join link, and nothing comes of them', async () => {
  const guest = await own.show.attend('Visitor');
  own.show.start();
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
  const timeline = (await own.show.rest(`GET ./registrations/${guest.registrationId}/events`)).json.data;
  expect(timeline.map(({ type }: { type: string }) => type).toReversed()).toEqual([
    'registered',
    'joined',
    'cta_click',
    'poll_response',
    'branch_taken',
  ]);
});

test('rules hear nothing of another webinar, be it of the same workspace or of another', async () => {
  const before = [await sentOf(sibling), await sentOf(stranger)];
  const guest = await own.show.attend('Loud');
  await guest.beat();
  await guest.click(own.offer);
  await guest.say('Hello');
  await guest.leave();
  world.clock.advance(3600);
  await world.tick();
  expect(before).toEqual([0, 0]);
  expect([await sentOf(sibling), await sentOf(stranger)]).toEqual([0, 0]);
  expect([await sibling.show.executions(), await stranger.show.executions()]).toEqual([[], []]);
  const heard = await own.show.typesSent(own.hooks[0]!);
  expect(heard.filter((type) => type === 'left')).toHaveLength(2);
});

test('a key sees nothing of another workspace: no rule, no execution, no delivery', async () => {
  const rule = own.hooks[1]!;
  const { show } = stranger;
  const path = `/webinars/${own.show.id}`;
  for (const route of [
    `${path}/executions`,
    `${path}${rule.path}/executions`,
    `${path}${rule.path}/deliveries`,
    `/webinars/${show.id}${rule.path}/executions`,
  ])
    expect((await show.rest(`GET ${route}`)).status, route).toBe(404);
  expect((await own.show.rest(`GET .${rule.path}/executions`)).json.data).not.toEqual([]);
});
