import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { startReceiver } from '../support/receiver.ts';
import { ruleTo } from './automation-world.ts';

const register = (
  service: TestApi,
  { key, webinar }: { key: string; webinar: { id: string; sessionTime: string } },
  email: string,
) =>
  callRest(service, `POST /webinars/${webinar.id}/registrations`, {
    key,
    body: { name: 'Ada', email, sessionTime: webinar.sessionTime },
  });

test('a rule and a subscription send the same body, each signed with its own secret', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const world = await createTestWorld(service);
  const dashboard = await openDashboard(service, world);
  const webinarId = world.webinar.id;
  const rule = await dashboard.mutate('automations.rules.create', {
    webinarId,
    ...ruleTo(receiver.url),
    name: 'To the CRM',
  });
  const webhook = await callRest(service, `POST /webinars/${webinarId}/webhooks`, {
    key: world.key,
    body: { url: receiver.url, eventTypes: ['registered'] },
  });
  expect(rule.secret).toMatch(/^whsec_/);
  expect(rule.secret).not.toBe(webhook.json.data.secret);

  const { json } = await register(service, world, 'ada@example.com');
  const [{ deliveries }] = await dashboard.query('automations.registrationDeliveries', {
    webinarId,
    registrationIds: [json.data.id],
  });
  expect(deliveries.map((delivery: { sourceName: string }) => delivery.sourceName).toSorted()).toEqual([
    'Subscription',
    'To the CRM',
  ]);
  const bodies = await Promise.all(
    deliveries.map(({ id }: { id: string }) =>
      dashboard.query('automations.delivery', { webinarId, deliveryId: id }),
    ),
  );
  expect(bodies[0].body).toBe(bodies[1].body);
  expect(JSON.parse(bodies[0].body)).toMatchObject({
    event_type: 'registered',
    attendee: { email: 'ada@example.com' },
  });
});

test('the list of subscriptions does not include rules', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const world = await createTestWorld(service);
  const dashboard = await openDashboard(service, world);
  const webinarId = world.webinar.id;
  const rule = await dashboard.mutate('automations.rules.create', { webinarId, ...ruleTo(receiver.url) });
  const list = await callRest(service, `GET /webinars/${webinarId}/webhooks`, { key: world.key });
  expect(list.json.data).toEqual([]);
  expect(
    (await callRest(service, `GET /webinars/${webinarId}/webhooks/${rule.id}`, { key: world.key })).status,
  ).toBe(404);
});

test('a rule sends nothing while it is switched off', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const world = await createTestWorld(service);
  const dashboard = await openDashboard(service, world);
  const webinarId = world.webinar.id;
  const rule = await dashboard.mutate('automations.rules.create', { webinarId, ...ruleTo(receiver.url) });
  await dashboard.mutate('automations.rules.update', { webinarId, ruleId: rule.id, enabled: false });
  const off = await register(service, world, 'off@example.com');
  await dashboard.mutate('automations.rules.update', { webinarId, ruleId: rule.id, enabled: true });
  const on = await register(service, world, 'on@example.com');
  const sent = await dashboard.query('automations.registrationDeliveries', {
    webinarId,
    registrationIds: [off.json.data.id, on.json.data.id],
  });
  expect(sent.map(({ deliveries }: { deliveries: unknown[] }) => deliveries.length)).toEqual([0, 1]);
});

test('an inactive subscription sends nothing', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const world = await createTestWorld(service);
  const at = `/webinars/${world.webinar.id}/webhooks`;
  const body = { url: receiver.url, eventTypes: ['registered'], active: false };
  const webhook = await callRest(service, `POST ${at}`, { key: world.key, body });
  await register(service, world, 'ada@example.com');
  const deliveries = await callRest(service, `GET ${at}/${webhook.json.data.id}/deliveries`, {
    key: world.key,
  });
  expect(deliveries.json.data).toEqual([]);
});

test('deleting a subscription deletes its rules and cancels its waiting deliveries', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const world = await createTestWorld(service);
  const at = `/webinars/${world.webinar.id}/webhooks`;
  const body = { url: receiver.url, eventTypes: ['registered', 'joined', 'left'] };
  const webhook = await callRest(service, `POST ${at}`, { key: world.key, body });
  await register(service, world, 'ada@example.com');
  const [waiting] = (
    await callRest(service, `GET ${at}/${webhook.json.data.id}/deliveries`, { key: world.key })
  ).json.data;
  expect(waiting.status).toBe('queued');
  const removed = await callRest(service, `DELETE ${at}/${webhook.json.data.id}`, { key: world.key });
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await callRest(service, `GET ${at}/${webhook.json.data.id}`, { key: world.key })).status).toBe(404);
  expect((await callRest(service, `DELETE ${at}/${webhook.json.data.id}`, { key: world.key })).status).toBe(
    404,
  );
  // A registration now has no effect: every rule of the subscription was deleted.
  const later = await register(service, world, 'eve@example.com');
  const dashboard = await openDashboard(service, world);
  const webinarId = world.webinar.id;
  const sent = await dashboard.query('automations.registrationDeliveries', {
    webinarId,
    registrationIds: [later.json.data.id],
  });
  expect(sent[0].deliveries).toEqual([]);
  const cancelled = await dashboard.query('automations.delivery', { webinarId, deliveryId: waiting.id });
  expect(cancelled.status).toBe('cancelled');
});

test('a forbidden URL is refused with a message, and nothing is stored', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const at = `/webinars/${world.webinar.id}/webhooks`;
  for (const url of [
    'not a url',
    'ftp://example.com',
    'https://10.0.0.1/x',
    'https://[::ffff:192.168.0.1]/',
    'https://user:pass@example.com',
    'https://169.254.169.254/latest',
  ]) {
    const answer = await callRest(service, `POST ${at}`, {
      key: world.key,
      body: { url, eventTypes: ['registered'] },
    });
    expect([answer.status, answer.json.issues[0].path], url).toEqual([422, 'url']);
  }
  expect((await callRest(service, `GET ${at}`, { key: world.key })).json.data).toEqual([]);
});

test('a member of one workspace cannot reach another through the dashboard', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const mine = await createTestWorld(service);
  const theirs = await createTestWorld(service);
  const me = await openDashboard(service, mine);
  const them = await openDashboard(service, theirs);
  const webinarId = theirs.webinar.id;
  const rule = await them.mutate('automations.rules.create', { webinarId, ...ruleTo(receiver.url) });
  const attempts = [
    me.query('webinars.get', { webinarId }),
    me.query('registrations.list', { webinarId }),
    me.query('automations.rules.list', { webinarId }),
    me.query('automations.rules.get', { webinarId, ruleId: rule.id }),
    me.query('automations.rules.reveal', { webinarId: mine.webinar.id, ruleId: rule.id }),
    me.query('automations.rules.get', { webinarId: mine.webinar.id, ruleId: rule.id }),
    me.mutate('automations.rules.delete', { webinarId: mine.webinar.id, ruleId: rule.id }),
    me.mutate('webinars.publish', { webinarId }),
  ];
  for (const result of await Promise.allSettled(attempts)) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/^(webinar|rule)_not_found$/), status: 404 },
    });
  }
  await expect(
    openDashboard(service, { ...mine, accountId: theirs.accountId }).then((spy) => spy.query('keys.list')),
  ).rejects.toThrow('sign_in_required');
});
