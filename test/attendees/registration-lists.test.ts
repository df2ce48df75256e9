import { createId } from '@service/database';
import { expect } from 'vitest';
import { codeOf } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { register } from './registrations.ts';

test('registrations are filtered by e-mail, session, status and time', async ({ world }) => {
  const made = [];
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
    made.push((await register(world, { email })).json.data);
  const [a, b, c] = made;
  await world.call(`POST /registrations/${b.id}/cancel`);
  const find = async (query: string) => {
    const { status, json } = await world.call(`GET /registrations?${query}`);
    expect(status, query).toBe(200);
    return json.data.map(({ id }: { id: string }) => id);
  };

  expect(await find('email=B%40Example.com')).toEqual([b.id]);
  expect(await find('email=nobody%40example.com')).toEqual([]);
  expect(await find(`sessionId=${a.sessionId}`)).toEqual([c.id, b.id, a.id]);
  expect(await find(`sessionId=${world.webinar.id}`)).toEqual([]);
  expect(await find('status=cancelled')).toEqual([b.id]);
  expect(await find('status=registered')).toEqual([c.id, a.id]);
  expect(await find('status=registered&email=b%40example.com')).toEqual([]);
  expect(await find(`registeredFrom=${b.registeredAt}`)).toEqual([c.id, b.id]);
  expect(await find(`registeredTo=${b.registeredAt}`)).toEqual([a.id]);
  expect(await find(`registeredFrom=${b.registeredAt}&registeredTo=${c.registeredAt}`)).toEqual([b.id]);
  const page = await world.call('GET /registrations?status=registered&limit=1');
  const cursor = `status=registered&limit=1&cursor=${page.json.pagination.nextCursor}`;
  expect(await find(cursor)).toEqual([a.id]);
  const other = await world.call(`GET /registrations?${cursor}&registeredTo=2099-01-01T00:00:00Z`);
  expect(codeOf(other)).toEqual([400, 'malformed_request']);
});

test('an invalid filter is refused by name', async ({ world: { call } }) => {
  const wrong = {
    email: 'ada',
    sessionId: 'x',
    status: 'late',
    registeredFrom: 'today',
    registeredTo: '2026',
    q: '%20',
    source: 'fax',
  };
  for (const [name, value] of Object.entries(wrong)) {
    const { status, json } = await call(`GET /registrations?${name}=${value}`);
    expect([status, json.issues], name).toMatchObject([422, [{ path: name }]]);
  }
});

test('the timeline of a registrant has their events only, newest first, page by page', async ({
  service,
  world,
}) => {
  const { data: registration } = (await register(world)).json;
  await register(world, { email: 'other@example.com' });
  for (const type of ['joined', 'left', 'joined']) {
    await service.db.database.pool.query(
      `insert into attendees.attendee_event
         (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
       values ($1, $2, $3, $4, $5, $6, now(), '{"reason": "closed"}')`,
      [world.accountId, createId(), world.webinar.id, registration.sessionId, registration.id, type],
    );
  }
  const at = `GET /registrations/${registration.id}/events`;
  const first = await world.call(`${at}?limit=3`);
  expect(first.json.data.map(({ type }: { type: string }) => type)).toEqual(['joined', 'left', 'joined']);
  expect(first.json.data[0].data).toEqual({ reason: 'closed' });
  const { nextCursor } = first.json.pagination;
  const second = await world.call(`${at}?limit=3&cursor=${nextCursor}`);
  expect(second.json).toEqual({
    data: [{ id: expect.any(String), type: 'registered', occurredAt: registration.registeredAt, data: {} }],
    pagination: { nextCursor: null, hasMore: false },
  });
});
