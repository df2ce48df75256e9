import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';

test('a subscription is made with its one-time secret, and registering an attendee queues a delivery to it', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const { key, webinar } = await createTestWorld(service);

  const created = await callRest(service, `POST /webinars/${webinar.id}/webhooks`, {
    key,
    body: { url: receiver.url, eventTypes: ['cta_click', 'registered', 'registered'] },
  });
  expect(created.status).toBe(201);
  expect(created.json.data).toMatchObject({
    webinarId: webinar.id,
    url: receiver.url,
    eventTypes: ['registered', 'cta_click'],
    active: true,
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(created.headers.get('location')).toBe(
    `/api/v1/webinars/${webinar.id}/webhooks/${created.json.data.id}`,
  );

  const registered = await callRest(service, `POST /webinars/${webinar.id}/registrations`, {
    key,
    body: { name: 'Ada', email: ' Ada@Example.com ', sessionTime: webinar.sessionTime },
  });
  expect(registered.status).toBe(201);
  expect(registered.json.data).toMatchObject({ name: 'Ada', email: 'ada@example.com', source: 'api' });

  const deliveries = await callRest(
    service,
    `GET /webinars/${webinar.id}/webhooks/${created.json.data.id}/deliveries`,
    { key },
  );
  expect(deliveries.status).toBe(200);
  expect(deliveries.json.data).toHaveLength(1);
  expect(deliveries.json.data[0]).toMatchObject({ eventType: 'registered', status: 'queued', attempts: 0 });

  const fetched = await callRest(service, `GET /webinars/${webinar.id}/webhooks/${created.json.data.id}`, {
    key,
  });
  expect(fetched.json.data.secretLast4).toBe(created.json.data.secret.slice(-4));
  expect(fetched.text).not.toContain(created.json.data.secret);
});
