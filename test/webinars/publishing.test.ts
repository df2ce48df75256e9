import { expect } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { codeOf, inMinutes, scheduleAt } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { createWorld } from '../support/world.ts';

test('a webinar without bookable sessions is not published, and the refusal says why', async ({
  service,
}) => {
  const past = { frequency: 'daily', time: '09:00', startDate: '2026-01-01', endDate: '2026-01-31' };
  const webinar = { schedule: { recurrences: [past] } };
  const world = await createWorld({ beside: { service }, publish: false, webinar });
  const refused = await world.call('POST /publish');
  expect(codeOf(refused)).toEqual([422, 'webinar_not_publishable']);
  expect(refused.json.issues).toEqual([{ path: 'schedule', message: expect.stringContaining('book') }]);
  await world.create('/sessions', { startsAt: inMinutes(5), control: 'api' });
  await world.publish();
  for (const schedule of [
    { onDemand: true },
    { justInTime: { intervalMinutes: 60 } },
    scheduleAt(inMinutes(1)),
  ])
    await createWorld({ beside: { service }, workspace: world, webinar: { schedule } });
});

test('publishing makes a bookable session, and unpublishing removes it unless it has registrations', async ({
  service,
}) => {
  const world = await createWorld({ beside: { service }, publish: false });
  const { sessionTime } = world.webinar;
  const move = (verb: string) => world.call(`POST /${verb}`);
  expect((await move('unpublish')).json.data.status).toBe('draft');

  const published = (await move('publish')).json.data;
  expect(published).toMatchObject({ status: 'published', nextSession: { startsAt: sessionTime } });
  expect((await move('publish')).json.data).toEqual(published);

  const id = await world.register();
  expect(codeOf(await move('unpublish'))).toEqual([409, 'webinar_has_registrations']);
  await world.create(`/registrations/${id}/cancel`);
  const draft = { status: 'draft', publishedAt: null, nextSession: null };
  expect((await move('unpublish')).json.data).toMatchObject(draft);
  // The cancelled registration still has its session.
  const kept = await world.call(`GET /registrations/${id}`);
  expect(kept.json.data).toMatchObject({ status: 'cancelled', sessionTime });
  expect((await move('publish')).json.data.nextSession).toMatchObject({ startsAt: sessionTime });
  await world.register();
});

test.for(['POST /archive', 'DELETE '])(
  'after %s a webinar is not found, and its coming sessions are cancelled',
  async (route, { service, world }) => {
    const { sessionId } = (await register(world)).json.data;
    expect((await world.call(route)).status).toBeLessThan(300);
    for (const gone of ['GET ', 'POST /publish', `GET /sessions/${sessionId}`])
      expect(codeOf(await world.call(gone)), gone).toEqual([404, 'webinar_not_found']);
    expect((await register(world, { email: 'late@example.com' })).status).toBe(404);
    expect((await world.rest('GET /webinars')).json.data).toEqual([]);
    const { rows } = await service.db.database.pool.query(
      'select status from webinars.session where webinar_id = $1',
      [world.webinar.id],
    );
    expect(rows).toEqual([{ status: 'cancelled' }]);
  },
);
