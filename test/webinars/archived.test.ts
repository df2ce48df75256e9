import { expect } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { codeOf, createTestAccount, inMinutes, type TestApi, type TestWorld } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { test } from '../support/service-test.ts';

const daily = { frequency: 'daily', time: '09:00', startDate: '2026-01-01' };

/** The sessions of the webinar that have not started, by start. */
async function sessionsOf({ db }: TestApi, { webinar }: TestWorld) {
  const { rows } = await db.database.pool.query(
    'select id, status from webinars.session where webinar_id = $1 and starts_at > now() order by starts_at',
    [webinar.id],
  );
  return rows as { id: string; status: string }[];
}

test('members read an archived webinar with its registrations, and the API answers 404 until it is restored', async ({
  service,
  world,
}) => {
  const { webinar } = world;
  const where = { webinarId: webinar.id };
  const registered = (await register(world)).json.data;
  const dashboard = await openDashboard(service, world);
  expect(await dashboard.query('webinars.listArchived', {})).toEqual([]);
  await dashboard.mutate('webinars.archive', where);

  expect(await dashboard.query('webinars.list', {})).toEqual([]);
  expect(await dashboard.query('webinars.listArchived', {})).toMatchObject([
    { id: webinar.id, status: 'archived' },
  ]);
  expect(await dashboard.query('webinars.listArchived', { q: 'no such title' })).toEqual([]);
  expect(await dashboard.query('webinars.get', where)).toMatchObject({ status: 'archived' });
  expect(await dashboard.query('registrations.list', where)).toMatchObject([{ id: registered.id }]);
  expect(await dashboard.query('sessions.listByStart', { ...where, when: 'past' })).toMatchObject([
    { id: registered.sessionId, status: 'cancelled', registrationCount: 1 },
  ]);
  for (const path of ['', '/sessions', '/registrations'])
    expect(codeOf(await world.call(`GET ${path}`)), path).toEqual([404, 'webinar_not_found']);

  expect(await dashboard.mutate('webinars.restore', where)).toMatchObject({
    status: 'draft',
    publishedAt: null,
  });
  expect((await world.call('GET ')).json.data).toMatchObject({ status: 'draft' });
  expect(await dashboard.query('webinars.listArchived', {})).toEqual([]);
});

test('nothing in an archived webinar changes but by restoring or deleting it', async ({ service, world }) => {
  const where = { webinarId: world.webinar.id };
  const { id: registrationId, sessionId } = (await register(world)).json.data;
  const dashboard = await openDashboard(service, world);
  await dashboard.mutate('webinars.archive', where);
  const startsAt = inMinutes(60);
  const cta = { type: 'cta', internalName: 'a', headline: 'a', url: 'https://a.example', buttonLabel: 'a' };
  const changes: [string, object][] = [
    ['webinars.update', { title: 'Other' }],
    ['webinars.publish', {}],
    ['webinars.duplicate', {}],
    ['webinars.archive', {}],
    ['sessions.create', { startsAt, control: 'api' }],
    ['sessions.cancel', { sessionId }],
    ['registrations.cancel', { registrationId }],
    ['registrations.rotateToken', { registrationId }],
    ['registrations.createTest', { sessionId }],
    ['interactions.create', { ...cta, showAtSeconds: 1 }],
  ];
  for (const [procedure, input] of changes)
    expect(await refusalOf(dashboard.mutate(procedure, { ...where, ...input })), procedure).toBe(
      'webinar_not_found',
    );
  expect(await dashboard.query('webinars.get', where)).toMatchObject({ title: 'Launch', status: 'archived' });
  await dashboard.mutate('webinars.delete', where);
  await expect(dashboard.query('webinars.get', where)).rejects.toThrow('webinar_not_found');
  await expect(dashboard.mutate('webinars.restore', where)).rejects.toThrow('webinar_not_found');
});

test('after a restored webinar is published, sessions with registrations stay cancelled and the others are made again', async ({
  service,
  world,
}) => {
  const where = { webinarId: world.webinar.id };
  await world.call('PATCH ', { schedule: { recurrences: [daily] } });
  const [first, second] = (await world.call('GET /session-slots')).json.data;
  const booked = await register(world, { sessionTime: first.startsAt });
  const left = await register(world, { sessionTime: second.startsAt });
  await world.call(`POST /registrations/${left.json.data.id}/cancel`);
  const dashboard = await openDashboard(service, world);
  await dashboard.mutate('webinars.archive', where);
  await dashboard.mutate('webinars.restore', where);
  await dashboard.mutate('webinars.publish', where);

  const kept = [booked, left].map(({ json }) => json.data.sessionId);
  const sessions = await sessionsOf(service, world);
  expect(sessions.filter(({ status }) => status === 'cancelled').map(({ id }) => id)).toEqual(kept);
  expect(sessions.filter(({ status }) => status === 'scheduled').length).toBeGreaterThan(10);
  const offered = (await world.call('GET /session-slots')).json.data;
  expect(offered.map(({ startsAt }: { startsAt: string }) => startsAt)).not.toContain(first.startsAt);
});

test('restoring a webinar that is not archived changes nothing, and no other workspace and no key restores one', async ({
  service,
  world,
}) => {
  const where = { webinarId: world.webinar.id };
  const dashboard = await openDashboard(service, world);
  const published = (await world.call('GET ')).json.data;
  expect(await dashboard.mutate('webinars.restore', where)).toEqual(published);
  await dashboard.mutate('webinars.archive', where);
  const stranger = await openDashboard(service, await createTestAccount(service));
  expect(await stranger.query('webinars.listArchived', {})).toEqual([]);
  for (const query of ['webinars.get', 'registrations.list'])
    expect(await refusalOf(stranger.query(query, where)), query).toBe('webinar_not_found');
  for (const mutation of ['webinars.restore', 'webinars.delete'])
    expect(await refusalOf(stranger.mutate(mutation, where)), mutation).toBe('webinar_not_found');
  expect(codeOf(await world.call('POST /restore'))[0]).toBe(404);
  expect(codeOf(await world.call('DELETE '))).toEqual([404, 'webinar_not_found']);
});
