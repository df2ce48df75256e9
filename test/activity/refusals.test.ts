import { expect } from 'vitest';
import { callRest, createTestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { test } from '../support/service-test.ts';

/** A value that no table may contain. */
const secret = 'correct-horse-battery-staple';

test('a refused call says why: its code, the names of the refused fields, and facts about the sender', async ({
  service,
  world,
}) => {
  const path = `/webinars/${world.webinar.id}/registrations`;
  const refused = await callRest(service, `POST ${path}`, {
    key: world.key,
    body: { email: secret, name: 7, nickname: secret, utm: { source: secret.repeat(50) } },
    headers: { 'User-Agent': 'crm-sync/1.0', 'Idempotency-Key': 'order-17' },
  });
  expect(refused.status).toBe(422);
  await callRest(service, 'GET /webinars', { key: world.key, headers: { 'User-Agent': 'crm-sync/1.0' } });
  await service.api.service.activity.flush();

  const dashboard = await openDashboard(service, world);
  const [success, failure] = await dashboard.query('activity.list', {});
  expect(failure).toMatchObject({
    status: 422,
    errorCode: 'validation_failed',
    userAgent: 'crm-sync/1.0',
    idempotencyKey: 'order-17',
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
  const named: string[] = refused.json.issues.map(({ path: name }: { path: string }) => name);
  expect(failure.refusedFields).toEqual(named);
  const messages: string[] = refused.json.issues.map(({ message }: { message: string }) => message);
  expect(failure.refusedMessages).toEqual(messages);
  expect(named).toEqual(expect.arrayContaining(['email', 'name', 'nickname', 'utm.source']));
  expect(success).toMatchObject({ status: 200, errorCode: null, refusedFields: [], refusedMessages: [] });
  expect(await dashboard.query('activity.list', { errorCode: 'validation_failed' })).toEqual([failure]);
});

test('the replay of a kept refusal has the code and the fields of the refusal', async ({ service }) => {
  const { key, webinar, ...account } = await createTestWorld(service);
  const refuse = () =>
    callRest(service, `POST /webinars/${webinar.id}/registrations`, {
      key,
      body: { email: 'a@example.com', name: 'A', sessionTime: '2030-01-01T00:00:30Z' },
      headers: { 'Idempotency-Key': 'the-same' },
    });
  const [first, second] = [await refuse(), await refuse()];
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  await service.api.service.activity.flush();
  const dashboard = await openDashboard(service, account);
  const [replay, original] = await dashboard.query('activity.list', {});
  expect(replay.replayed).toBe(true);
  expect(original.errorCode).toBe(first.json.code);
  const reasonOf = ({ errorCode, refusedFields, refusedMessages }: typeof original) => [
    errorCode,
    refusedFields,
    refusedMessages,
  ];
  expect(reasonOf(replay)).toEqual(reasonOf(original));
  expect(original.refusedMessages).toHaveLength(original.refusedFields.length);
});

test('no value of a refused call is kept, in any field', async ({
  service,
  world: { accountId, key, webinar },
}) => {
  const bodies = {
    'POST /webinars': {
      title: { text: secret },
      slug: `${secret}!`,
      timezone: secret,
      video: { url: secret },
    },
    [`POST /webinars/${webinar.id}/webhooks`]: { url: `ftp://${secret}`, eventTypes: [secret] },
    [`POST /webinars/${webinar.id}/registrations`]: {
      email: secret,
      name: [secret],
      customFields: { a: secret },
    },
    [`PATCH /webinars/${webinar.id}/mails`]: {
      templates: { confirmation: { subject: `Hello {{${secret}}}`, text: `{{${secret}}}` } },
    },
    [`POST /webinars/${webinar.id}/automations`]: {
      name: 1,
      trigger: { type: secret, params: { minutes: secret } },
    },
  };
  for (const [route, body] of Object.entries(bodies)) {
    expect((await callRest(service, route, { key, body })).status, route).toBe(422);
    await callRest(service, `GET /webinars?q=${secret}&cursor=${secret}`, { key });
  }
  await service.api.service.activity.flush();
  const { rows } = await service.db.database.pool.query<{ row: string }>(
    `select row_to_json(call)::text as row from activity.api_call call where account_id = $1`,
    [accountId],
  );
  expect(rows).toHaveLength(10);
  expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  expect(rows.filter(({ row }) => row.includes('"error_code":"validation_failed"'))).toHaveLength(5);
});
