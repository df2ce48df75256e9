import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { countRows, register } from './registrations.ts';

const change = (service: TestApi, { key, webinar }: TestWorld, id: string, verb: 'cancel' | 'rotate-token') =>
  callRest(service, `POST /webinars/${webinar.id}/registrations/${id}/${verb}`, { key });

test('a cancelled registration is kept and frees its place for the same person', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { data: first } = (await register(service, world)).json;
  const cancelled = await change(service, world, first.id, 'cancel');
  expect(cancelled.status).toBe(200);
  expect(cancelled.json.data).toEqual({
    ...first,
    status: 'cancelled',
    cancelledAt: expect.stringMatching(/Z$/),
  });
  const again = await change(service, world, first.id, 'cancel');
  expect([again.status, again.json]).toEqual([200, cancelled.json]);

  const second = await register(service, world);
  expect(second.status).toBe(201);
  expect(second.json.data.id).not.toBe(first.id);
  expect((await register(service, world)).json).toEqual(second.json);
  expect(await countRows(service, 'attendees.attendee_event')).toBe(2);
});

test('rotating makes a new link, and every later answer has it', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { data: first } = (await register(service, world)).json;
  const rotated = await change(service, world, first.id, 'rotate-token');
  expect(rotated.status).toBe(200);
  expect(rotated.json.data).toEqual({ ...first, tokenVersion: 2, joinUrl: rotated.json.data.joinUrl });
  expect(rotated.json.data.joinUrl).not.toBe(first.joinUrl);
  expect((await register(service, world)).json).toEqual(rotated.json);

  const many = await Promise.all(
    Array.from({ length: 10 }, () => change(service, world, first.id, 'rotate-token')),
  );
  expect(new Set(many.map(({ json }) => json.data.joinUrl)).size).toBe(10);
  expect(Math.max(...many.map(({ json }) => json.data.tokenVersion))).toBe(12);

  await change(service, world, first.id, 'cancel');
  const refused = await change(service, world, first.id, 'rotate-token');
  expect([refused.status, refused.json.code]).toEqual([409, 'registration_cancelled']);
});

test('no join link is stored in the database', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { data } = (await register(service, world)).json;
  const { rows } = await service.db.database.pool.query(
    'select r::text as row from attendees.registration r',
  );
  expect(rows[0].row).toContain(data.id);
  expect(rows[0].row).not.toContain(data.joinUrl.split('/').at(-1));
});

test('concurrent cancels and registrations of one person leave at most one live registration, with one event for each made', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  let { id } = (await register(service, world)).json.data;
  for (let round = 0; round < 8; round += 1) {
    const [cancelled, ...answers] = await Promise.all([
      change(service, world, id, 'cancel'),
      ...Array.from({ length: 6 }, () => register(service, world)),
    ]);
    expect(cancelled.status).toBe(200);
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const last = await register(service, world);
    id = last.json.data.id;
    if (created.length === 1) expect(id).toBe(created[0]!.json.data.id);
  }
  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as made, count(*) filter (where status <> 'cancelled')::int as live from attendees.registration`,
  );
  expect(rows[0].live).toBe(1);
  expect(await countRows(service, 'attendees.attendee_event')).toBe(rows[0].made);
});
