import { listRoutes } from '@service/rest';
import { expect, test } from 'vitest';
import { callRest, testApi } from '../support/api.ts';
import { createEverything, ownerOf, pathOf } from '../support/everything.ts';
import { startReceiver } from '../support/receiver.ts';

test('a path with an id of another workspace answers like a path with an unknown id', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const mine = await createEverything(service, receiver.url);
  const theirs = await createEverything(service, receiver.url);
  const routes = listRoutes(service.api.service.router).filter((route) => route.pathParameters.length > 0);
  expect(routes.length).toBeGreaterThan(60);

  for (const route of routes) {
    const name = `${route.method} ${route.template}`;
    const probe = (ids: Record<string, string>) =>
      callRest(service, `${route.method} ${pathOf(route.template, ids)}`, {
        key: mine.key,
        body: mine.bodies[name],
        headers: { 'X-Request-Id': 'same' },
      });
    for (const parameter of route.pathParameters.filter((each) => each.endsWith('Id'))) {
      const id = ownerOf(route.template, parameter) ?? parameter;
      const foreign = await probe({ ...mine.ids, [id]: theirs.ids[id]! });
      const absent = await probe({ ...mine.ids, [id]: '0193e3a0-0000-7000-8000-000000000000' });
      expect(foreign.status, `${name} with a foreign ${parameter}`).toBe(404);
      expect(foreign.text, name).toBe(absent.text);
    }
  }
});

test('a list has no rows of another workspace, and a cursor works in its own workspace only', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const mine = await createEverything(service, receiver.url);
  const theirs = await createEverything(service, receiver.url);
  const list = await callRest(service, 'GET /webinars', { key: mine.key });
  expect(list.json.data.map((webinar: { id: string }) => webinar.id)).toEqual([mine.ids['webinarId']]);
  expect(list.text).not.toContain(theirs.ids['webinarId']);

  await callRest(service, 'POST /webinars', { key: theirs.key, body: { title: 'Second' } });
  const first = await callRest(service, 'GET /webinars?limit=1', { key: theirs.key });
  const cursor = first.json.pagination.nextCursor;
  const stolen = await callRest(service, `GET /webinars?limit=1&cursor=${cursor}`, { key: mine.key });
  expect(stolen.text).not.toContain(theirs.ids['webinarId']);
});
