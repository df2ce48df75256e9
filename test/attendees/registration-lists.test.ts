import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { register } from './registrations.ts';

test('registrations are filtered by e-mail, session, status and time', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const at = `/webinars/${world.webinar.id}/registrations`;
  const made = [];
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
    made.push((await register(service, world, { email })).json.data);
  const [a, b, c] = made;
  await callRest(service, `POST ${at}/${b.id}/cancel`, { key: world.key });
  const find = async (query: string) => {
    const { status, json } = await callRest(service, `GET ${at}?${query}`, { key: world.key });
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
});

test('a cursor works with its own filters and is refused with others', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const at = `/webinars/${world.webinar.id}/registrations`;
  const { data: first } = (await register(service, world, { email: 'a@example.com' })).json;
  const { data: second } = (await register(service, world, { email: 'b@example.com' })).json;
  const get = (query: string) => callRest(service, `GET ${at}?limit=1&${query}`, { key: world.key });
  const page = await get('status=registered');
  expect(page.json.data[0].id).toBe(second.id);
  const cursor = page.json.pagination.nextCursor;
  const next = await get(`status=registered&registeredTo=2099-01-01T00:00:00Z&cursor=${cursor}`);
  expect([next.status, next.json.code]).toEqual([400, 'malformed_request']);
  const rest = await get(`status=registered&cursor=${cursor}`);
  expect(rest.json.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
});

test('an invalid filter is refused by name', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (const query of [
    'email=ada',
    'sessionId=x',
    'status=late',
    'registeredFrom=today',
    'registeredTo=2026',
    'q=%20',
    'source=fax',
  ]) {
    const answer = await callRest(service, `GET /webinars/${webinar.id}/registrations?${query}`, { key });
    expect(answer.status, query).toBe(422);
    expect(JSON.stringify(answer.json.issues), query).toContain(query.split('=')[0]);
  }
});

test('the timeline of a registrant has their events only, newest first, page by page', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { data: registration } = (await register(service, world)).json;
  await register(service, world, { email: 'other@example.com' });
  for (const type of ['joined', 'left', 'joined']) {
    await service.db.database.pool.query(
      `insert into attendees.attendee_event
         (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
       values ($1, $2, $3, $4, $5, $6, now(), '{"reason": "closed"}')`,
      [world.accountId, createId(), world.webinar.id, registration.sessionId, registration.id, type],
    );
  }
  const at = `/webinars/${world.webinar.id}/registrations/${registration.id}/events`;
  const first = await callRest(service, `GET ${at}?limit=3`, { key: world.key });
  expect(first.json.data.map(({ type }: { type: string }) => type)).toEqual(['joined', 'left', 'joined']);
  expect(first.json.data[0].data).toEqual({ reason: 'closed' });
  const { nextCursor } = first.json.pagination;
  const second = await callRest(service, `GET ${at}?limit=3&cursor=${nextCursor}`, { key: world.key });
  expect(second.json).toEqual({
    data: [{ id: expect.any(String), type: 'registered', occurredAt: registration.registeredAt, data: {} }],
    pagination: { nextCursor: null, hasMore: false },
  });
});
