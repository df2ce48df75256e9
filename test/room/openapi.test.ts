import { roomOperations } from '@service/composition';
import type { OpenApiDocument } from '@service/rest';
import { expect, test } from 'vitest';
import { createContract } from '../support/contract.ts';
import { createWorld } from '../support/world.ts';
import { createFork } from '../webinars/adaptive-world.ts';

test('every call of the room is answered as its document says, without further fields', async () => {
  await using world = await createWorld({ publish: false, webinar: { kind: 'adaptive' } });
  const { accountId, key, webinar, create, rest, service } = world;
  const fork = await createFork({ accountId, key, webinarId: webinar.id, create, call: rest });
  await world.publish();
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const poll = await world.interaction({ type: 'poll', options, results: 'live' });
  const price = { priceMinor: 7900, currency: 'EUR', countdownSeconds: 60 };
  const offer = await world.interaction({
    type: 'offer',
    url: 'https://shop.example/',
    buttonLabel: 'Buy',
    ...price,
  });
  const served = await fetch(`${service.baseUrl}/api/v1/room/openapi.json`);
  expect(served.headers.get('access-control-allow-origin')).toBe('*');
  const { document, problemsOfValue } = createContract((await served.json()) as OpenApiDocument);
  const [ada, gone] = [await world.attend(), await world.attend('bob@example.com')];
  world.startSession();
  const { visitId } = (await ada.visit()).json;
  await ada.say('Hello');
  const beat = { visitId, playheadSeconds: 1, intervals: [[0, 1]], state: 'playing' };
  const bodies: Record<string, unknown> = {
    changeSession: { sessionTime: world.webinar.sessionTime },
    requestLink: { token: ada.token, email: 'ada@example.com' },
    sendHeartbeat: { ...beat, seq: 1, interactionsVersion: 'old' },
    leave: { ...beat, seq: 2 },
    answerPoll: { optionId: 'yes' },
    takeBranch: { visitId },
    sendMessage: { text: 'Again' },
  };
  const ids: Record<string, string> = {
    recordClick: offer,
    recordView: offer,
    answerPoll: poll,
    takeBranch: fork['intro>long']!,
  };
  const called = [];
  // The feed last, when it has items of each kind. A joined attendee cannot change their registration.
  const order = new Set(['changeSession', 'cancelRegistration']);
  for (const { id, method, path, status, output } of roomOperations) {
    const person = order.has(id) ? gone : ada;
    const url = path.replace('{join}', person.token).replace('{id}', ids[id] ?? '');
    const answer = await fetch(service.baseUrl + url, {
      method: method.toUpperCase(),
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: method === 'post' ? JSON.stringify(bodies[id] ?? {}) : null,
    });
    const text = await answer.text();
    expect(answer.status, `${id} ${text}`).toBe(status);
    // oxlint-disable-next-line typescript/no-explicit-any -- the document is JSON
    const { responses } = (document.paths[path] as any)[method];
    const media = responses[status].content?.['application/json'];
    expect(media !== undefined, id).toBe(output !== undefined);
    if (media) expect(problemsOfValue(media.schema, JSON.parse(text)), id).toEqual([]);
    called.push(`${method} ${path}`);
  }
  expect(called.toSorted()).toEqual(
    Object.entries(document.paths)
      .flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`))
      .toSorted(),
  );
  const docs = (await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).text()).includes(
    '/api/v1/room/openapi.json',
  );
  expect(docs).toBe(true);
});
