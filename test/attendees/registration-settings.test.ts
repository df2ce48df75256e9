import { expect } from 'vitest';
import { codeOf } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { createWorld } from '../support/world.ts';
import { countRows, register, registerMany } from './registrations.ts';

test('required form fields must be given, and unknown fields are refused by name', async ({ service }) => {
  const fields = [
    { key: 'company', label: 'Company', type: 'text', required: true },
    { key: 'size', label: 'Size', type: 'select', options: ['small', 'large'] },
  ];
  const world = await createWorld({ beside: { service }, webinar: { registrationForm: { fields } } });
  const refused = await register(world, { customFields: { size: 'huge', colour: 'red' } });
  expect(codeOf(refused)).toEqual([422, 'validation_failed']);
  expect(refused.json.issues).toEqual([
    { path: 'customFields.colour', message: 'Unknown field.' },
    { path: 'customFields.company', message: 'Required.' },
    { path: 'customFields.size', message: 'Must be one of: small, large.' },
  ]);
  const bulk = await registerMany(world, [{ email: 'ada@example.com' }]);
  expect(bulk.json.data[0].error.issues).toEqual([{ path: 'customFields.company', message: 'Required.' }]);
  const customFields = { company: 'Analytical Engines', size: 'small' };
  const registered = await register(world, { customFields });
  expect([registered.status, registered.json.data.customFields]).toEqual([201, customFields]);
});

test('a full session refuses new people, keeps those with a place, and has a place again after a cancellation', async ({
  service,
}) => {
  const world = await createWorld({
    beside: { service },
    webinar: { registrationForm: { capacityPerSession: 2 } },
  });
  const { data: first } = (await register(world, { email: 'a@example.com' })).json;
  const rows = ['a', 'b', 'c', 'b'].map((name) => ({ email: `${name}@example.com` }));
  const bulk = await registerMany(world, rows);
  const [existing, created] = [{ status: 'existing' }, { status: 'created' }];
  const full = { status: 'error', error: { code: 'session_full' } };
  expect(bulk.json.data).toMatchObject([existing, created, full, existing]);
  expect(codeOf(await register(world, { email: 'c@example.com' }))).toEqual([409, 'session_full']);
  expect((await register(world, { email: 'a@example.com' })).status).toBe(200);
  await world.create(`/registrations/${first.id}/cancel`);
  expect((await register(world, { email: 'c@example.com' })).status).toBe(201);
});

test('concurrent calls for the last places never exceed the capacity', async ({ service }) => {
  const world = await createWorld({
    beside: { service },
    webinar: { registrationForm: { capacityPerSession: 7 } },
  });
  const rows = Array.from({ length: 10 }, (_unused, number) => ({ email: `row${number}@example.com` }));
  const [, , ...singles] = await Promise.all([
    registerMany(world, rows),
    registerMany(world, rows.toReversed()),
    ...rows.map((_row, number) => register(world, { email: `single${number}@example.com` })),
  ]);
  expect(singles.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect(await countRows(service, world, 'attendees.registration')).toBe(7);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(7);
});

test('an on-demand webinar needs no sessionTime, alone or in a batch', async ({ service }) => {
  const world = await createWorld({ beside: { service }, webinar: { schedule: { onDemand: true } } });
  const alone = await register(world, { sessionTime: undefined });
  expect(alone.status).toBe(201);
  const bulk = await registerMany(world, [
    { email: 'b@example.com', sessionTime: undefined },
    { email: 'c@example.com', sessionTime: alone.json.data.sessionTime },
  ]);
  expect(bulk.json.summary).toEqual({ created: 2, existing: 0, failed: 0 });
});
