import { expect } from 'vitest';
import { callRest, createTestKey } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { test } from './automation-world.ts';

const linkOf = (body: string | Buffer): string => JSON.parse(body.toString()).event_data.join_url;

test('each try sends the join link of its moment, and neither the body nor an answer that repeats it is stored with a link', async ({
  world,
}) => {
  let isBroken = true;
  // Repeats the body: as it is, as PHP writes it, and cut off within the link.
  await using receiver = await startReceiver((_request, response) => {
    const body = receiver.received.at(-1)!.body.toString();
    response.statusCode = isBroken ? 500 : 200;
    response.setHeader('x-cut', linkOf(body).slice(0, -1));
    response.end(`${body.replaceAll('/', '\\/')} ${body}`);
  });
  const { service } = world;
  const { baseUrl } = service;
  const { id: webhookId } = await world.subscribe(receiver.url);
  const at = `/webhooks/${webhookId}/deliveries`;
  const registrationId = await world.register();
  const { joinUrl: first } = await world.get(`/registrations/${registrationId}`);
  await using _worker = await testWorker(service.db.url, { baseUrl, retryScheduleSeconds: [0, 3600] });
  const { id } = await world.untilNewest(at, 'retrying');

  const { joinUrl: second } = await world.create(`/registrations/${registrationId}/rotate-token`);
  isBroken = false;
  await world.call(`POST ${at}/${id}/redeliver`);
  const redelivery = await world.untilNewest(at, 'success');
  expect(receiver.received.map(({ body }) => linkOf(body))).toEqual([first, second]);

  // Shown with the present link, and only to those who may read registrations.
  const shown = await world.get(`${at}/${redelivery.id}`);
  expect(shown.body).toBe(receiver.received[1]!.body.toString());
  expect(linkOf((await world.get(`${at}/${id}`)).body)).toBe(second);
  const { key } = await createTestKey(service, world.accountId, { scopes: ['automations:read'] });
  const hidden = await callRest(service, `GET /webinars/${world.webinar.id}${at}/${id}`, { key });
  expect(hidden.json.data).toMatchObject({ body: null, responseSnippet: null });

  const answer = await eventually('the attempts', async () => {
    const { rows } = await service.db.database.pool.query(
      `select (select array_agg(b::text) from deliveries.body b) as bodies, (select array_agg(a::text) from deliveries.attempt a) as attempts`,
    );
    return rows[0].attempts?.length === 2 && rows[0];
  });
  expect(answer.bodies).toHaveLength(2);
  for (const text of answer.bodies) expect(text).not.toContain('join_url');
  for (const text of answer.attempts) expect(text.match(/\{join_url\}/gu)).toHaveLength(3);
  const start = first.slice(first.lastIndexOf('/') + 1).slice(0, 16);
  expect(JSON.stringify(answer)).not.toContain(start);
});

test('the link of an attendee whose name looks like the empty member is added once, in its own place', async ({
  world,
  receiver,
}) => {
  await world.subscribe(receiver.url);
  const { baseUrl } = world.service;
  await using _worker = await testWorker(world.service.db.url, { baseUrl });
  const name = '"event_data":{} $& {join_url}';
  const id = await world.register('ada@example.com', { name });
  const { joinUrl } = await world.get(`/registrations/${id}`);
  const [hook] = await eventually('the webhook', () => receiver.received.length > 0 && receiver.received);
  expect(JSON.parse(hook!.body.toString())).toMatchObject({
    attendee: { name },
    event_data: { join_url: joinUrl },
  });
});
