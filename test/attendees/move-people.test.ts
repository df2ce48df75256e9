import { expect } from 'vitest';
import { createTestAccount, type TestWorld } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { test as base } from '../support/service-test.ts';
import { register, registerMany } from './registrations.ts';

const test = base.extend('moving', async ({ service, world }) => {
  const { call, webinar } = world;
  const later = new Date(Date.parse(webinar.sessionTime) + 3_600_000).toISOString();
  const { id: laterId } = (await call('POST /sessions', { startsAt: later, control: 'api' })).json.data;
  const dashboard = await openDashboard(service, world);
  const { json } = await call('GET /sessions?sort=startsAt');
  const sessionId: string = json.data[0].id;
  return {
    ...world,
    dashboard,
    later,
    laterId,
    sessionId,
    move: (fields: object = {}) =>
      dashboard.mutate('registrations.movePeople', {
        webinarId: webinar.id,
        sessionId,
        sessionTime: later,
        ...fields,
      }),
    setCapacity: (capacityPerSession: number) => call('PATCH ', { registrationForm: { capacityPerSession } }),
    /** The registrations of the first session and of the later one, as their rows and as their counts. */
    async counts() {
      const sessions = (await call('GET /sessions?sort=startsAt')).json.data;
      const counted = sessions.map(
        ({ registrationCount }: { registrationCount: number }) => registrationCount,
      );
      const { rows } = await service.db.database.pool.query(
        `select session_id, count(*)::int as live from attendees.registration
         where account_id = $1 and status <> 'cancelled' group by 1`,
        [world.accountId],
      );
      const live = [sessionId, laterId].map((id) => rows.find((row) => row.session_id === id)?.live ?? 0);
      return { counted, live };
    },
  };
});

const timeline = async ({ call }: Pick<TestWorld, 'call'>, id: string) =>
  (await call(`GET /registrations/${id}/events`)).json.data;

test('the timeline of a registration says from where and to where it was moved, and by which key or member', async ({
  moving: world,
}) => {
  const { id, joinUrl, sessionId } = (await register(world)).json.data;
  const there = { sessionId: world.laterId, sessionTime: world.later };
  const here = { sessionId, sessionTime: world.webinar.sessionTime };
  await world.call(`POST /registrations/${id}/move`, { sessionTime: world.later });
  await world.call(`POST /registrations/${id}/move`, { sessionTime: world.later });
  await world.call(`POST /registrations/${id}/move`, { sessionTime: here.sessionTime });
  expect(await world.move()).toEqual({ moved: 1, refused: [], next: null });
  const events = await timeline(world, id);
  const byKey = { kind: 'key', name: expect.any(String) };
  expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
    ['moved', { from: here, to: there, by: { kind: 'member', name: expect.any(String) } }],
    ['moved', { from: there, to: here, by: byKey }],
    ['moved', { from: here, to: there, by: byKey }],
    ['registered', {}],
  ]);
  const after = (await world.call(`GET /registrations/${id}`)).json.data;
  expect(after).toMatchObject({ ...there, joinUrl, sessionStatus: 'scheduled' });
});

test('people without a place in the other session, with a registration there, or who have joined stay, and each is named', async ({
  service,
  moving: world,
}) => {
  const names = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'];
  await registerMany(
    world,
    names.map((name) => ({ name, email: `${name}@example.com` })),
  );
  await register(world, { email: 'bob@example.com', sessionTime: world.later });
  const ids = new Map<string, string>(
    (await world.call(`GET /registrations?sessionId=${world.sessionId}`)).json.data.map(
      ({ name, id }: { name: string; id: string }) => [name, id],
    ),
  );
  await world.call(`POST /registrations/${ids.get('cleo')}/cancel`);
  await service.db.database.pool.query(
    `update attendees.registration set status = 'attending' where id = $1`,
    [ids.get('ada')],
  );
  await world.setCapacity(3);
  const { moved, refused, next } = await world.move();
  expect({ moved, next }).toEqual({ moved: 2, next: null });
  const reasons = Object.fromEntries(
    refused.map(({ name, reason }: { name: string; reason: string }) => [name, reason]),
  );
  expect(reasons).toEqual({ ada: 'joined', bob: 'registered', fay: 'full' });
  expect(await world.counts()).toEqual({ counted: [3, 3], live: [3, 3] });
});

test('hundreds of people are moved in batches, also from a cancelled session, and none is lost or counted twice', async ({
  moving: world,
}) => {
  const people = Array.from({ length: 230 }, (_, index) => ({ email: `p${index}@example.com` }));
  await registerMany(world, people);
  await world.call(`POST /sessions/${world.sessionId}/cancel`);
  const [{ sessionStatus }] = (await world.call('GET /registrations?limit=1')).json.data;
  expect(sessionStatus).toBe('cancelled');
  const batches = [];
  for (let after: string | null | undefined; after !== null;) {
    const { moved, next }: { moved: number; next: string | null } = await world.move(after ? { after } : {});
    batches.push(moved);
    after = next;
  }
  expect(batches).toEqual([100, 100, 30]);
  expect((await world.counts()).live).toEqual([0, 230]);
  expect((await world.counts()).counted).toEqual([0, 230]);
});

test('people are not moved to their own session, out of an ended one, or by another workspace', async ({
  service,
  moving: world,
}) => {
  await register(world);
  const stranger = await openDashboard(service, await createTestAccount(service));
  const where = { webinarId: world.webinar.id, sessionId: world.sessionId, sessionTime: world.later };
  expect(await refusalOf(stranger.mutate('registrations.movePeople', where))).toBe('webinar_not_found');
  const other = (await world.rest('POST /webinars', { title: 'Other', schedule: { onDemand: true } })).json
    .data;
  await world.rest(`POST /webinars/${other.id}/publish`);
  expect(await refusalOf(world.move({ webinarId: other.id }))).toBe('session_not_found');
  expect(await refusalOf(world.move({ sessionTime: world.webinar.sessionTime }))).toBe('validation_failed');
  await service.db.database.pool.query(
    `update webinars.session set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1`,
    [world.sessionId],
  );
  expect(await refusalOf(world.move())).toBe('session_state_conflict');
  expect((await world.counts()).live).toEqual([1, 0]);
});
