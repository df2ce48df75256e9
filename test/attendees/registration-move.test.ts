import { expect } from 'vitest';
import { codeOf, type TestWorld } from '../support/api.ts';
import { test as base } from '../support/service-test.ts';
import { countRows, register } from './registrations.ts';

/** A webinar with a second session, an hour after the first. */
async function withLater(world: TestWorld) {
  const { call } = world;
  const later = new Date(Date.parse(world.webinar.sessionTime) + 3_600_000).toISOString();
  const made = await call('POST /sessions', { startsAt: later, control: 'api' });
  return {
    ...world,
    later,
    laterId: made.json.data.id as string,
    move: (id: string, sessionTime = later) => call(`POST /registrations/${id}/move`, { sessionTime }),
    setCapacity: (capacityPerSession: number) => call('PATCH ', { registrationForm: { capacityPerSession } }),
    /** The registrations of the first session and of the later one. */
    async counts(): Promise<number[]> {
      const { json } = await call('GET /sessions?sort=startsAt');
      return json.data.map(({ registrationCount }: { registrationCount: number }) => registrationCount);
    },
  };
}

const test = base.extend('moving', ({ world }) => withLater(world));

test('a moved registration has its place in the other session only, with the same join link, and is recorded once', async ({
  service,
  moving: world,
}) => {
  const first = (await register(world)).json.data;
  const moved = await world.move(first.id);
  expect(moved.status).toBe(200);
  expect(moved.json.data).toEqual({ ...first, sessionId: world.laterId, sessionTime: world.later });
  expect(await world.counts()).toEqual([0, 1]);
  expect((await world.move(first.id)).json).toEqual(moved.json);
  expect(await world.counts()).toEqual([0, 1]);
  // The registration and one move.
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(2);
  expect((await register(world)).status).toBe(201);
});

test('a move is refused into a time that is not offered, a full session, and a session with the same address', async ({
  moving: world,
}) => {
  const ada = (await register(world)).json.data;
  const other = new Date(Date.parse(world.later) + 60_000).toISOString();
  const nowhere = await world.move(ada.id, other);
  expect(codeOf(nowhere)).toEqual([422, 'session_time_unavailable']);
  expect(nowhere.json.details.nearest).toContain(world.later);

  await register(world, { sessionTime: world.later });
  const twice = await world.move(ada.id);
  expect(codeOf(twice)).toEqual([409, 'registration_exists']);

  await world.setCapacity(1);
  const bob = (await register(world, { email: 'bob@example.com' })).json;
  expect(bob.code).toBe('session_full');
  await world.setCapacity(2);
  const eve = (await register(world, { email: 'eve@example.com' })).json.data;
  await world.setCapacity(1);
  const full = await world.move(eve.id);
  expect(codeOf(full)).toEqual([409, 'session_full']);
  expect(await world.counts()).toEqual([2, 1]);
});

test('only an attendee who has not joined can be moved', async ({ service, moving: world }) => {
  const { pool } = service.db.database;
  const ada = (await register(world)).json.data;
  for (const status of ['attending', 'attended', 'no_show']) {
    await pool.query('update attendees.registration set status = $1 where id = $2', [status, ada.id]);
    const answer = await world.move(ada.id);
    expect(codeOf(answer), status).toEqual([409, 'registration_attended']);
  }
  await world.call(`POST /registrations/${ada.id}/cancel`);
  const cancelled = await world.move(ada.id);
  expect(codeOf(cancelled)).toEqual([409, 'registration_cancelled']);
  expect(await world.counts()).toEqual([0, 0]);
});

test('the lobby visit of an attendee moves with them, and a first heartbeat before the move prevents it', async ({
  service,
  moving: world,
}) => {
  const { pool } = service.db.database;
  const visit = (id: string, firstJoinedAt: Date | null) =>
    pool.query(
      `insert into attendees.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at,
         first_joined_at)
       select account_id, id, webinar_id, session_id, '[]', now(), $2 from attendees.registration where id = $1`,
      [id, firstJoinedAt],
    );
  const ada = (await register(world)).json.data;
  await visit(ada.id, null);
  expect((await world.move(ada.id)).status).toBe(200);
  const { rows } = await pool.query(
    'select session_id from attendees.attendance where registration_id = $1',
    [ada.id],
  );
  expect(rows).toEqual([{ session_id: world.laterId }]);

  // The room skips a locked registration, so its status can be behind.
  const bob = (await register(world, { email: 'bob@example.com' })).json.data;
  await visit(bob.id, new Date());
  expect((await world.move(bob.id)).json.code).toBe('registration_attended');
});

test('of two people who are moved at once into a session with one free place, one gets it', async ({
  moving: world,
}) => {
  const people = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => register(world, { email: `${name}@example.com` })),
  );
  await world.setCapacity(1);
  const answers = await Promise.all(
    people.flatMap(({ json }) => [world.move(json.data.id), world.move(json.data.id)]),
  );
  const moved = answers.filter(({ status }) => status === 200);
  expect(new Set(moved.map(({ json }) => json.data.id)).size).toBe(1);
  expect(
    answers.filter(({ status }) => status !== 200).every(({ json }) => json.code === 'session_full'),
  ).toBe(true);
  expect(await world.counts()).toEqual([3, 1]);
});

test('moves to and fro beside cancellations and registrations leave right counts', async ({
  service,
  moving: world,
}) => {
  const { sessionTime } = world.webinar;
  const people = await Promise.all(
    Array.from({ length: 6 }, (_, n) => register(world, { email: `p${n}@example.com` })),
  );
  const answers = await Promise.all(
    people.flatMap(({ json: { data } }, n) => [
      world.move(data.id),
      world.move(data.id, sessionTime),
      ...(n % 2 ? [world.call(`POST /registrations/${data.id}/cancel`)] : []),
      register(world, { email: data.email, sessionTime: world.later }),
    ]),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { rows } = await service.db.database.pool.query(
    `select s.registered_count::int as counted, count(r.id) filter (where r.status <> 'cancelled')::int as live
     from webinars.session s left join attendees.registration r on r.session_id = s.id group by s.account_id, s.id`,
  );
  for (const { counted, live } of rows) expect(counted).toBe(live);
});
