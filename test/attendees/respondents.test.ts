import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

test('the list of interactions gets its counts in one call, and answers come with their people', async () => {
  const poll = await world.interaction({ type: 'poll', options });
  const cta = await world.interaction({ type: 'cta', url: 'https://shop.example/', buttonLabel: 'Buy' });
  const handout = await world.interaction({
    type: 'handout',
    url: 'https://shop.example/a.pdf',
    fileName: 'a',
  });
  const [ada, bob] = [await world.attend('ada@counts.example'), await world.attend('bob@counts.example')];
  world.startSession();
  await ada.visit();
  await bob.visit();
  await ada.view(poll);
  await bob.view(poll);
  await ada.answer(poll, 'yes');
  await bob.answer(poll, 'no');
  await ada.click(cta);
  await ada.click(cta);
  await bob.click(handout);
  const dashboard = await openDashboard(world.service, world);
  const webinarId = world.webinar.id;
  const counts = await dashboard.query('responses.counts', { webinarId });
  const none = { views: 0, clicks: 0, clickers: 0, answers: 0 };
  expect(counts).toEqual([
    { ...none, interactionId: poll, views: 2, answers: 2 },
    { ...none, interactionId: cta, clicks: 2, clickers: 1 },
    { ...none, interactionId: handout, clicks: 1, clickers: 1 },
  ]);
  const answers = await dashboard.query('responses.listRespondents', { webinarId, interactionId: poll });
  expect(answers).toMatchObject([
    { name: 'bob', email: 'bob@counts.example', selectedOption: 'No' },
    { name: 'ada', email: 'ada@counts.example', selectedOption: 'Yes' },
  ]);
});

test('another workspace reads no count and no name', async () => {
  const cta = await world.interaction({ type: 'cta', url: 'https://shop.example/', buttonLabel: 'Buy' });
  await using neighbour = await world.neighbour();
  const foreign = await openDashboard(world.service, neighbour);
  const webinarId = world.webinar.id;
  expect(await refusalOf(foreign.query('responses.counts', { webinarId }))).toBe('webinar_not_found');
  const address = { webinarId, interactionId: cta };
  expect(await refusalOf(foreign.query('responses.listRespondents', address))).toBe('webinar_not_found');
  const own = neighbour.webinar.id;
  expect(await foreign.query('responses.counts', { webinarId: own })).toEqual([]);
  expect(
    await refusalOf(foreign.query('responses.listRespondents', { webinarId: own, interactionId: cta })),
  ).toBe('interaction_not_found');
});
