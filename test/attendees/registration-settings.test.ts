import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  inMinutes,
  scheduleAt,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { countRows, register, registerMany } from './registrations.ts';

/** A published webinar with a session in an hour, and a key for it. `settings` as in POST /webinars. */
async function createWorld(service: TestApi, settings: object) {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const sessionTime = inMinutes(60);
  const body = { title: 'Launch', schedule: scheduleAt(sessionTime), ...settings };
  const { data } = (await callRest(service, 'POST /webinars', { key, body })).json;
  await callRest(service, `POST /webinars/${data.id}/publish`, { key });
  return { key, webinar: { id: data.id, sessionTime } };
}

test('required form fields must be given, and unknown fields are refused by name', async () => {
  await using service = await testApi();
  const fields = [
    { key: 'company', label: 'Company', type: 'text', required: true },
    { key: 'size', label: 'Size', type: 'select', options: ['small', 'large'] },
  ];
  const world = await createWorld(service, { registrationForm: { fields } });
  const refused = await register(service, world, { customFields: { size: 'huge', colour: 'red' } });
  expect([refused.status, refused.json.code]).toEqual([422, 'validation_failed']);
  expect(refused.json.issues).toEqual([
    { path: 'customFields.colour', message: 'Unknown field.' },
    { path: 'customFields.company', message: 'Required.' },
    { path: 'customFields.size', message: 'Must be one of: small, large.' },
  ]);
  const bulk = await registerMany(service, world, [{ email: 'ada@example.com' }]);
  expect(bulk.json.data[0].error.issues).toEqual([{ path: 'customFields.company', message: 'Required.' }]);
  const customFields = { company: 'Analytical Engines', size: 'small' };
  const registered = await register(service, world, { customFields });
  expect([registered.status, registered.json.data.customFields]).toEqual([201, customFields]);
});

test('a full session refuses new people, keeps those with a place, and has a place again after a cancellation', async () => {
  await using service = await testApi();
  const world = await createWorld(service, { registrationForm: { capacityPerSession: 2 } });
  const { data: first } = (await register(service, world, { email: 'a@example.com' })).json;
  const rows = ['a', 'b', 'c', 'b'].map((name) => ({ email: `${name}@example.com` }));
  const bulk = await registerMany(service, world, rows);
  expect(bulk.json.data.map(({ status }: { status: string }) => status)).toEqual([
    'existing',
    'created',
    'error',
    'existing',
  ]);
  expect(bulk.json.data[2].error.code).toBe('session_full');
  const refused = await register(service, world, { email: 'c@example.com' });
  expect([refused.status, refused.json.code]).toEqual([409, 'session_full']);
  expect((await register(service, world, { email: 'a@example.com' })).status).toBe(200);
  await callRest(service, `POST /webinars/${world.webinar.id}/registrations/${first.id}/cancel`, {
    key: world.key,
  });
  expect((await register(service, world, { email: 'c@example.com' })).status).toBe(201);
});

test('concurrent calls for the last places never exceed the capacity', async () => {
  await using service = await testApi();
  const world = await createWorld(service, { registrationForm: { capacityPerSession: 7 } });
  const rows = Array.from({ length: 10 }, (_unused, number) => ({ email: `row${number}@example.com` }));
  const [, , ...singles] = await Promise.all([
    registerMany(service, world, rows),
    registerMany(service, world, rows.toReversed()),
    ...rows.map((_row, number) => register(service, world, { email: `single${number}@example.com` })),
  ]);
  expect(singles.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect(await countRows(service, 'attendees.registration')).toBe(7);
  expect(await countRows(service, 'attendees.attendee_event')).toBe(7);
});

test('an on-demand webinar needs no sessionTime, alone or in a batch', async () => {
  await using service = await testApi();
  const world = await createWorld(service, { schedule: { onDemand: true } });
  const alone = await register(service, world, { sessionTime: undefined });
  expect(alone.status).toBe(201);
  const bulk = await registerMany(service, world, [
    { email: 'b@example.com', sessionTime: undefined },
    { email: 'c@example.com', sessionTime: alone.json.data.sessionTime },
  ]);
  expect(bulk.json.summary).toEqual({ created: 2, existing: 0, failed: 0 });
});
