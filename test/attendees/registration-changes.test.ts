import { expect } from 'vitest';
import { codeOf, type TestWorld } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { countRows, register } from './registrations.ts';

const change = ({ call }: TestWorld, id: string, verb: 'cancel' | 'rotate-token') =>
  call(`POST /registrations/${id}/${verb}`);

test('a cancelled registration is kept and frees its place for the same person', async ({
  service,
  world,
}) => {
  const { data: first } = (await register(world)).json;
  const cancelled = await change(world, first.id, 'cancel');
  expect(cancelled.status).toBe(200);
  const cancelledAt = expect.stringMatching(/Z$/);
  expect(cancelled.json.data).toEqual({ ...first, status: 'cancelled', cancelledAt });
  const again = await change(world, first.id, 'cancel');
  expect([again.status, again.json]).toEqual([200, cancelled.json]);

  const second = await register(world);
  expect(second.status).toBe(201);
  expect(second.json.data.id).not.toBe(first.id);
  expect((await register(world)).json).toEqual(second.json);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(2);
});

test('rotating makes a new link, and every later answer has it', async ({ world }) => {
  const { data: first } = (await register(world)).json;
  const rotated = await change(world, first.id, 'rotate-token');
  expect(rotated.status).toBe(200);
  expect(rotated.json.data).toEqual({ ...first, tokenVersion: 2, joinUrl: rotated.json.data.joinUrl });
  expect(rotated.json.data.joinUrl).not.toBe(first.joinUrl);
  expect((await register(world)).json).toEqual(rotated.json);

  const many = await Promise.all(Array.from({ length: 10 }, () => change(world, first.id, 'rotate-token')));
  expect(new Set(many.map(({ json }) => json.data.joinUrl)).size).toBe(10);
  expect(Math.max(...many.map(({ json }) => json.data.tokenVersion))).toBe(12);

  await change(world, first.id, 'cancel');
  const refused = await change(world, first.id, 'rotate-token');
  expect(codeOf(refused)).toEqual([409, 'registration_cancelled']);
});

test('no join link is stored in the database', async ({ service, world }) => {
  const { data } = (await register(world)).json;
  const { rows } = await service.db.database.pool.query(
    'select r::text as row from attendees.registration r where id = $1',
    [data.id],
  );
  expect(rows[0].row).toContain(data.id);
  expect(rows[0].row).not.toContain(data.joinUrl.split('/').at(-1));
});

test('concurrent cancels and registrations of one person leave at most one live registration, with one event for each made', async ({
  service,
  world,
}) => {
  let { id } = (await register(world)).json.data;
  for (let round = 0; round < 8; round += 1) {
    const [cancelled, ...answers] = await Promise.all([
      change(world, id, 'cancel'),
      ...Array.from({ length: 6 }, () => register(world)),
    ]);
    expect(cancelled.status).toBe(200);
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const last = await register(world);
    id = last.json.data.id;
    if (created.length === 1) expect(id).toBe(created[0]!.json.data.id);
  }
  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as made, count(*) filter (where status <> 'cancelled')::int as live
     from attendees.registration where account_id = $1`,
    [world.accountId],
  );
  expect(rows[0].live).toBe(1);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(rows[0].made);
});
