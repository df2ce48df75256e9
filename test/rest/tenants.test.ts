import { listRoutes } from '@service/rest';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';

/** One of everything an id can name, made over the API in one workspace. */
async function createEverything(
  service: TestApi,
  receiverUrl: string,
): Promise<{ key: string; ids: Record<string, string> }> {
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}`;
  const webhook = await callRest(service, `POST ${at}/webhooks`, {
    key,
    body: { url: receiverUrl, eventTypes: ['registered'] },
  });
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const registration = await callRest(service, `POST ${at}/registrations`, { key, body });
  const webhookId = webhook.json.data.id;
  const deliveries = await callRest(service, `GET ${at}/webhooks/${webhookId}/deliveries`, { key });
  const ids = {
    webinarId: webinar.id,
    webhookId,
    registrationId: registration.json.data.id,
    deliveryId: deliveries.json.data[0].id,
  };
  return { key, ids };
}

const bodies: Record<string, unknown> = {
  'POST /webinars/{webinarId}/registrations': {
    name: 'Eve',
    email: 'eve@example.com',
    sessionTime: '2030-01-01T00:00:00Z',
  },
};

test('every route with an id answers 404 to the key of another workspace, and 404 where one id of a path is foreign', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const mine = await createEverything(service, receiver.url);
  const theirs = await createEverything(service, receiver.url);
  bodies['POST /webinars/{webinarId}/webhooks'] = { url: receiver.url, eventTypes: ['registered'] };

  const routes = listRoutes(service.api.service.router).filter((route) => route.pathParameters.length > 0);
  expect(routes.length).toBeGreaterThanOrEqual(9);
  const probe = async (route: (typeof routes)[number], ids: Record<string, string>) => {
    const path = route.template.replace(
      /\{(\w+)\}/g,
      (_match, name: string) => ids[name] ?? 'no id for this parameter',
    );
    const body = bodies[`${route.method} ${route.template}`];
    return callRest(service, `${route.method} ${path}`, { key: mine.key, body });
  };

  for (const route of routes) {
    const name = `${route.method} ${route.template}`;
    const foreign = await probe(route, theirs.ids);
    expect(foreign.status, name).toBe(404);
    // My own path with one of their ids in it.
    for (const parameter of route.pathParameters) {
      const mixed = await probe(route, { ...mine.ids, [parameter]: theirs.ids[parameter]! });
      expect(mixed.status, `${name} with a foreign ${parameter}`).toBe(404);
      const absent = await probe(route, { ...mine.ids, [parameter]: '0193e3a0-0000-7000-8000-000000000000' });
      expect(
        JSON.parse(absent.text.replace(absent.json.requestId, mixed.json.requestId)),
        name,
      ).toStrictEqual(mixed.json);
    }
  }
  // Nothing of theirs was touched on the way: each route still answers its own key.
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const path = route.template.replace(/\{(\w+)\}/g, (_match, id: string) => theirs.ids[id]!);
    expect((await callRest(service, `GET ${path}`, { key: theirs.key })).status, route.template).toBe(200);
  }
});

test('a list holds nothing of another workspace, and a cursor of one does not open the other', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const mine = await createEverything(service, receiver.url);
  const theirs = await createEverything(service, receiver.url);
  const list = await callRest(service, 'GET /webinars', { key: mine.key });
  expect(list.json.data.map((webinar: { id: string }) => webinar.id)).toEqual([mine.ids.webinarId]);
  expect(list.text).not.toContain(theirs.ids.webinarId);
});
