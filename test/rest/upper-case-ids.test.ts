// Some languages write UUIDs in upper case. Such an id names the same record, also where ids are compared as texts: in the keys of
// caches and locks, and in the triggers and conditions of rules.
import { listRoutes } from '@service/rest';
import { expect, test } from 'vitest';
import { callRest, testApi } from '../support/api.ts';
import { createEverything, pathOf } from '../support/everything.ts';
import { startReceiver } from '../support/receiver.ts';
import { createWorld } from '../support/world.ts';

test('a read by ids in upper case has the same answer', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const { key, ids } = await createEverything(service, receiver.url);
  const upper = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()]));
  const routes = listRoutes(service.api.service.router).filter(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length > 0,
  );
  for (const { template } of routes) {
    const read = (named: Record<string, string>) =>
      callRest(service, `GET ${pathOf(template, named)}`, { key, headers: { 'X-Request-Id': 'same' } });
    const [one, other] = [await read(ids), await read(upper)];
    // Results name the time of their reading.
    const textOf = ({ text }: { text: string }) => text.replace(/"countedAt":"[^"]+"/, '');
    expect([other.status, textOf(other)], template).toEqual([one.status, textOf(one)]);
  }
});

test('a registration by an id in upper case fires a subscription that was just created', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const path = `/webinars/${world.webinar.id.toUpperCase()}/registrations`;
  const register = async (email: string) => {
    const body = { name: 'Ada', email, sessionTime: world.webinar.sessionTime };
    expect((await world.rest(`POST ${path}`, body)).status).toBe(201);
  };
  // The first ones open the connection that announces changes of rules. Then the rules of the webinar are cached.
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await register(`${name}@example.com`);
  const { id } = await world.subscribe(receiver.url);
  await register('late@example.com');
  const deliveries = await world.call(`GET /webhooks/${id}/deliveries`);
  expect(deliveries.json.data).toHaveLength(1);
});

test('a trigger and a condition with ids in upper case are met', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const offer = await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const poll = await world.interaction({ type: 'poll', options });
  const { id } = await world.rule(receiver.url, {
    trigger: { type: 'cta_click', params: { interactionId: offer.toUpperCase() } },
    conditions: [
      { field: 'pollAnswer', operator: 'eq', value: { interactionId: poll.toUpperCase(), optionId: 'yes' } },
    ],
  });
  const ada = await world.attend();
  world.startSession();
  await ada.visit();
  expect((await ada.answer(poll, 'yes')).status).toBe(201);
  expect((await ada.click(offer)).status).toBe(201);
  const executions = await world.call(`GET /automations/${id}/executions`);
  expect(executions.json.data).toMatchObject([{ outcome: 'matched' }]);
});
