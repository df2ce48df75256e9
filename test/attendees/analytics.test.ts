import { expect, test } from 'vitest';
import { callRest, createTestKey } from '../support/api.ts';
import { createWorld } from '../support/world.ts';

const copy = `
  insert into attendees.registration
  select (jsonb_populate_record(r, jsonb_build_object('email', n || '@example.com', 'id',
    (lpad(to_hex(n), 12, '0') || '7' || left(md5(n::text), 3) || '8' || substr(md5(n::text), 4, 15))::uuid))).*
  from attendees.registration r cross join generate_series(1, 5200) n where r.id = $1`;

test('results of 5,201 registrations are read in two pages and kept for a minute; those of 101 are counted each time', async () => {
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  const ada = await world.attend();
  await pool.query(`${copy} and n <= 100`, [ada.registrationId]);
  const session = `/sessions/${ada.sessionId}/analytics`;
  expect(await world.get(session)).toMatchObject({ registered: 101 });
  await pool.query(`${copy} and n > 100`, [ada.registrationId]);
  const [[first, ...others], ofSession] = [
    await Promise.all(Array.from({ length: 4 }, () => world.get('/analytics'))),
    await world.get(session),
  ];
  // Calls at one time share a count.
  expect(others.map(({ countedAt }) => countedAt)).toEqual(others.map(() => first.countedAt));
  expect(first).toMatchObject({ registered: 5201, countedRegistrations: 5201, isComplete: true });
  expect(first.sessions).toMatchObject([{ sessionId: ada.sessionId, registered: 5201 }]);
  expect(ofSession).toMatchObject({ registered: 5201 });
  await world.register('bob@example.com');
  expect(await world.get('/analytics')).toMatchObject({ registered: 5201, countedAt: first.countedAt });
});

test('a key without revenue:read gets no revenue, also after a key with it has counted, and a session of another webinar is not found', async () => {
  await using world = await createWorld();
  await using neighbour = await world.neighbour();
  const ada = await world.attend();
  expect(await world.get('/analytics')).toMatchObject({ revenue: { buyers: 0, sums: [] } });
  const { key } = await createTestKey(world.service, world.accountId, { scopes: ['webinars:read'] });
  const path = `GET /webinars/${world.webinar.id}/analytics`;
  expect((await callRest(world.service, path, { key })).json.data).toMatchObject({
    registered: 1,
    revenue: null,
  });
  const wrong = [
    await neighbour.rest(path),
    await neighbour.call(`GET /sessions/${ada.sessionId}/analytics`),
    await neighbour.rest(`GET /webinars/${world.webinar.id}/sessions/${ada.sessionId}/analytics`),
  ];
  expect(wrong.map(({ json }) => json.code)).toEqual([
    'webinar_not_found',
    'session_not_found',
    'webinar_not_found',
  ]);
});
