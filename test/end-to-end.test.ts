import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from './support/api.ts';
import { eventually } from './support/eventually.ts';
import { startReceiver } from './support/receiver.ts';
import { testWorker } from './support/worker.ts';

test('a registration over REST sends the signed webhook to the receiver and records the delivery', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  await using _worker = await testWorker(service.db.url, { baseUrl: service.baseUrl });
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}`;
  const body = { url: receiver.url, eventTypes: ['registered'] };
  const { data: webhook } = (await callRest(service, `POST ${at}/webhooks`, { key, body })).json;

  const attendee = {
    name: 'Zoë “Z” Ångström',
    email: 'zoe@example.com',
    sessionTime: webinar.sessionTime,
    utm: { source: 'mail' },
  };
  const { data: registration } = (
    await callRest(service, `POST ${at}/registrations`, { key, body: attendee })
  ).json;
  const [hook] = await eventually('the webhook', () => receiver.received.length > 0 && receiver.received);

  expect(JSON.parse(hook!.body.toString())).toStrictEqual({
    event_type: 'registered',
    attendee: {
      name: 'Zoë “Z” Ångström',
      email: 'zoe@example.com',
      registration_id: registration.id,
      utm_source: 'mail',
      utm_medium: null,
      utm_campaign: null,
    },
    webinar: { id: webinar.id, title: 'Launch' },
    session: { id: registration.sessionId, starts_at: webinar.sessionTime, kind: 'scheduled' },
    event_data: { join_url: registration.joinUrl },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(hook!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Service/1.0' });

  // Two outside judges: openssl over the raw bytes, and the Standard Webhooks reference library.
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', webhook.secret], {
    input: hook!.body,
  }).toString();
  expect(hook!.headers['x-service-signature']).toBe(`sha256=${digest.trim().split(/\s+/).at(-1)}`);
  const verified = new Webhook(webhook.secret).verify(hook!.body, hook!.headers as Record<string, string>);
  expect(verified).toMatchObject({ event_type: 'registered' });

  const delivery = await eventually('the delivery to be recorded', async () => {
    const list = await callRest(service, `GET ${at}/webhooks/${webhook.id}/deliveries`, { key });
    return list.json.data[0].status === 'success' && list.json.data[0];
  });
  expect(delivery).toMatchObject({
    id: hook!.headers['webhook-id'],
    attempts: 1,
    responseCode: 200,
    responseSnippet: 'ok',
  });
  const { json } = await callRest(service, `GET ${at}/webhooks/${webhook.id}/deliveries/${delivery.id}`, {
    key,
  });
  expect(json.data).toMatchObject({ url: receiver.url, body: hook!.body.toString() });
  expect(json.data.attemptLog).toHaveLength(1);
});
