import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const button = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };
const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

const statsOf = async (id: string) => await world.get(`/interactions/${id}/stats`);

const statusesOf = async (...calls: Promise<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);

test('an interaction that two attendees see has two views, however many pages show it how often', async () => {
  const offer = await world.interaction(button);
  const poll = await world.interaction({ type: 'poll', options });
  const [ada, bob] = [await world.attend('ada@views.example'), await world.attend('bob@views.example')];
  world.startSession();
  await using other = await world.another();
  await ada.visit();
  await ada.at(other).visit();
  const answer = await ada.view(offer);
  expect([answer.status, answer.text]).toEqual([204, '']);
  const same = Array.from({ length: 6 }, (_unused, index) =>
    bob.at(index % 2 === 0 ? world.service : other).view(offer),
  );
  expect(await statusesOf(...same, ada.at(other).view(offer), ada.view(poll))).toEqual(
    Array.from({ length: 8 }, () => 204),
  );
  expect(await statsOf(offer)).toMatchObject({ views: 2, clicks: 0 });
  expect(await statsOf(poll)).toMatchObject({ views: 1, responses: 0 });
  // A view is no response, and it is one entry of the attendee's timeline.
  expect(await world.get(`/interactions/${offer}/responses`)).toEqual([]);
  const { data } = (await world.call(`GET /registrations/${ada.registrationId}/events`)).json;
  expect(data.filter(({ type }: { type: string }) => type === 'interaction_view')).toMatchObject([
    { data: { interactionId: poll } },
    { data: { interactionId: offer, interaction: { id: offer, headline: 'Headline' } } },
  ]);
});

test('a view of another webinar’s, another account’s or a disabled interaction is refused and counts nothing', async () => {
  await using neighbour = await world.neighbour();
  const foreign = await neighbour.interaction(button);
  const disabled = await world.interaction({ ...button, enabled: false });
  const ada = await world.attend('ada@refused.example');
  world.startSession();
  for (const id of [foreign, disabled]) {
    const { status, json } = await ada.view(id);
    expect([status, json.code]).toEqual([404, 'interaction_not_found']);
  }
  expect(await statsOf(disabled)).toMatchObject({ views: 0 });
  const { json } = await neighbour.call(`GET /interactions/${foreign}/stats`);
  expect(json.data).toMatchObject({ views: 0 });
});

test('a view fires no rule and no subscription', async () => {
  const offer = await world.interaction(button);
  const ada = await world.attend('ada@rules.example');
  world.startSession();
  const url = 'http://127.0.0.1:9/views';
  const trigger = { type: 'cta_click', params: {} };
  await world.create('/automations', { name: 'Clicks', trigger, action: { type: 'webhook', url } });
  const executions = async (): Promise<unknown[]> => await world.get('/executions');
  const before = (await executions()).length;
  expect((await ada.view(offer)).status).toBe(204);
  expect(await executions()).toHaveLength(before);
  expect((await ada.click(offer)).status).toBe(201);
  expect(await executions()).toHaveLength(before + 1);
});

test('after the session an interaction is viewed only where the replay offers it', async () => {
  await using late = await createWorld();
  const [kept, gone] = [
    await late.interaction({ ...button, availableInReplay: true }),
    await late.interaction({ ...button, availableInReplay: false }),
  ];
  const ada = await late.attend();
  late.startSession();
  await ada.visit();
  late.clock.advance(3600);
  expect((await ada.view(kept)).status).toBe(204);
  const refused = await ada.view(gone);
  expect([refused.status, refused.json.code]).toEqual([409, 'session_not_live']);
});
