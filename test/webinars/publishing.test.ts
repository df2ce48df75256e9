import { listRoutes } from '@service/rest';
import { expect, test } from 'vitest';
import { callRest, codeOf, createTestWorld, inMinutes, scheduleAt, testApi } from '../support/api.ts';
import { register } from '../attendees/registrations.ts';
import { createDraft, keyOf } from './drafts.ts';

test('a webinar without bookable sessions is not published, and the refusal says why', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const past = { frequency: 'daily', time: '09:00', startDate: '2026-01-01', endDate: '2026-01-31' };
  const { id } = await createDraft(service, key, { schedule: { recurrences: [past] } });
  const refused = await callRest(service, `POST /webinars/${id}/publish`, { key });
  expect(codeOf(refused)).toEqual([422, 'webinar_not_publishable']);
  expect(refused.json.issues).toEqual([{ path: 'schedule', message: expect.stringContaining('book') }]);

  const ways = [
    { schedule: { onDemand: true } },
    { schedule: { justInTime: { intervalMinutes: 60 } } },
    { schedule: scheduleAt(inMinutes(1)) },
  ];
  for (const way of ways) {
    const draft = await createDraft(service, key, way);
    expect((await callRest(service, `POST /webinars/${draft.id}/publish`, { key })).status).toBe(200);
  }
  await callRest(service, `POST /webinars/${id}/sessions`, {
    key,
    body: { startsAt: inMinutes(5), control: 'api' },
  });
  expect((await callRest(service, `POST /webinars/${id}/publish`, { key })).status).toBe(200);
});

test('publishing makes a bookable session, and unpublishing removes it unless it has registrations', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const sessionTime = inMinutes(60);
  const draft = await createDraft(service, key, { schedule: scheduleAt(sessionTime) });
  const move = (verb: string) => callRest(service, `POST /webinars/${draft.id}/${verb}`, { key });
  expect((await move('unpublish')).json.data.status).toBe('draft');

  const published = (await move('publish')).json.data;
  expect(published).toMatchObject({ status: 'published', nextSession: { startsAt: sessionTime } });
  const again = (await move('publish')).json.data;
  expect(again).toEqual(published);

  const { json } = await register(service, { key, webinar: { id: draft.id, sessionTime } });
  expect(codeOf(await move('unpublish'))).toEqual([409, 'webinar_has_registrations']);
  await callRest(service, `POST /webinars/${draft.id}/registrations/${json.data.id}/cancel`, { key });
  expect((await move('unpublish')).json.data).toMatchObject({
    status: 'draft',
    publishedAt: null,
    nextSession: null,
  });
  // The cancelled registration still has its session.
  const kept = await callRest(service, `GET /webinars/${draft.id}/registrations/${json.data.id}`, { key });
  expect(kept.json.data).toMatchObject({ status: 'cancelled', sessionTime });

  expect((await move('publish')).json.data.nextSession).toMatchObject({ startsAt: sessionTime });
  expect((await register(service, { key, webinar: { id: draft.id, sessionTime } })).status).toBe(201);
});

test.each(['archive', 'delete'])(
  'after %s a webinar and everything below it is 404, and its coming sessions are cancelled',
  async (verb) => {
    await using service = await testApi();
    const world = await createTestWorld(service);
    const { key, webinar } = world;
    const registration = (await register(service, world)).json.data;
    const ids: Record<string, string> = {
      webinarId: webinar.id,
      sessionId: registration.sessionId,
      registrationId: registration.id,
    };
    if (verb === 'archive') {
      const archived = await callRest(service, `POST /webinars/${webinar.id}/archive`, { key });
      expect([archived.status, archived.json.data.status]).toEqual([200, 'archived']);
    } else {
      expect((await callRest(service, `DELETE /webinars/${webinar.id}`, { key })).status).toBe(204);
    }

    const bodies: Record<string, unknown> = {
      'PATCH /webinars/{webinarId}': { title: 'Back' },
      'POST /webinars/{webinarId}/sessions': { startsAt: inMinutes(5), control: 'api' },
      'PATCH /webinars/{webinarId}/sessions/{sessionId}': { startsAt: inMinutes(5) },
      'POST /webinars/{webinarId}/sessions/{sessionId}/progress': { action: 'start' },
    };
    const routes = listRoutes(service.api.service.router).filter(({ template }) =>
      /^\/webinars\/\{webinarId\}($|\/(session|publish|unpublish|archive|duplicate))/.test(template),
    );
    expect(routes.length).toBeGreaterThanOrEqual(13);
    for (const { method, template } of routes) {
      const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => ids[name]!);
      const body = bodies[`${method} ${template}`];
      const { status, json } = await callRest(service, `${method} ${path}`, { key, body });
      expect([status, json.code], `${method} ${template}`).toEqual([404, 'webinar_not_found']);
    }
    expect((await register(service, world, { email: 'late@example.com' })).status).toBe(404);
    expect((await callRest(service, 'GET /webinars', { key })).json.data).toEqual([]);
    const { rows } = await service.db.database.pool.query('select status from webinars.session');
    expect(rows).toEqual([{ status: 'cancelled' }]);
  },
);
